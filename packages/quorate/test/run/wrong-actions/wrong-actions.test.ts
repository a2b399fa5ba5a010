import { type Debate, decide } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { sized } from '../../../../../tools/lane.ts'
import { decisionsOf } from '../../../src/run/pages.ts'
import { newStore } from '../../store/store-under-test.ts'
import { all, runWorld } from '../run-world.ts'
import {
  certifiedFromDebates,
  debatesOf,
  directVerdicts,
  meantDebates,
  samples,
  type TrialResult,
  tryOut,
} from './wrong-actions.ts'
import { type KnownResult, type KnownTrial, tryKnown } from './wrong-actions-known.ts'

const BUDGET = { beta: 0.1, delta: 0.03, epsilon: 0.02 }
const TEN_SEEDS = Array.from({ length: 10 }, (_, index) => index + 1)
const SEEDS = TEN_SEEDS.slice(0, sized({ short: 3, full: 10 }))
/** Quantiles of Student's t for 95 %, by the number of seeds, which is one more than the degrees of freedom. */
const STUDENT: Readonly<Record<number, number>> = { 3: 4.303, 10: 2.262 }
/** Labelled questions for each seed, and as many new ones. */
const QUESTIONS = sized({ short: 1000, full: 2000 })
const KNOWN_TRIALS = sized({ short: 20, full: 40 })

/** One after the other, so that only the debates of one trial are in memory. */
async function eachOf<Trial, Result>(trials: readonly Trial[], trying: (trial: Trial) => Promise<Result>) {
  const results: Result[] = []
  for (const trial of trials) results.push(await trying(trial))
  return results
}

/** Mean of a share over the trials, with its standard error. */
function meanOf<Result>(results: readonly Result[], share: (result: Result) => number) {
  const shares = results.map(share)
  const mean = shares.reduce((sum, value) => sum + value, 0) / shares.length
  const squares = shares.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, sigma: Math.sqrt(squares / (shares.length - 1) / shares.length) }
}

/** The same over the seeds, with its interval. */
function intervalOf(results: readonly TrialResult[], count: (result: TrialResult) => number) {
  const { mean, sigma } = meanOf(results, (result) => count(result) / result.decided)
  const half = (STUDENT[results.length] ?? Number.NaN) * sigma
  return { mean, lower: mean - half, upper: mean + half }
}

describe('over several seeds, with thousands of labelled and new questions', () => {
  test('the mean share of wrong actions is within the budget, while most questions are acted on', async () => {
    const results = await eachOf(
      SEEDS.map((seed) => ({ seed, count: QUESTIONS, budget: BUDGET })),
      tryOut,
    )
    const wrong = intervalOf(results, (result) => result.wrong)
    const acted = intervalOf(results, (result) => result.acted)
    const text = ({ mean, lower, upper }: typeof wrong) =>
      `${(100 * mean).toFixed(2)} % [${(100 * lower).toFixed(2)}, ${(100 * upper).toFixed(2)}]`
    process.stdout.write(`wrong actions at beta = 0.1: ${text(wrong)}; acted on ${text(acted)}\n`)
    expect(results.map(({ decided }) => decided)).toEqual(SEEDS.map(() => QUESTIONS))
    expect(wrong.mean).toBeLessThanOrEqual(BUDGET.beta)
    expect(wrong.upper).toBeLessThanOrEqual(BUDGET.beta)
    expect(wrong.mean).toBeGreaterThan(0)
    expect(acted.lower).toBeGreaterThan(0.4)
  })
})

test('the companion: with the threshold of a budget of 0.6, more than 0.1 of them are wrong', async () => {
  const budget = { ...BUDGET, beta: 0.6 }
  const results = await eachOf(
    TEN_SEEDS.map((seed) => ({ seed, count: 300, budget })),
    tryOut,
  )
  expect(intervalOf(results, (result) => result.wrong).lower).toBeGreaterThan(BUDGET.beta)
})

/** Quantile of the normal distribution that is exceeded once in a thousand times. */
const RARE = 3.09

