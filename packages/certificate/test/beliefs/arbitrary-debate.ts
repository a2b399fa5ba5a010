import fc from 'fast-check'
import type { AgentTurn, Debate } from '../../src/beliefs/debate.ts'

/** Ordinary names, and names that break a parser which looks them up in a plain object. */
export const name = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', 'A', 'B', '10', '9', '\u{1F600}', '\uFF21'),
  fc.string({ minLength: 1, maxLength: 4, unit: 'binary' }),
)

/** Distributions as people write them: shares of whole numbers, some options left out. */
function beliefsOver(options: readonly string[]): fc.Arbitrary<Record<string, number>> {
  return fc.array(fc.nat({ max: 9 }), { minLength: options.length, maxLength: options.length }).map((raw) => {
    const counts = raw.some((count) => count > 0) ? raw : raw.map(() => 1)
    const total = counts.reduce((sum, count) => sum + count, 0)
    const shares = counts.flatMap((count, index) => (count > 0 ? [[options[index]!, count / total] as const] : []))
    return Object.fromEntries(shares)
  })
}

function turnOf(agent: string, options: readonly string[]): fc.Arbitrary<AgentTurn> {
  const optionOrNull = fc.constantFrom(null, ...options)
  const verbal = fc.option(fc.double({ min: 0, max: 1, noNaN: true }))
  return fc.record(
    {
      agent: fc.constant(agent),
      answer: optionOrNull,
      beliefs: fc.option(beliefsOver(options)),
      conf: fc.option(fc.record({ verbal }, { requiredKeys: [] })),
      samples: fc.option(fc.array(optionOrNull, { minLength: 1, maxLength: 5 })),
    },
    { requiredKeys: ['agent', 'answer'] },
  )
}

const names = (most: number) => fc.uniqueArray(name, { minLength: 1, maxLength: most })

/** Valid debates of a few options, agents (not the same in each round) and rounds. */
export const arbitraryDebate: fc.Arbitrary<Debate> = names(5).chain((options) =>
  fc.record(
    {
      id: name,
      group: fc.option(name),
      options: fc.constantFrom(options, Object.fromEntries(options.map((option) => [option, 'text']))),
      gold: fc.constantFrom(null, ...options),
      rounds: fc.array(
        names(4).chain((agents) => fc.tuple(...agents.map((agent) => turnOf(agent, options)))),
        { minLength: 1, maxLength: 3 },
      ),
    },
    { requiredKeys: ['id', 'options', 'rounds'] },
  ),
)
