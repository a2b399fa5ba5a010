import { twelveDecimals } from '../beliefs/twelve-decimals.ts'
import { permutation, seededRandom } from '../random.ts'
import { type FeatureLayout, type FeatureRows, widthOf } from './features.ts'
import {
  fitRoundModel,
  type LabelledFeatures,
  type LogisticMethod,
  predictRound,
  type RoundModel,
  type TreesMethod,
} from './round-model.ts'

/**
 * The score of a debate after each round: the estimated probability that the panel's answer is right. It orders debates
 * and promises nothing. Certificates test what they derive from it on rows that the score has never seen.
 *
 * Several candidates are fitted on pilot rows, and the one with the least out-of-fold log loss over all rounds wins. A
 * small pilot thus gets few features and a large one many, without a size at which features are switched on.
 */
export interface Score {
  readonly layout: FeatureLayout
  readonly name: ScoreName
  /** Averaged on the log-odds scale. */
  readonly parts: readonly ScorePart[]
}

export interface ScorePart {
  readonly candidate: Candidate
  readonly weight: number
  /** One per round. */
  readonly models: readonly RoundModel[]
}

/**
 * `two-features`: logistic regression on p1 and the support path. `all-features`: logistic regression on all features.
 * `with-groups`: on all features and the group. `ridge`: the same with a stronger penalty. `boosted`: gradient boosting
 * on all features.
 */
export const CANDIDATES = ['two-features', 'all-features', 'with-groups', 'ridge', 'boosted'] as const
export type Candidate = (typeof CANDIDATES)[number]

/** `mean`: the average of `boosted` and `with-groups`. `two-features-and-ridge`: `two-features` with a fifth of `ridge`. */
export const SCORE_NAMES = [...CANDIDATES, 'mean', 'two-features-and-ridge'] as const
export type ScoreName = (typeof SCORE_NAMES)[number]

/** Pilot rows: features and labels of every round, and which rows are runs of one question. */
export interface PilotScoreRows {
  readonly features: FeatureRows
  readonly layout: FeatureLayout
  /** Row-major, rows x rounds: 1 where the panel's answer after that round was right. */
  readonly right: Uint8Array
  /** Number of each row's question, from 0; null if every row is its own question. */
  readonly questions: Int32Array | null
  /** The fold of each row, from 0 to 4; null if folds are random. Rows of one question must share a fold. */
  readonly folds: Uint8Array | null
}

export interface FittedScore {
  readonly score: Score
  /** Row-major scores of the pilot rows, each from models that did not see its question. */
  readonly outOfFold: Float64Array
  /** Out-of-fold log loss of every score that was considered. */
  readonly losses: ReadonlyMap<ScoreName, number>
}

/** Number of folds for comparing the candidates. */
export const FOLDS = 5
/** With fewer rows, boosting fits noise. */
const ROWS_TO_BOOST = 150

export function fitScore(pilot: PilotScoreRows, seed: number): FittedScore {
  const folds = pilot.folds ?? foldsOf(pilot, seed)
  const chains = new Map<Candidate, Chain>()
  for (const candidate of CANDIDATES) {
    if (candidate === 'boosted' && pilot.features.rows < ROWS_TO_BOOST) continue
    // Without groups both candidates have the same columns and the same penalty, so they are one fit.
    const isKnown = candidate === 'with-groups' && pilot.layout.groups.length === 0
    chains.set(candidate, isKnown ? chains.get('all-features')! : fitChain(pilot, folds, candidate))
  }
  const considered = new Map<ScoreName, readonly Weighted[]>()
  for (const [candidate, chain] of chains) considered.set(candidate, [{ candidate, weight: 1, chain }])
  const boosted = chains.get('boosted')
  if (boosted) {
    considered.set('mean', [
      { candidate: 'boosted', weight: 0.5, chain: boosted },
      { candidate: 'with-groups', weight: 0.5, chain: chains.get('with-groups')! },
    ])
  }
  const losses = new Map<ScoreName, number>()
  for (const [name, parts] of considered) losses.set(name, logLoss(averaged(parts), pilot.right))
  let name = [...losses].reduce((best, each) => (each[1] < best[1] ? each : best))[0]
  let parts = considered.get(name)!
  if (name === 'two-features') {
    // Two features give many debates the same score, and such a lump fits a budget as a whole or not at all. A little
    // of the richer score orders it.
    name = 'two-features-and-ridge'
    parts = [
      { candidate: 'two-features', weight: 0.8, chain: chains.get('two-features')! },
      { candidate: 'ridge', weight: 0.2, chain: chains.get('ridge')! },
    ]
  }
  const score: Score = {
    layout: pilot.layout,
    name,
    parts: parts.map(({ candidate, weight, chain }) => ({ candidate, weight, models: chain.fitModels() })),
  }
  return { score, outOfFold: averaged(parts).map(twelveDecimals), losses }
}

/** Row-major scores, rows x rounds. */
export function scoreRows(score: Score, features: FeatureRows): Float64Array {
  const parts = score.parts.map(({ candidate, weight, models }) => {
    const probabilities = new Float64Array(features.rows * features.rounds.length)
    let previous: Float64Array | null = null
    for (let at = 0; at < features.rounds.length; at++) {
      const design = designOf(candidate, score.layout, features, at, previous)
      const found = Float64Array.from({ length: features.rows }, (_, row) =>
        predictRound(models[at]!, design.values, row * design.columns),
      )
      writeRound(probabilities, features.rounds.length, at, found)
      previous = found
    }
    return { weight, probabilities }
  })
  return mixed(parts).map(twelveDecimals)
}

