import { describe, expect, test } from 'vitest'
import { readDebates } from '../../src/certificate/read-debates.ts'
import { calibratedLearnedPolicy, fitCalibratedTrees } from '../../src/policies/calibrated-learned.ts'
import { mostAction, SCORE_GRID, trainingRisk } from '../../src/policies/training-risk.ts'
import { permutation, seededRandom } from '../../src/random.ts'
import { simulatedDebates } from '../certificate/simulated-debates.ts'
import { fitted } from './fitted.ts'
import { budgetOf, spokenDebate } from './spoken-debates.ts'

const SEED = 7
const train = readDebates(simulatedDebates({ count: 400, seed: 61 }))
const stored = readDebates(simulatedDebates({ count: 100, seed: 62 }))
const rounds = train.debates.flatMap((debate) => debate.rounds.map((round) => ({ round, gold: debate.record.gold })))
const featuresOf = ({ round }: (typeof rounds)[0]) => [
  round.p1,
  round.margin,
  round.entropy,
  round.disagreement,
  round.stability,
]

/** Debates in the order of a permutation, dealt to the folds in turn. */
function foldsByDebate(): Uint8Array {
  const folds = new Uint8Array(rounds.length)
  for (const [at, row] of permutation(400, seededRandom(SEED)).entries()) folds.fill(at % 5, row * 3, row * 3 + 3)
  return folds
}

describe('the policy', () => {
  const correct = Uint8Array.from(rounds, ({ round, gold }) => (round.prediction === gold ? 1 : 0))
  const features = Float64Array.from(rounds.flatMap(featuresOf))
  const trees = fitCalibratedTrees({ features, columns: 5, correct, folds: foldsByDebate() })!

  test('tunes on scores out of fold and acts on those of the model of all rows', () => {
    const scores = { rows: 400, rounds: 3, scores: trees.outOfFold, correct }
    const threshold = mostAction(trainingRisk(scores, SCORE_GRID), SCORE_GRID, 0.1)!
    const found = fitted(calibratedLearnedPolicy, train, { seed: SEED }).replay(stored).at(budgetOf(0.1))
    expect(found.threshold).toBe(threshold)
    const acts = stored.debates.map((debate) =>
      debate.rounds.findIndex(
        (round) => trees.predict(Float64Array.from(featuresOf({ round, gold: null }))) >= threshold,
      ),
    )
    expect([...found.actedAt]).toEqual(acts.map((at) => at + 1))
  })

  test('another seed deals other folds', () => {
    const at = (seed: number) => fitted(calibratedLearnedPolicy, train, { seed }).at(budgetOf(0.1)).threshold
    expect(at(SEED)).toBe(at(SEED))
    expect(new Set([1, 2, 3, 4, 5].map(at)).size).toBeGreaterThan(1)
  })
})

test('runs of one question share a fold: two questions with labels of one kind each cannot be crossed', () => {
  const runs = (question: string, gold: string) =>
    Array.from({ length: 30 }, (_, run) => spokenDebate(`${question}#${run}`, gold, ['A', 0.5 + run / 100]))
  const twoQuestions = readDebates([...runs('easy', 'A'), ...runs('hard', 'C')])
  const found = calibratedLearnedPolicy.fit(twoQuestions, { seed: 1, questionOf: (id) => id.split('#')[0]! })
  expect(found).toEqual({ kind: 'unfit', reason: expect.stringContaining('both kinds') })
  expect(calibratedLearnedPolicy.fit(twoQuestions, { seed: 1 }).kind).toBe('fitted')
})
