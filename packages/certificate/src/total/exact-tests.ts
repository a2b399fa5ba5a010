import { CertificateError } from '../certificate-error.ts'
import { clopperPearsonLower } from '../concentration/clopper-pearson.ts'
import { permutation, seededRandom } from '../random.ts'
import { incompleteBeta } from '../special/incomplete-beta.ts'

/**
 * P(Bin(count, rate) <= wrong): the p-value of "the rate is at least `rate`" after `wrong` of `count`. Exact. It is 1
 * without rows, which prove nothing.
 */
export function binomialTail(wrong: number, count: number, rate: number): number {
  if (!(rate > 0 && rate < 1)) throw new CertificateError('binomialTail', 'rate', 'a number in (0, 1)', rate)
  if (!(Number.isInteger(wrong) && wrong >= 0 && wrong <= count)) {
    throw new CertificateError('binomialTail', 'wrong', `a whole number in [0, count = ${count}]`, wrong)
  }
  return wrong === count ? 1 : incompleteBeta(1 - rate, count - wrong, wrong + 1)
}

/**
 * p-value of "E x >= mean" for independent x in [0, 1], in a fixed order. The x need not be identically distributed,
 * but the null is that each has a mean of at least `mean`. A bettor stakes a share of the capital on x < mean, and by
 * Ville's inequality the capital ever reaches 1/p with probability at most p. The share depends on earlier x only. This
 * test replaces the binomial tail if a question has several runs.
 */
export function bettingPValue(values: ArrayLike<number>, mean: number): number {
  const count = values.length
  let logCapital = 0
  let best = 0
  let sum = 0
  let squares = 0
  let variance = mean * (1 - mean)
  for (let at = 0; at < count; at++) {
    const value = values[at]!
    if (!(value >= -1e-9 && value <= 1 + 1e-9)) {
      throw new CertificateError('bettingPValue', `values[${at}]`, 'in [0, 1]', value)
    }
    const stake = Math.min(Math.sqrt(LOG_TARGET / (count * Math.max(variance, 1e-6))), 0.75 / (1 - mean))
    logCapital += Math.log1p(stake * (mean - value))
    best = Math.max(best, logCapital)
    sum += value
    const running = (mean + sum) / (at + 2)
    squares += (value - running) ** 2
    variance = (mean * (1 - mean) + squares) / (at + 2)
  }
  return Math.exp(-best)
}

/** The stake is optimal for a capital of about 1 / .03. */
const LOG_TARGET = 2 * Math.log(1 / 0.03)

/** Questions, some of which have several runs. A question counts once, whatever the number of its runs. */
export interface QuestionRuns {
  /** Number of each row's question, from 0. */
  readonly of: Int32Array
  /** Runs of each question among all rows, whether they were acted on or not. */
  readonly runs: Int32Array
  /** The betting order of the questions, fixed before any label is read. */
  readonly order: Uint32Array
}

/** `of` has the number of each row's question, from 0 and without gaps. */
export function questionRuns(of: Int32Array): QuestionRuns {
  const count = of.reduce((most, question) => Math.max(most, question + 1), 0)
  const runs = new Int32Array(count)
  for (const question of of) runs[question]!++
  return { of, runs, order: permutation(count, seededRandom(1)) }
}

/**
 * Sums of a value per question, each divided by the question's runs, in betting order. Only questions with a row for
 * which `isCounted` is true are included.
 */
function perQuestion(
  { of, runs, order }: QuestionRuns,
  lossOf: (row: number) => number,
  isCounted: (row: number) => boolean,
): Float64Array {
  const sums = new Float64Array(runs.length)
  const isSeen = new Uint8Array(runs.length)
  for (let row = 0; row < of.length; row++) {
    if (!isCounted(row)) continue
    sums[of[row]!]! += lossOf(row)
    isSeen[of[row]!] = 1
  }
  return Float64Array.from(
    order.filter((question) => isSeen[question] === 1),
    (question) => sums[question]! / runs[question]!,
  )
}

/** Labelled rows that a policy acted on, and those among them that were wrong. */
export interface ActedRows {
  /** 1 where the policy acts. */
  readonly acts: Uint8Array
  /** 1 where it acts and is wrong. */
  readonly wrong: Uint8Array
}

/** p-value of "P(act and wrong) >= beta" over all rows. */
export function totalPValue({ wrong }: ActedRows, questions: QuestionRuns | null, beta: number): number {
  if (questions === null) return binomialTail(sumOf(wrong), wrong.length, beta)
  return bettingPValue(
    perQuestion(
      questions,
      (row) => wrong[row]!,
      () => true,
    ),
    beta,
  )
}

/** (sum of the mean losses of the questions + 1) / (questions + 1): at most beta if conformal risk control passes. */
export function averageRisk(losses: Uint8Array, questions: QuestionRuns | null): number {
  if (questions === null) return (sumOf(losses) + 1) / (losses.length + 1)
  const means = perQuestion(
    questions,
    (row) => losses[row]!,
    () => true,
  )
  return (means.reduce((sum, mean) => sum + mean, 0) + 1) / (means.length + 1)
}

/**
 * p-value of "at least `share` of these rows are acted on and wrong". Here `acts` marks the rows themselves, acted on
 * or not.
 */
export function shareAbovePValue(rows: ActedRows, questions: QuestionRuns | null, share: number): number {
  return questions === null
    ? binomialTail(sumOf(rows.wrong), sumOf(rows.acts), share)
    : questionFloorTest(rows, questions)(1 - share)
}

/** p-value of "fewer than `floor` of the rows acted on are right". */
export function floorPValue(rows: ActedRows, questions: QuestionRuns | null, floor: number): number {
  return questions === null
    ? binomialTail(sumOf(rows.wrong), sumOf(rows.acts), 1 - floor)
    : questionFloorTest(rows, questions)(floor)
}

/** p-value by floor. The rows of a question are weighted by its runs in the set, never by the number acted on. */
function questionFloorTest({ acts, wrong }: ActedRows, questions: QuestionRuns): (floor: number) => number {
  const isCounted = (row: number) => acts[row] === 1
  const acted = perQuestion(questions, () => 1, isCounted)
  const bad = perQuestion(questions, (row) => wrong[row]!, isCounted)
  const values = new Float64Array(acted.length)
  return (floor) => {
    if (acted.length === 0) return 1
    const allowed = 1 - floor
    for (let at = 0; at < values.length; at++) values[at] = bad[at]! - allowed * acted[at]! + allowed
    return bettingPValue(values, allowed)
  }
}

/**
 * The largest floor that the same test certifies at this level, together with every smaller one of a fixed grid; 0 if
 * there is none. `passed` is a floor that has already passed, where the search begins.
 *
 * A betting test need not be monotone in the floor. The limit is above the truth only if the first grid point above the
 * truth passes falsely, which is one test at this level. Bisection could skip that point.
 */
export function floorLimit(rows: ActedRows, questions: QuestionRuns | null, level: number, passed: number): number {
  const count = sumOf(rows.acts)
  if (count === 0) return 0
  // Rounding of the quantile must not contradict the test.
  if (questions === null) return Math.max(passed, clopperPearsonLower(count - sumOf(rows.wrong), count, level))
  const pValueOf = questionFloorTest(rows, questions)
  let limit = passed
  for (let next = passed + LIMIT_STEP; next < 1; next += LIMIT_STEP) {
    if (!(pValueOf(next) <= level)) break
    limit = next
  }
  return limit
}

const LIMIT_STEP = 0.0025

export function sumOf(flags: Uint8Array): number {
  let sum = 0
  for (let at = 0; at < flags.length; at++) sum += flags[at]!
  return sum
}