/** One candidate over all rounds. */
interface Chain {
  /** Fits the models of all rounds on all rows. Only the chosen score needs them. */
  readonly fitModels: () => readonly RoundModel[]
  /** Row-major. */
  readonly outOfFold: Float64Array
}

interface Weighted {
  readonly candidate: Candidate
  readonly weight: number
  readonly chain: Chain
}

/**
 * Fits one candidate over all rounds. From round 2 on, the score of the round before is a feature: a debate without
 * news keeps its score, so a policy that continues cannot benefit from the luckiest of several fits.
 */
function fitChain({ features, layout, right }: PilotScoreRows, folds: Uint8Array, candidate: Candidate): Chain {
  const rounds = features.rounds.length
  const outOfFold = new Float64Array(features.rows * rounds)
  const designs: LabelledFeatures[] = []
  let previous: Float64Array | null = null
  for (let at = 0; at < rounds; at++) {
    const design = designOf(candidate, layout, features, at, previous)
    const labels = Uint8Array.from({ length: features.rows }, (_, row) => right[row * rounds + at]!)
    const found = new Float64Array(features.rows)
    for (let fold = 0; fold < FOLDS; fold++) {
      if (!folds.includes(fold)) continue
      const model = fitRoundModel(METHODS[candidate], rowsOutside(fold, folds, design, labels))
      for (let row = 0; row < features.rows; row++) {
        if (folds[row] === fold) found[row] = predictRound(model, design.values, row * design.columns)
      }
    }
    designs.push({ ...design, right: labels })
    writeRound(outOfFold, rounds, at, found)
    previous = found
  }
  return { fitModels: () => designs.map((design) => fitRoundModel(METHODS[candidate], design)), outOfFold }
}

const METHODS: Readonly<Record<Candidate, LogisticMethod | TreesMethod>> = {
  'two-features': { kind: 'logistic', penalty: 1 },
  'all-features': { kind: 'logistic', penalty: 1 },
  'with-groups': { kind: 'logistic', penalty: 1 },
  ridge: { kind: 'logistic', penalty: 0.03 },
  boosted: { kind: 'trees' },
}

interface Design {
  readonly values: Float64Array
  readonly columns: number
}

/**
 * The columns that a candidate uses in a round: its first two features, the log-odds of the round before, its other
 * features, and the group.
 */
function designOf(
  candidate: Candidate,
  layout: FeatureLayout,
  { rows, rounds, groups }: FeatureRows,
  at: number,
  previous: Float64Array | null,
): Design {
  const width = widthOf(layout, at + 1)
  const seen = candidate === 'two-features' ? 2 : width
  const groupColumns = candidate === 'with-groups' || candidate === 'ridge' ? layout.groups.length : 0
  const extra = previous === null ? 0 : 1
  const columns = seen + extra + groupColumns
  const source = rounds[at]!
  const values = new Float64Array(rows * columns)
  for (let row = 0; row < rows; row++) {
    const from = row * width
    const to = row * columns
    values[to] = source[from]!
    values[to + 1] = source[from + 1]!
    if (previous !== null) values[to + 2] = logOdds(previous[row]!)
    for (let column = 2; column < seen; column++) values[to + extra + column] = source[from + column]!
    if (groupColumns > 0 && groups[row]! >= 0) values[to + extra + seen + groups[row]!] = 1
  }
  return { values, columns }
}

/** The rows that teach the model of a fold. */
function rowsOutside(
  fold: number,
  folds: Uint8Array,
  { values, columns }: Design,
  labels: Uint8Array,
): LabelledFeatures {
  let count = 0
  for (const each of folds) if (each !== fold) count++
  const kept = new Float64Array(count * columns)
  const right = new Uint8Array(count)
  for (let row = 0, at = 0; row < labels.length; row++) {
    if (folds[row] === fold) continue
    for (let column = 0; column < columns; column++) kept[at * columns + column] = values[row * columns + column]!
    right[at++] = labels[row]!
  }
  return { values: kept, columns, right }
}

/** Rows of one question share a fold. */
function foldsOf({ features, questions }: PilotScoreRows, seed: number): Uint8Array {
  const count = questions === null ? features.rows : questions.reduce((most, each) => Math.max(most, each + 1), 0)
  const places = permutation(count, seededRandom(seed))
  return Uint8Array.from({ length: features.rows }, (_, row) => {
    const question = questions === null ? row : questions[row]!
    return Math.floor((places[question]! * FOLDS) / count)
  })
}

function writeRound(into: Float64Array, rounds: number, at: number, values: Float64Array): void {
  for (let row = 0; row < values.length; row++) into[row * rounds + at] = values[row]!
}

function averaged(parts: readonly Weighted[]): Float64Array {
  return mixed(parts.map(({ weight, chain }) => ({ weight, probabilities: chain.outOfFold })))
}

function mixed(parts: readonly { readonly weight: number; readonly probabilities: Float64Array }[]): Float64Array {
  const [only] = parts
  if (parts.length === 1) return only!.probabilities
  return only!.probabilities.map((_, at) => {
    const sum = parts.reduce((total, { weight, probabilities }) => total + weight * logOdds(probabilities[at]!), 0)
    return 1 / (1 + Math.exp(-sum))
  })
}

/** Log-odds of a probability kept away from 0 and 1, so no single score outweighs everything else. */
function logOdds(probability: number): number {
  const bounded = Math.min(Math.max(probability, 1e-4), 1 - 1e-4)
  return Math.log(bounded / (1 - bounded))
}

function logLoss(scores: Float64Array, right: Uint8Array): number {
  let sum = 0
  for (let at = 0; at < scores.length; at++) {
    const probability = right[at] === 1 ? scores[at]! : 1 - scores[at]!
    sum -= Math.log(Math.max(probability, 1e-3))
  }
  return sum / scores.length
}
