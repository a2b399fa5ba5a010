import {
  type BeliefReading,
  calibrate,
  type Debate,
  decide,
  readDebates,
  replay,
  seededRandom,
} from '@quorate/certificate'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { columnsOfDebates, debateColumnsSchema } from '../../../../../packages/quorate/src/contract/index.ts'
import { debatesOfColumns, inOrderOf } from '../../../src/pages/operating-point/replay/debate-columns.ts'
import { asGiven, readColumns } from '../../../src/pages/operating-point/replay/stored-debates.ts'

const AGENTS = ['ada', '__proto__', 'cleo']
const LISTS = [
  ['A', 'B', 'C', 'D'],
  ['yes', 'no'],
  ['__proto__', 'toString', 'x'],
]
const BELIEF_READINGS: readonly BeliefReading[] = ['given', 'stated', 'vote', 'samples']

/** Turns of every kind: beliefs, stated, sampled, votes only, abstentions, ties, agents that miss rounds. */
function drawDebates(seed: number, count: number, isVarying: boolean): Debate[] {
  const random = seededRandom(seed)
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value
  const drawTurn = (agent: string, options: readonly string[], gold: string) => {
    const answer = random() < 0.7 ? gold : pick(options)
    const kind = random()
    if (kind < 0.08) return { agent, answer: null }
    if (kind < 0.2) return { agent, answer }
    if (kind < 0.3) return { agent, answer: null, beliefs: { [options[0] ?? '']: 0.5, [options[1] ?? '']: 0.5 } }
    if (kind < 0.45) return { agent, answer, samples: [answer, pick(options), null, answer] }
    if (kind < 0.7) return { agent, answer, conf: { verbal: Math.round(random() * 20) / 20 } }
    const weights = options.map((name) => (name === answer ? 3 : 0.2) * random())
    const sum = weights.reduce((total, weight) => total + weight, 0)
    return { agent, answer, beliefs: Object.fromEntries(options.map((name, at) => [name, (weights[at] ?? 0) / sum])) }
  }
  return Array.from({ length: count }, (_, row) => {
    const options = pick(LISTS)
    const gold = pick(options)
    const rounds = Array.from({ length: 3 }, () => {
      const seats = isVarying ? AGENTS.filter((_, seat) => seat === 0 || random() < 0.7) : AGENTS
      return seats.map((agent) => drawTurn(agent, options, gold))
    })
    return { id: `q${seed}-${row}`, options, gold, group: pick([null, 'one', 'two']), rounds }
  })
}

function throughJson(columns: ReturnType<typeof columnsOfDebates>) {
  return debateColumnsSchema.parse(JSON.parse(JSON.stringify(columns)))
}

describe('debates from columns', () => {
  test('have the summaries of the full debates, for every elicitation and every set of agents', () => {
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(...BELIEF_READINGS), fc.boolean(), (seed, beliefs, isVarying) => {
        const { debates, reading } = readDebates(drawDebates(seed, 12, isVarying), { beliefs })
        const again = readColumns(throughJson(columnsOfDebates({ debates }, 3, () => true)), reading).debates
        for (const [row, debate] of debates.entries()) {
          const found = again[row]
          expect(found?.record.gold).toBe(debate.record.gold)
          expect(found?.record.group).toBe(debate.record.group)
          expect(found?.record.options).toEqual(debate.record.options)
          for (const [at, round] of debate.rounds.entries()) {
            const same = found?.rounds[at]
            expect(new Set(same?.agents)).toEqual(new Set(round.agents))
            expect(same?.prediction).toBe(round.prediction)
            expect(same?.disagreement).toBe(round.disagreement)
            expect(same?.abstentions).toBe(round.abstentions)
            // A second division by a sum that differs from 1 in the last bits: less than twelve decimals show.
            expect(same?.p1).toBeCloseTo(round.p1, 11)
            expect(same?.supportPath).toBeCloseTo(round.supportPath, 11)
          }
        }
      }),
      { numRuns: 60, seed: 5 },
    )
  })

  test.each(['total', 'cells', 'tight', 'paper'] as const)(
    'are decided like the full debates, one by one: %s',
    (profile) => {
      const budget = { beta: 0.5, delta: 0.05, epsilon: 0.02 }
      let acted = 0
      fc.assert(
        fc.property(fc.nat(1000), fc.constantFrom(...BELIEF_READINGS), fc.boolean(), (seed, beliefs, isVarying) => {
          const certificate = calibrate(drawDebates(seed, 500, isVarying), { profile, budget, beliefs })
          const debates = drawDebates(seed + 5000, 60, isVarying)
          const columns = throughJson(columnsOfDebates(readDebates(debates, { beliefs }), 3, () => true))
          const reading = certificate.panel
          if (reading === null) throw new Error('calibrated from debates')
          const { actedAt } = replay(asGiven(certificate, reading), readColumns(columns, reading)).at(budget)
          const slow = debates.map((debate) => {
            const decision = decide(certificate, debate)
            return decision.kind === 'act' ? decision.round : 0
          })
          expect([...actedAt]).toEqual(slow)
          acted += slow.filter((round) => round > 0).length
        }),
        { numRuns: 6, seed: 3 },
      )
      expect(acted).toBeGreaterThan(0)
    },
  )

  test('are refused when a column is too short, rather than shifted', () => {
    const columns = columnsOfDebates(readDebates(drawDebates(1, 4, false)), 3, () => true)
    expect(() => debatesOfColumns({ ...columns, answers: columns.answers.slice(1) })).toThrow(/answers has 35 entries/)
    expect(() => debatesOfColumns({ ...columns, beliefs: columns.beliefs.slice(1) })).toThrow(/beliefs has/)
    expect(() => debatesOfColumns({ ...columns, options: columns.options.map(() => 9) })).toThrow(/expected NaN/)
  })
})

test('reordered columns are the columns of the reordered debates', () => {
  const debates = drawDebates(4, 20, false)
  const ids = debates.map(({ id }) => id).toReversed()
  const columns = columnsOfDebates(readDebates(debates), 3, () => true)
  const found = inOrderOf(ids, columns)
  if (found === null) throw new Error('every id is there')
  expect(debatesOfColumns(found)).toEqual(debatesOfColumns(columns).toReversed())
  expect(inOrderOf([...ids.slice(1), 'absent'], columns)).toBeNull()
  expect(inOrderOf(ids.slice(1), columns)).toBeNull()
})
