import { describe, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { resolveProfileBudget } from '../../src/certificate/alpha-rule.ts'
import { calibrate } from '../../src/certificate/calibrate.ts'
import type { CellsCertificate } from '../../src/certificate/cells-certificate.ts'
import { seededRandom } from '../../src/random.ts'
import { allowed, type FailureRate, failureRate, inWords } from './failure-rate.ts'
import { chanceRight, drawDebate, mirrored, type VoteTruth, WAYS, wayDebates } from './vote-world.ts'

/**
 * The whole path of the product, from votes through the learned score and the chosen cells to the bound: among debates
 * that are tested, some bound is above the truth of its cell with probability at most delta, and wrong actions exceed
 * alpha per action by no more than the shortfall of the budget. The vote world is finite, so each calibration set is
 * judged exactly.
 */
const BUDGET = { beta: 0.2, delta: 0.1, epsilon: 0 }
const { alpha: ALPHA, threshold: THRESHOLD, shortfall: SHORTFALL } = resolveProfileBudget('test', BUDGET, 'cells', 2)
const SETS = sized({ short: 60, full: 2000 })
/** Where a test compares two ways. Smaller sets show the difference as well. */
const RUNS = sized({ short: { sets: 80, questions: 60 }, full: { sets: 600, questions: 150 } })
const GROUPED = sized({ short: { sets: 50, rows: 240 }, full: { sets: 600, rows: 400 } })
/** Where a set has many rows. */
const LARGE_SETS = sized({ short: 12, full: 250 })

const TRUTHS = {
  'agreement at once is strong': mirrored((early, late) => (early === 3 ? 0.96 : 0.45 + 0.15 * late)),
  'late agreement is weak': mirrored((early, late) => (late < 3 ? 0.55 : early === 3 ? 0.97 : 0.7)),
  'votes say nothing': () => 0.5,
  'a dip: unanimous twice is wrong': mirrored((early, late) => (early === 3 && late === 3 ? 0.6 : 0.93)),
  'all on the threshold': mirrored(() => THRESHOLD),
  'all just below the threshold': mirrored(() => THRESHOLD - 0.02),
} satisfies Record<string, VoteTruth>

interface Scenario {
  readonly truth: keyof typeof TRUTHS
  readonly rows: number
  readonly sets: number
}

const scenarios: Scenario[] = [
  ...Object.keys(TRUTHS).map((truth) => ({ truth: truth as keyof typeof TRUTHS, rows: 250, sets: SETS })),
  // 420 pilot rows, so the score uses every feature.
  { truth: 'late agreement is weak', rows: 2100, sets: LARGE_SETS },
  { truth: 'all on the threshold', rows: 2100, sets: LARGE_SETS },
]

describe('calibrate with profile cells', () => {
  test.each(scenarios)('keeps its promise where $truth, n = $rows', (scenario) => {
    const { bounds, harm } = simulate(scenario)
    expect(bounds.rate, inWords(bounds)).toBeLessThanOrEqual(allowed(BUDGET.delta, bounds))
    expect(harm.rate, inWords(harm)).toBeLessThanOrEqual(allowed(SHORTFALL, harm))
  })

  test('does not keep it by never acting', () => {
    const { acted } = simulate({
      truth: 'agreement at once is strong',
      rows: 250,
      sets: sized({ short: 20, full: 100 }),
    })
    expect(acted).toBeGreaterThan(0.2)
  })

  test('counts one run of each question, where counting all of them fails', () => {
    const honest = simulateRuns((id) => id.split('/')[0]!)
    expect(honest.rate, inWords(honest)).toBeLessThanOrEqual(allowed(BUDGET.delta, honest))
    const naive = simulateRuns((id) => id)
    expect(naive.rate, inWords(naive)).toBeGreaterThan(allowed(BUDGET.delta, naive))
  })

  test('holds within each group if requested, where pooled rows let one group make up for the other', () => {
    const conditional = simulateGroups(true)
    expect(conditional.rate, inWords(conditional)).toBeLessThanOrEqual(allowed(SHORTFALL, conditional))
    const pooled = simulateGroups(false)
    expect(pooled.rate, inWords(pooled)).toBeGreaterThan(allowed(SHORTFALL, pooled))
  })
})

describe('companions that must fail', () => {
  test('bounds at five times the level', () => {
    const { bounds } = simulate(
      { truth: 'all on the threshold', ...sized({ short: { rows: 150, sets: 700 }, full: { rows: 250, sets: 600 } }) },
      { delta: 0.49 },
    )
    expect(bounds.rate, inWords(bounds)).toBeGreaterThan(allowed(BUDGET.delta, bounds))
  })

  test('a budget three times as large as the one that is judged', () => {
    const { harm } = simulate(
      { truth: 'votes say nothing', rows: 250, sets: sized({ short: 30, full: 200 }) },
      { beta: 0.6 },
    )
    expect(harm.rate, inWords(harm)).toBeGreaterThan(allowed(SHORTFALL, harm))
  })
})

/** The effect of one certificate on the whole population of debates. */
function judge(certificate: CellsCertificate, truth: VoteTruth, group: string | null) {
  const cells = new Map<string, { probability: number; right: number }>()
  const looks = wayDebates(group).debates.map((debate, at) =>
    [1, 2].map((round) => {
      const look = certificate.assess(debate, round)
      if (look.kind !== 'step' || look.step.lower === null) return null
      const key = `${round}: ${look.step.cell}`
      const cell = cells.get(key) ?? { probability: 0, right: 0 }
      const { probability } = WAYS[at]!
      const right = cell.right + probability * chanceRight(WAYS[at]!, round, truth)
      cells.set(key, { probability: cell.probability + probability, right })
      return { round, key, lower: look.step.lower }
    }),
  )
  const tally = { looked: 0, failed: 0, acted: 0, harm: 0 }
  for (const [at, rounds] of looks.entries()) {
    const way = WAYS[at]!
    const isHigh = (look: (typeof rounds)[number]) => {
      const cell = look && cells.get(look.key)!
      return cell !== null && look!.lower > cell.right / cell.probability + 1e-12
    }
    if (rounds.some((look) => look !== null)) tally.looked += way.probability
    if (rounds.some(isHigh)) tally.failed += way.probability
    const acted = rounds.find((look) => look !== null && look.lower >= certificate.threshold)
    if (!acted) continue
    tally.acted += way.probability
    tally.harm += way.probability * (1 - chanceRight(way, acted.round, truth) - ALPHA)
  }
  return tally
}

function simulate({ truth: name, rows, sets }: Scenario, wrong: { delta?: number; beta?: number } = {}) {
  const truth = TRUTHS[name]
  const random = seededRandom(13)
  const budget = { ...BUDGET, ...wrong }
  const found = Array.from({ length: sets }, (_, set) => {
    const debates = Array.from({ length: rows }, (_, row) => drawDebate(`row-${row}`, truth, null, random))
    const split = { pilotFraction: rows > 1000 ? 0.2 : 0.3, seed: set }
    return judge(cells(calibrate(debates, { profile: 'cells', budget, split })), truth, null)
  })
  return {
    bounds: failureRate(
      found.map(({ failed }) => failed),
      found.map(({ looked }) => looked),
    ),
    harm: failureRate(
      found.map(({ harm }) => harm),
      found.map(() => 1),
    ),
    acted: found.reduce((sum, { acted }) => sum + acted, 0) / sets,
  }
}

/** Five runs of each question, all alike. */
function simulateRuns(questionOf: (id: string) => string): FailureRate {
  const truth = TRUTHS['all on the threshold']
  const random = seededRandom(17)
  const found = Array.from({ length: RUNS.sets }, (_, set) => {
    const debates = Array.from({ length: RUNS.questions }, (_, row) =>
      drawDebate(`q${row}`, truth, null, random),
    ).flatMap((debate) => [1, 2, 3, 4, 5].map((run) => ({ ...debate, id: `${debate.id}/${run}` })))
    const split = { pilotFraction: 0.3, seed: set }
    return judge(cells(calibrate(debates, { profile: 'cells', budget: BUDGET, split, questionOf })), truth, null)
  })
  return failureRate(
    found.map(({ failed }) => failed),
    found.map(({ looked }) => looked),
  )
}

/** P(act and wrong) less alpha P(act), within the worse of two groups that look alike: at most the shortfall. */
function simulateGroups(groupConditional: boolean): FailureRate {
  const [good, bad] = [mirrored(() => 0.995), mirrored(() => 0.65)]
  const random = seededRandom(19)
  const excess = Array.from({ length: GROUPED.sets }, (_, set) => {
    const debates = Array.from({ length: GROUPED.rows }, (_, row) =>
      row % 10 === 0 ? drawDebate(`row-${row}`, bad, 'bad', random) : drawDebate(`row-${row}`, good, 'good', random),
    )
    const options = {
      profile: 'cells',
      budget: BUDGET,
      split: { pilotFraction: 0.3, seed: set },
      groupConditional,
    } as const
    return judge(cells(calibrate(debates, options)), bad, 'bad').harm
  })
  return failureRate(
    excess,
    excess.map(() => 1),
  )
}

function cells(certificate: ReturnType<typeof calibrate>): CellsCertificate {
  if (certificate.kind !== 'cells') throw new Error('expected cells')
  return certificate
}
