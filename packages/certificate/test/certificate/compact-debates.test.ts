import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Debate, RoundSummary } from '../../src/beliefs/debate.ts'
import { type CalibrateOptions, calibrate } from '../../src/certificate/calibrate.ts'
import { debateReader, type ReadDebates, readDebates } from '../../src/certificate/read-debates.ts'
import { replay } from '../../src/decision/replay.ts'
import { simulatedDebates } from './simulated-debates.ts'

const budget = { beta: 0.4, delta: 0.05, epsilon: 0.02 }
const split = { pilotFraction: 0.5, seed: 7 }

function compact(debates: readonly Debate[]): ReadDebates {
  const reader = debateReader({}, 'test', { isCompact: true })
  for (const debate of debates) reader.add(debate, debate.id)
  return reader.debates()
}

/** Copies the fields one by one, since a summary that reads from columns has no own fields. */
function fieldsOf(round: RoundSummary): RoundSummary {
  const { agents, social, prediction, p1, p2, margin, entropy, disagreement, abstentions } = round
  const { supportPath, stability, hasChanged, isTied, hasNews, hasEverChanged, optionsVoted, agentSupport } = round
  return {
    agents,
    social,
    prediction,
    p1,
    p2,
    margin,
    entropy,
    disagreement,
    abstentions,
    supportPath,
    stability,
    hasChanged,
    isTied,
    hasNews,
    hasEverChanged,
    optionsVoted,
    agentSupport,
  }
}

/** Debates with failures, with agents that join and leave, and with other options in some rows. */
const mixedDebates = fc
  .record({
    seed: fc.integer({ min: 1, max: 1000 }),
    count: fc.integer({ min: 30, max: 60 }),
    rounds: fc.integer({ min: 1, max: 4 }),
    agents: fc.constantFrom(['x'], ['x', 'y', 'z'], ['__proto__', 'constructor', 'x', 'y', 'z']),
    isGrowing: fc.boolean(),
    hasFailures: fc.boolean(),
    hasOtherOptions: fc.boolean(),
  })
  .map(({ seed, count, rounds, agents, isGrowing, hasFailures, hasOtherOptions }) => {
    const groups = ['law', 'physics', null]
    const many = simulatedDebates({ count, seed, rounds, agents, groups })
    const others = simulatedDebates({ count: 5, seed: seed + 1001, rounds, agents, groups, options: ['no', 'yes'] })
    const all = hasOtherOptions ? [...many, ...others] : many
    return all.map((debate, row): Debate => {
      const debated = isGrowing ? debate.rounds.map((turns, at) => turns.slice(0, at + 1)) : debate.rounds
      const isShort = hasFailures && row % 7 === 1 && rounds > 1
      return isShort ? { ...debate, rounds: debated.slice(0, 1), failure: {} } : { ...debate, rounds: debated }
    })
  })

test('debates kept in columns say the same as debates kept as objects, field by field', () => {
  fc.assert(
    fc.property(mixedDebates, (debates) => {
      const [kept, whole] = [compact(debates), readDebates(debates)]
      expect(kept.reading).toEqual(whole.reading)
      for (const [row, { record, rounds }] of whole.debates.entries()) {
        const debate = kept.debates[row]!
        expect(debate.rounds.map(fieldsOf)).toEqual(rounds)
        const { rounds: roundsText, ...fields } = record
        expect({ ...debate.record }).toEqual(fields)
        expect(debate.record.rounds.map(({ agents, votes }) => ({ agents, votes }))).toEqual(
          roundsText.map(({ agents, votes }) => ({ agents, votes })),
        )
      }
    }),
    { numRuns: 40 },
  )
})

describe.each<Pick<CalibrateOptions, 'profile' | 'kFamily'>>([
  { profile: 'cells' },
  { profile: 'tight', kFamily: [10, 20] },
  { profile: 'paper', kFamily: [10, 20] },
])('a certificate of profile $profile', (options) => {
  test('has the same file, whichever way its debates were kept', () => {
    const flags = fc.record({ groupConditional: fc.boolean(), isAsked: fc.boolean() })
    fc.assert(
      fc.property(mixedDebates, flags, (debates, { groupConditional, isAsked }) => {
        const questionOf = isAsked ? { questionOf: (id: string) => id.slice(0, -1) } : {}
        const asked = { ...options, ...questionOf, budget, split, groupConditional }
        const [kept, whole] = [calibrate(compact(debates), asked), calibrate(readDebates(debates), asked)]
        expect(JSON.stringify(kept)).toBe(JSON.stringify(whole))
      }),
      { numRuns: 25 },
    )
  })

  test('has the same file with a learned state, which needs 400 pilot rows, and decides them alike', () => {
    const debates = simulatedDebates({ count: 850, seed: 5, groups: ['law', null] })
    const asked = { ...options, budget, split }
    const certificate = calibrate(readDebates(debates), asked)
    const read = compact(debates)
    expect(JSON.stringify(calibrate(read, asked))).toBe(JSON.stringify(certificate))
    expect(replay(certificate, read).at(budget)).toEqual(replay(certificate, debates).at(budget))
  })
})

test('beliefs of single agents are not there, and reading them throws', () => {
  const read = compact(simulatedDebates({ count: 40 }))
  expect(() => read.debates[0]?.record.rounds[0]?.beliefs).toThrow('must be asked of debates that are read whole')
  const state = {
    name: 'first-belief',
    of: (_: unknown, debate: { rounds: readonly { beliefs: Float64Array }[] }) => [debate.rounds[0]!.beliefs[0]!],
  }
  expect(() => calibrate(read, { profile: 'tight', budget, split, state })).toThrow('beliefs of single agents')
})

test('debates of two readings are not taken for one', () => {
  const debates = simulatedDebates({ count: 40 })
  const [first, second] = [compact(debates), compact(debates)]
  const mixed = { reading: first.reading, debates: [...first.debates.slice(0, 39), ...second.debates.slice(39)] }
  expect(() => calibrate(mixed, { profile: 'cells', budget, split })).toThrow('calibrate')
})

test('an id that comes again is refused by both places', () => {
  const reader = debateReader({}, 'file', { isCompact: true })
  const [debate] = simulatedDebates({ count: 1 })
  reader.add(debate!, 'line 1')
  expect(() => reader.add(debate!, 'line 2')).toThrow('line 2.id must be a unique id: line 1 has the same')
})
