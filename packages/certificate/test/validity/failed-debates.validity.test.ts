import { expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import type { Debate } from '../../src/beliefs/debate.ts'
import { resolveProfileBudget } from '../../src/certificate/alpha-rule.ts'
import { calibrate } from '../../src/certificate/calibrate.ts'
import type { CellsCertificate } from '../../src/certificate/cells-certificate.ts'
import { type Random, seededRandom } from '../../src/random.ts'
import { allowed, type FailureRate, failureRate, inWords } from './failure-rate.ts'
import { chanceRight, debateOf, drawDebate, type VoteTruth, WAYS, type Way, wayDebates } from './vote-world.ts'

/**
 * Hard questions lead to long answers, and long answers fail in round 2, so whether a debate fails depends on how
 * likely it is to be right. New debates fail the same way, but only after round 1 could act on them. The world is
 * finite, so each calibration set is judged exactly, on real debates: a failed one can be acted on in round 1 only.
 */
const BUDGET = { beta: 0.1, delta: 0.03, epsilon: 0 }
const { alpha: ALPHA, shortfall: SHORTFALL } = resolveProfileBudget('test', BUDGET, 'cells', 2)
const ROWS = 1200
const SETS = sized({ short: 20, full: 200 })

/** Three who agree at once have an easy question; of the others half are hard. */
const hardShare = ({ first }: Way) => (first % 3 === 0 ? 0.01 : 0.5)
/** The panel is right with the majority of round 1. */
const withMajority =
  (chance: number): VoteTruth =>
  (first) =>
    first >= 2 ? chance : 1 - chance
const KINDS = [
  { truth: withMajority(0.995), share: (way: Way) => 1 - hardShare(way), fails: 0 },
  { truth: withMajority(0.3), share: hardShare, fails: 0.97 },
] as const

/** Which of all debates are calibrated on. */
type Keep = (debate: Debate) => boolean

const isHeld: Keep = ({ failure }) => failure === undefined

test('cells that count failed debates keep their promise, and act', () => {
  const { bounds, harm, wrong, acted } = simulate(() => true)
  expect(bounds.rate, inWords(bounds)).toBeLessThanOrEqual(allowed(BUDGET.delta, bounds))
  expect(harm.rate, inWords(harm)).toBeLessThanOrEqual(allowed(SHORTFALL, harm))
  expect(wrong.rate, inWords(wrong)).toBeLessThanOrEqual(BUDGET.beta)
  expect(acted).toBeGreaterThan(0.4)
})

test('the companion: cells that leave them out act wrongly more often than beta allows', () => {
  const { bounds, wrong } = simulate(isHeld)
  expect(bounds.rate, inWords(bounds)).toBeGreaterThan(allowed(BUDGET.delta, bounds))
  expect(wrong.rate, inWords(wrong)).toBeGreaterThan(allowed(BUDGET.beta, wrong))
})

function simulate(keep: Keep) {
  const random = seededRandom(29)
  const found = Array.from({ length: SETS }, (_, set) => {
    const debates = Array.from({ length: ROWS }, (_, row) => drawFailing(`row-${row}`, random)).filter(keep)
    const split = { pilotFraction: 0.3, seed: set }
    return judge(calibrate(debates, { profile: 'cells', budget: BUDGET, split }))
  })
  const rateOf = (count: (tally: Tally) => number, of: (tally: Tally) => number = () => 1): FailureRate =>
    failureRate(found.map(count), found.map(of))
  return {
    bounds: rateOf(
      ({ failed }) => failed,
      ({ looked }) => looked,
    ),
    harm: rateOf(({ excess }) => excess),
    wrong: rateOf(({ wrong }) => wrong),
    acted: found.reduce((sum, { acted }) => sum + acted, 0) / SETS,
  }
}

function drawFailing(id: string, random: Random): Debate {
  const { rounds } = drawDebate(id, () => 1, null, random)
  const [first = 0, second = 0] = rounds.map((turns) => turns.filter(({ answer }) => answer === 'A').length)
  const way = { first, second, probability: 1 }
  const kind = random() < hardShare(way) ? KINDS[1] : KINDS[0]
  const debate = debateOf(way, id, random() < kind.truth(first, second) ? 'A' : 'B', null)
  if (random() >= kind.fails) return debate
  return { ...debate, rounds: debate.rounds.slice(0, 1), failure: { agent: 'x', round: 2 } }
}

type Tally = ReturnType<typeof judge>

interface Seen {
  readonly probability: number
  /** Chance of being right after each round of the debates. */
  readonly right: readonly number[]
  readonly looks: readonly ({ readonly key: string; readonly lower: number; readonly line: number } | null)[]
}

/** The effect of one certificate on the whole population of debates. */
function judge(certificate: CellsCertificate) {
  const population = populationOf(certificate)
  const cells = new Map<string, { probability: number; right: number }>()
  for (const { probability, right, looks } of population) {
    for (const [at, look] of looks.entries()) {
      if (look === null) continue
      const cell = cells.get(look.key) ?? { probability: 0, right: 0 }
      cells.set(look.key, {
        probability: cell.probability + probability,
        right: cell.right + probability * right[at]!,
      })
    }
  }
  const isHigh = ({ key, lower }: { key: string; lower: number }) =>
    lower > cells.get(key)!.right / cells.get(key)!.probability + 1e-12
  const tally = { looked: 0, failed: 0, acted: 0, wrong: 0, excess: 0 }
  for (const { probability, right, looks } of population) {
    if (looks.some((look) => look !== null)) tally.looked += probability
    if (looks.some((look) => look !== null && isHigh(look))) tally.failed += probability
    const at = looks.findIndex((look) => look !== null && look.lower >= look.line)
    if (at < 0) continue
    tally.acted += probability
    tally.wrong += probability * (1 - right[at]!)
    tally.excess += probability * (1 - right[at]! - ALPHA)
  }
  return tally
}

/** Debates of every way and kind, those that fail with round 1 only. */
function populationOf(certificate: CellsCertificate): Seen[] {
  return wayDebates(null).debates.flatMap((debate, at) => {
    const way = WAYS[at]!
    const looks = [1, 2].map((round) => {
      const look = certificate.assess(debate, round)
      if (look.kind !== 'step' || look.step.lower === null) return null
      const { lower, threshold: line, cell } = look.step
      return { key: `${round}: ${cell}`, lower, line }
    })
    return KINDS.flatMap(({ truth, share, fails }) =>
      [fails, 1 - fails].map((chance, last): Seen => {
        const right = [1, 2].map((round) => chanceRight(way, round, truth))
        const probability = way.probability * share(way) * chance
        return { probability, right: right.slice(0, last + 1), looks: looks.slice(0, last + 1) }
      }),
    )
  })
}
