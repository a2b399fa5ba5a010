import { describe, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { calibrate } from '../../src/certificate/calibrate.ts'
import type { TotalCertificate } from '../../src/certificate/total-certificate.ts'
import { decide } from '../../src/decision/decide.ts'
import { describeKind, exclusionOf, kindOf } from '../../src/kinds/kind.ts'
import { seededRandom } from '../../src/random.ts'
import { countTotal, type TotalOutcome } from '../../src/total/count.ts'
import { allowed, failureRate, inWords } from './failure-rate.ts'
import { actedByKind, drawRows, type StoppingWorld, stoppingWorld, sumActed } from './stopping-world.ts'
import { chanceRight, debateOf, drawDebate, mirrored, type VoteTruth, WAYS, wayDebates } from './vote-world.ts'

/**
 * Both promises from votes to decisions: `calibrate` reads debates and fits score, policies and classes, and the
 * certificate is judged by what `decide` does with every way that a debate can go. A promise holds for each pilot over
 * the draw of the neighbours, so further neighbours are drawn for the same pilot.
 */
const PILOTS = sized({ short: 18, full: 100 })
const SETS_PER_PILOT = 20
const LABELS = 220
const BETA = 0.2
const FLOOR = 0.8

const TRUTHS: Readonly<Record<string, VoteTruth>> = {
  'agreement is right': mirrored((early, late) => (late === 3 ? (early === 3 ? 0.93 : 0.85) : 0.7)),
  /** Agreement that comes late is hardly better than a coin. */
  'late agreement is weak': mirrored((early, late) => (late === 3 ? (early === 3 ? 0.9 : 0.6) : 0.55)),
  'exactly below the floor': mirrored(() => FLOOR - 0.0005),
}

test.each(Object.entries(TRUTHS))('both promises and the average hold where %s', (_, truth) => {
  const random = seededRandom(29)
  const found = { pac: emptyTally(), average: emptyTally() }
  let levels: TotalCertificate['levels'] | null = null
  for (let pilot = 0; pilot < PILOTS; pilot++) {
    const debates = Array.from({ length: LABELS }, (_, row) => drawDebate(`q${row}`, truth, null, random))
    const budget = { beta: BETA, delta: 0.25, epsilon: 0, total: { delta: 0.25, floor: FLOOR } } as const
    const certificate = calibrate(debates, { profile: 'total', budget })
    levels = certificate.levels
    const world = worldOf(certificate, truth)
    for (const kind of ['pac', 'average'] as const) {
      const own = kind === 'pac' ? certificate : certificate.withBudget({ ...budget, total: { ...budget.total, kind } })
      const first = judged(own.outcomeOf(null)!, own, world)
      expect(first.risk).toBeCloseTo(decidedRisk(own, truth), 12)
      note(found[kind], first)
      for (let set = 1; set < SETS_PER_PILOT; set++) {
        const rows = drawRows(world, own.split.neighbours.length, random)
        note(found[kind], judged(countTotal(own.design, own.promise, rows), own, world))
      }
    }
  }
  const each = found.pac.risks.map(() => 1)
  const over = failureRate(
    found.pac.risks.map((risk) => Number(risk > BETA + 1e-12)),
    each,
  )
  const mean = failureRate(found.average.risks, each)
  expect(over.rate, inWords(over)).toBeLessThanOrEqual(allowed(levels!.total, over))
  expect(mean.rate, inWords(mean)).toBeLessThanOrEqual(allowed(BETA, mean))
  for (const kind of ['pac', 'average'] as const) {
    const below = failureRate(found[kind].below, each)
    expect(below.rate, inWords(below)).toBeLessThanOrEqual(allowed(levels!.floor, below))
  }
})

describe('the worlds above', () => {
  test('let certificates act', () => {
    const random = seededRandom(32)
    const debates = Array.from({ length: LABELS }, (_, row) =>
      drawDebate(`q${row}`, TRUTHS['agreement is right']!, null, random),
    )
    const certificate = calibrate(debates, { profile: 'total', budget: { beta: BETA, delta: 0.05, epsilon: 0 } })
    expect(certificate.canAct()).toBe(true)
  })
})

interface Tally {
  readonly risks: number[]
  readonly below: number[]
}

function emptyTally(): Tally {
  return { risks: [], below: [] }
}

function note({ risks, below }: Tally, { risk, isBelow }: ReturnType<typeof judged>): void {
  risks.push(risk)
  below.push(Number(isBelow))
}

/** The ways as the certificate assesses them, with the truth about each. */
function worldOf(certificate: TotalCertificate, truth: VoteTruth): StoppingWorld {
  const { debates } = wayDebates(null)
  return stoppingWorld(
    WAYS.map((way, at) => {
      const debate = debates[at]!
      const scores = certificate.scoresOf(debate, 2)!
      const rounds = debate.rounds.map((summary, round) => {
        const { agreement, hasChanged } = describeKind(kindOf(summary, round + 1))
        const right = chanceRight(way, round + 1, truth)
        return { score: scores[round]!, agreement, hasChanged, excluded: exclusionOf(summary) !== null, right }
      })
      return { weight: way.probability, rounds }
    }),
  )
}

function judged({ chosen, classes }: TotalOutcome, { design }: TotalCertificate, world: StoppingWorld) {
  if (chosen === null) return { risk: 0, isBelow: false }
  const truth = actedByKind(world, design, design.policies[chosen]!)
  const acting = classes.filter(({ state }) => state === 'acts').map(({ kinds }) => sumActed(truth, kinds))
  return {
    risk: acting.reduce((sum, { wrong }) => sum + wrong, 0),
    isBelow: acting.some(({ acts, wrong }) => wrong > (1 - FLOOR) * acts + 1e-12),
  }
}

function decidedRisk(certificate: TotalCertificate, truth: VoteTruth): number {
  const all = WAYS.reduce((sum, { probability }) => sum + probability, 0)
  return WAYS.reduce((sum, way, at) => {
    const decision = decide(certificate, debateOf(way, `way-${at}`, null, null))
    if (decision.kind !== 'act') return sum
    return sum + (way.probability / all) * (1 - chanceRight(way, decision.round, truth))
  }, 0)
}