describe('a panel with known truth', () => {
  const ON_THE_LINE = 1 - (BUDGET.beta - BUDGET.delta)
  const trials = (count: number, trial: Pick<KnownTrial, 'count' | 'chance' | 'copies' | 'texts'>) =>
    Array.from({ length: count }, (_, index) => ({ seed: index + 1, budget: { ...BUDGET, epsilon: 0 }, ...trial }))
  const small = { count: 150, chance: ON_THE_LINE }

  test.each([
    ['once', { copies: 1, texts: 'one' }],
    ['in five runs each, of which one is counted', { copies: 5, texts: 'one' }],
  ] as const)('has a bound above the truth with probability delta at most: questions asked %s', async (_, copied) => {
    const { mean, sigma } = meanOf(await eachOf(trials(KNOWN_TRIALS, { ...small, ...copied }), tryKnown), tooHighOf)
    expect(mean).toBeLessThanOrEqual(BUDGET.delta + RARE * sigma)
  })

  test('the companion: with every labelled debate counted ten times, the bounds are too high', async () => {
    const copied = { copies: 10, texts: 'several' } as const
    const { mean, sigma } = meanOf(await eachOf(trials(KNOWN_TRIALS, { ...small, ...copied }), tryKnown), tooHighOf)
    expect(mean - RARE * sigma).toBeGreaterThan(BUDGET.delta)
  })

  test('acts wrongly nearly as often as alpha allows if it is just good enough, and never more often than beta', async () => {
    const close = {
      count: sized({ short: 3000, full: 5000 }),
      chance: ON_THE_LINE + 0.015,
      copies: 1,
      texts: 'one',
    } as const
    const results = await eachOf(trials(sized({ short: 4, full: 8 }), close), tryKnown)
    const wrong = meanOf(results, (result) => result.wrong)
    const tooHigh = meanOf(results, tooHighOf)
    expect(wrong.mean).toBeGreaterThan(0.5 * (BUDGET.beta - BUDGET.delta))
    expect(wrong.mean + RARE * wrong.sigma).toBeLessThanOrEqual(BUDGET.beta)
    expect(tooHigh.mean).toBeLessThanOrEqual(BUDGET.delta + RARE * tooHigh.sigma)
  })
})

/** Share of all debates with a bound above the truth of their cell. */
function tooHighOf({ tooHigh }: KnownResult): number {
  return tooHigh
}

/** Answers and confidences of all agents, round by round. */
function given({ rounds }: Debate) {
  return rounds.map((turns) => turns.map(({ agent, answer, conf }) => [agent, answer, conf?.verbal ?? null]))
}

test('decisions without texts, or without a store, equal those of a run: verdicts, bounds and arithmetic', async () => {
  const trial = { seed: 3, count: sized({ short: 100, full: 150 }), budget: { ...BUDGET, beta: 0.35 } }
  const { plan, ask, models, labelled, fresh } = samples(trial)
  const store = await newStore()
  const debated = await runWorld({ store, plan: { ...plan, kind: 'debate' }, questions: labelled, models })
  const debates = await debatesOf(labelled, { plan, ask })
  const stored = await store.debates.list(debated.runId, { after: null, limit: 1000 })
  const byId = new Map(stored.map(({ questionId, debate }) => [questionId, JSON.parse(debate)]))
  expect(debates.map(({ id }) => byId.get(id))).toEqual(JSON.parse(JSON.stringify(debates)))
  expect(meantDebates(labelled).map(given)).toEqual(debates.map(given))
  const certified = await certifiedFromDebates(debates, trial)
  const verdicts = await directVerdicts(fresh, { plan, ask, certified })
  const { runId } = await runWorld({ store, plan, questions: fresh, certified, models })
  const decisions = (await all(decisionsOf(store, runId))).map(({ decision }) => JSON.parse(decision))
  expect(decisions.length).toBe(trial.count)
  expect(decisions.some(({ kind }) => kind === 'act')).toBe(true)
  const meant = await certifiedFromDebates(meantDebates(labelled), trial)
  const again = new Map(meantDebates(fresh).map((debate) => [debate.id, decide(meant.certificate, debate)]))
  for (const { questionId, kind, answer, bound, reason, path } of decisions) {
    const verdict = verdicts.get(questionId)
    expect(again.get(questionId)).toEqual(verdict)
    const given = verdict?.kind === 'act' ? [verdict.answer, verdict.bound, null] : [null, null, verdict?.reason]
    expect([kind, answer, bound, reason]).toEqual([verdict?.kind, ...given])
    expect(path).toEqual(JSON.parse(JSON.stringify(verdict?.path)))
  }
})
