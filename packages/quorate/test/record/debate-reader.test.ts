import { parseDebate } from '@quorate/certificate'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { debateSchema, optionNames } from '../../src/record/debate.ts'

const optionSets = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 8 }).filter(isPlain), {
  minLength: 2,
  maxLength: 6,
})

/** zod drops this name of an option, so the records that are used in computations do not come from its output. */
function isPlain(name: string): boolean {
  return name.trim() !== '' && name !== '__proto__'
}

/** Debates that both should accept: answers and samples name options, and beliefs sum to 1. */
const debates = optionSets
  .chain((options) => {
    const answer = fc.option(fc.constantFrom(...options))
    const turn = fc.record(
      {
        agent: fc.constantFrom('ann', 'bob', 'cleo'),
        answer,
        beliefs: fc.option(fc.constantFrom(...options).map((name) => ({ [name]: 1 }))),
        conf: fc.option(fc.record({ verbal: fc.option(fc.double({ min: 0, max: 1, noNaN: true })) })),
        samples: fc.option(fc.array(answer, { minLength: 1, maxLength: 4 })),
        text: fc.option(fc.string()),
      },
      { requiredKeys: ['agent', 'answer'] },
    )
    const round = fc.uniqueArray(turn, { minLength: 1, maxLength: 3, selector: ({ agent }) => agent })
    const texts = Object.fromEntries(options.map((name) => [name, `about ${name}`]))
    return fc.record(
      {
        id: fc.string({ minLength: 1, maxLength: 20 }).filter(isPlain),
        options: fc.constantFrom<string[] | Record<string, string>>(options, texts),
        rounds: fc.array(round, { minLength: 1, maxLength: 4 }),
        gold: answer,
        group: fc.option(fc.string({ maxLength: 10 })),
        quorate: fc.constant(1),
        ended: fc.option(fc.constantFrom('protocol', 'stopped')),
        failure: fc.option(fc.record({ agent: fc.constant('ann'), round: fc.constant(2) })),
      },
      { requiredKeys: ['id', 'options', 'rounds'] },
    )
  })
  // A debate that broke off has no `ended`.
  .map(({ ended, failure, ...debate }) =>
    failure === null || failure === undefined
      ? { ...debate, ...(ended === undefined ? {} : { ended }) }
      : { ...debate, failure },
  )

const readerTakes = (value: unknown) => {
  try {
    return parseDebate(value)
  } catch {
    return null
  }
}

test('the reader of the certificate and the record accept the same debates and find the same options in them', () => {
  fc.assert(
    fc.property(debates, (value) => {
      const debate: unknown = JSON.parse(JSON.stringify(value))
      const record = debateSchema.safeParse(debate)
      expect(record.error).toBeUndefined()
      expect(record.data).toEqual(debate)
      expect(parseDebate(debate).options).toEqual(record.data === undefined ? null : optionNames(record.data.options))
    }),
    { seed: 11, numRuns: 500 },
  )
})

test('the reader refuses what the record refuses, in every field that it uses', () => {
  const wrong = fc.oneof(fc.jsonValue(), fc.constantFrom(null, '', 0, -1, 2, [], {}, [null], { A: -1 }, { verbal: 2 }))
  const field = fc.constantFrom('quorate', 'id', 'question_of', 'group', 'options', 'gold', 'ended', 'rounds')
  const turnField = fc.constantFrom('agent', 'answer', 'beliefs', 'conf', 'samples')
  let refused = 0
  fc.assert(
    fc.property(debates, fc.boolean(), field, turnField, wrong, (value, isTurn, name, turnName, changed) => {
      const rounds = value.rounds.map((turns) => turns.map((turn) => ({ ...turn, [turnName]: changed })))
      const debate: unknown = JSON.parse(JSON.stringify(isTurn ? { ...value, rounds } : { ...value, [name]: changed }))
      if (debateSchema.safeParse(debate).success) return
      refused += 1
      expect(readerTakes(debate), JSON.stringify(debate)).toBeNull()
    }),
    { seed: 12, numRuns: 1000 },
  )
  expect(refused).toBeGreaterThan(300)
})
