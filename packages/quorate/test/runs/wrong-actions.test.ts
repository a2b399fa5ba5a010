import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { decisionsOf } from '../../src/runs/pages.ts'
import { newStore } from '../store/store-under-test.ts'
import { all, runWorld } from './run-world.ts'
import {
  certifiedFromDebates,
  directVerdicts,
  heldDebates,
  samples,
  type Trial,
  type TrialResult,
} from './wrong-actions.ts'

const BUDGET = { beta: 0.1, delta: 0.03, epsilon: 0.02 }
const SEEDS = Array.from({ length: 10 }, (_, index) => index + 1)
/** Quantile of Student's t for 95 % and 9 degrees of freedom. */
const STUDENT = 2.262

const run = promisify(execFile)

/** Two processes, as tests have two cores. */
async function tried(trials: readonly Trial[]): Promise<readonly TrialResult[]> {
  const script = join(import.meta.dirname, 'wrong-actions-process.ts')
  const halves = [0, 1].map((rest) => trials.filter((_, index) => index % 2 === rest))
  const told = await Promise.all(
    halves.map((half) => run(process.execPath, ['--conditions=quorate-source', script, JSON.stringify(half)])),
  )
  return told.flatMap(({ stdout }): TrialResult[] => JSON.parse(stdout))
}

/** Mean of a share over the seeds, with its interval. */
function meanOf(results: readonly TrialResult[], count: (result: TrialResult) => number) {
  const shares = results.map((result) => count(result) / result.decided)
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
  const squares = shares.reduce((sum, share) => sum + (share - mean) ** 2, 0)
  const half = STUDENT * Math.sqrt(squares / (shares.length - 1) / shares.length)
  return { mean, lower: mean - half, upper: mean + half }
}

describe('over ten seeds, 2,000 labelled and 2,000 new questions each', () => {
  test('the mean share of wrong actions is within the budget, while most questions are acted on', async () => {
    const results = await tried(SEEDS.map((seed) => ({ seed, count: 2000, budget: BUDGET })))
    const wrong = meanOf(results, (result) => result.wrong)
    const acted = meanOf(results, (result) => result.acted)
    const text = ({ mean, lower, upper }: typeof wrong) =>
      `${(100 * mean).toFixed(2)} % [${(100 * lower).toFixed(2)}, ${(100 * upper).toFixed(2)}]`
    process.stdout.write(`wrong actions at beta = 0.1: ${text(wrong)}; acted on ${text(acted)}\n`)
    expect(results.map(({ decided }) => decided)).toEqual(SEEDS.map(() => 2000))
    expect(wrong.mean).toBeLessThanOrEqual(BUDGET.beta)
    expect(wrong.upper).toBeLessThanOrEqual(BUDGET.beta)
    expect(wrong.mean).toBeGreaterThan(0)
    expect(acted.lower).toBeGreaterThan(0.4)
  }, 600_000)
})

test('the companion: with the line that a budget of 0.6 would allow, more than 0.1 of them are wrong', async () => {
  const budget = { ...BUDGET, beta: 0.6 }
  const results = await tried(SEEDS.map((seed) => ({ seed, count: 300, budget })))
  expect(meanOf(results, (result) => result.wrong).lower).toBeGreaterThan(BUDGET.beta)
})

test('what is decided without a store is what a run decides: the same verdicts, bounds and arithmetic', async () => {
  const trial = { seed: 3, count: 150, budget: { ...BUDGET, beta: 0.2 } }
  const { plan, ask, models, labelled, fresh } = samples(trial)
  const store = await newStore()
  const debated = await runWorld({ store, plan: { ...plan, kind: 'debate' }, questions: labelled, models })
  const debates = await heldDebates(labelled, { plan, ask })
  const stored = await store.debates.list(debated.runId, { after: null, limit: 1000 })
  const byId = new Map(stored.map(({ questionId, debate }) => [questionId, JSON.parse(debate)]))
  expect(debates.map(({ id }) => byId.get(id))).toEqual(JSON.parse(JSON.stringify(debates)))
  const certified = await certifiedFromDebates(debates, trial)
  const verdicts = await directVerdicts(fresh, { plan, ask, certified })
  const { runId } = await runWorld({ store, plan, questions: fresh, certified, models })
  const decisions = (await all(decisionsOf(store, runId))).map(({ decision }) => JSON.parse(decision))
  expect(decisions.length).toBe(150)
  expect(decisions.some(({ kind }) => kind === 'act')).toBe(true)
  for (const { questionId, kind, answer, bound, reason, path } of decisions) {
    const verdict = verdicts.get(questionId)
    const said = verdict?.kind === 'act' ? [verdict.answer, verdict.bound, null] : [null, null, verdict?.reason]
    expect([kind, answer, bound, reason]).toEqual([verdict?.kind, ...said])
    expect(path).toEqual(JSON.parse(JSON.stringify(verdict?.path)))
  }
})
