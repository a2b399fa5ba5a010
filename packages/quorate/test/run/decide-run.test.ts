import { calibrate, type Debate, decide, replay } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { ModelError } from '../../src/model/model-error.ts'
import type { DecisionRecord } from '../../src/record/decision.ts'
import { exportLines } from '../../src/run/exchange/export-lines.ts'
import { decisionsOf } from '../../src/run/pages.ts'
import type { Store } from '../../src/store/store.ts'
import { newStore } from '../store/store-under-test.ts'
import {
  all,
  certifiedOf,
  countedModels,
  debatesFrom,
  runWorld,
  samplePlan,
  sharedCertified,
  simulatedQuestions,
} from './run-world.ts'

const MANY = simulatedQuestions(160)
const LABELLED = MANY.slice(0, 120)
const FRESH = simulatedQuestions(24, { from: 160 })
const DECIDE = samplePlan({ kind: 'decide' })

const shared = () => sharedCertified(LABELLED)

async function recordsOf(store: Store, runId: string): Promise<readonly DecisionRecord[]> {
  return (await all(decisionsOf(store, runId))).map(({ decision }) => JSON.parse(decision))
}

async function reviewsOf(store: Store) {
  return store.reviews.list({ after: null, limit: 1000 })
}

async function exported(store: Store, runId: string): Promise<readonly Debate[]> {
  const run = await store.runs.find(runId)
  if (run === null) throw new Error('the run is gone')
  return (await all(exportLines(store, run, 'debates'))).map((line) => JSON.parse(line))
}

describe('parity', () => {
  let made: ReturnType<typeof debated> | null = null

  /** The debates for both profiles, which are made once. */
  async function debated() {
    const store = await newStore()
    const calibrated = await debatesFrom(store, MANY)
    const [calibration] = await store.runs.list(1)
    const full = await runWorld({ store, plan: samplePlan(), questions: FRESH })
    return {
      calibrated,
      labelled: await exported(store, calibration?.id ?? ''),
      debates: await exported(store, full.runId),
    }
  }

  test.each([
    ['cells', 0.2],
    ['tight', 0.5],
  ] as const)(
    '%s: the decisions and bounds of a run are those of the certificate on the exported debates',
    async (profile, beta) => {
      made ??= debated()
      const { calibrated, labelled, debates } = await made
      const budget = { beta, delta: 0.03, epsilon: 0.02 }
      const certified = certifiedOf(calibrated, { profile, budget })
      const again = calibrate(labelled, { profile, budget, beliefs: 'stated' })
      const store = await newStore()
      const decided = await runWorld({ store, plan: DECIDE, questions: FRESH, certified })
      const { bounds, actedAt } = replay(again, debates).at(budget)
      const records = new Map((await recordsOf(store, decided.runId)).map((record) => [record.questionId, record]))
      expect(records.size).toBe(FRESH.length)
      expect(decided.tally.acted).toBeGreaterThan(0)
      for (const [row, debate] of debates.entries()) {
        const record = records.get(debate.id)
        expect(record?.kind === 'act' ? record.round : 0).toBe(actedAt[row])
        for (const step of record?.path ?? []) expect(step.lower ?? Number.NaN).toBe(bounds[row * 4 + step.round - 1])
        const whole = decide(again, debate)
        expect(record?.path).toEqual(JSON.parse(JSON.stringify(whole.path)))
      }
    },
  )
})

describe('a run that decides', () => {
  test('makes only the calls that its decisions and its spot checks need', async () => {
    const store = await newStore()
    const certified = await shared()
    const plan = samplePlan({ kind: 'decide', spotCheckRate: 0.3 })
    const { models, asked } = countedModels()
    const { runId, spend } = await runWorld({ store: store, plan, questions: FRESH, certified, models })
    const records = await recordsOf(store, runId)
    const sampled = records.filter(({ isSpotCheck }) => isSpotCheck)
    expect(sampled.length).toBeGreaterThan(3)
    const rounds = records.reduce((sum, { isSpotCheck, path }) => sum + (isSpotCheck ? 4 : path.length), 0)
    const reminders = (await store.calls.list(runId, { after: null, limit: 2000 })).filter((call) => call.isReminder)
    expect(spend.calls.answered).toBe(3 * rounds + reminders.length)
    expect(asked.length).toBe(spend.calls.answered)
    const debates = await store.debates.list(runId, { after: null, limit: 100 })
    for (const { questionId, isSpotCheck, path, debate } of records) {
      expect(debates.find((debated) => debated.questionId === questionId)?.rounds).toBe(isSpotCheck ? 4 : path.length)
      expect(debate.rounds.length).toBe(path.length)
    }
  })

  test('asks a person about deferrals and, whatever was decided, about sampled questions', async () => {
    const store = await newStore()
    const certified = await shared()
    const plan = samplePlan({ kind: 'decide', spotCheckRate: 0.3 })
    const { runId } = await runWorld({ store, plan, questions: FRESH, certified })
    const wanted = (await recordsOf(store, runId)).flatMap(({ questionId, isSpotCheck, kind, reason }) =>
      isSpotCheck || kind === 'defer' ? [{ questionId, reason, source: isSpotCheck ? 'spot-check' : 'deferral' }] : [],
    )
    expect(await reviewsOf(store)).toMatchObject(wanted)
  })

  test('in shadow decides the same and asks for no review', async () => {
    const store = await newStore()
    const certified = await shared()
    const open = await runWorld({ store, plan: DECIDE, questions: FRESH, certified })
    const before = await reviewsOf(store)
    const shadow = await runWorld({ store, plan: { ...DECIDE, isShadow: true }, questions: FRESH, certified })
    expect(await reviewsOf(store)).toEqual(before)
    expect(shadow.tally).toEqual(open.tally)
    expect((await recordsOf(store, shadow.runId)).every(({ isShadow }) => isShadow)).toBe(true)
  })

  test('defers for a failure, never as a judgement, and decides when the agent is back', async () => {
    const store = await newStore()
    const certified = await shared()
    const { models } = countedModels(async (agent) => {
      if (agent === 'cleo') throw new ModelError('request', 'no', { charged: 'no' })
    })
    const world = { store, plan: DECIDE, questions: FRESH.slice(0, 5), certified }
    const failed = await runWorld({ ...world, models })
    expect(failed.tally).toMatchObject({ acted: 0, deferred: { 'agent-failure': 5 } })
    const again = await runWorld({ ...world, resume: { kind: 'latest' }, retryErrors: true })
    expect(again.tally.deferred['agent-failure']).toBeUndefined()
    const waiting = (await reviewsOf(store)).filter(({ status }) => status === 'waiting')
    expect(waiting.every(({ reason }) => reason !== 'agent-failure')).toBe(true)
  })

  test('retracts the review of a failure in the commit of the new decision', async () => {
    const store = await newStore()
    const certified = await shared()
    const { models } = countedModels(async (agent) => {
      if (agent === 'cleo') throw new ModelError('request', 'no', { charged: 'no' })
    })
    const world = { store, plan: DECIDE, questions: FRESH.slice(0, 5), certified }
    await runWorld({ ...world, models })
    // The process is killed right after the commit, so none of its later statements reaches the store.
    const settle: Store['decisions']['settle'] = async (settlement) => {
      await store.decisions.settle(settlement)
      throw new Error('killed')
    }
    const lame: Store = { ...store, decisions: { ...store.decisions, settle } }
    const killed = runWorld({ ...world, store: lame, resume: { kind: 'latest' }, retryErrors: true })
    await expect(killed).rejects.toThrow('killed')
    const decided = (await recordsOf(store, (await store.runs.list(1))[0]?.id ?? '')).filter(
      ({ reason }) => reason !== 'agent-failure',
    )
    expect(decided.length).toBeGreaterThan(0)
    for (const { questionId } of decided) {
      const items = (await reviewsOf(store)).filter((item) => item.questionId === questionId)
      expect(items.filter(({ reason }) => reason === 'agent-failure').map(({ status }) => status)).toEqual([
        'retracted',
      ])
    }
  })

  test('has a review item for each deferral after a kill, because both are one commit', async () => {
    const store = await newStore()
    const certified = await shared()
    let settled = 0
    const settle: Store['decisions']['settle'] = async (settlement) => {
      if (++settled > 12) throw new Error('killed')
      return store.decisions.settle(settlement)
    }
    const lame: Store = { ...store, decisions: { ...store.decisions, settle } }
    const world = { plan: DECIDE, questions: FRESH, certified }
    await expect(runWorld({ store: lame, ...world })).rejects.toThrow('killed')
    const [run] = await store.runs.list(1)
    const counts = await store.decisions.counts(run?.id ?? '')
    const before = counts.filter(({ kind }) => kind === 'defer').reduce((sum, { count }) => sum + count, 0)
    expect(await reviewsOf(store)).toHaveLength(before)
    const done = await runWorld({ store, ...world, resume: { kind: 'latest' } })
    const deferred = Object.values(done.tally.deferred).reduce((sum, count) => sum + count, 0)
    expect(await reviewsOf(store)).toHaveLength(deferred)
  })
})

describe('a panel that differs from the calibrated one', () => {
  const other = {
    ...DECIDE,
    panel: {
      ...DECIDE.panel,
      prompts: { ...DECIDE.panel.prompts, firstRound: `${DECIDE.panel.prompts.firstRound}\n` },
    },
  }

  test('defers everything without a call', async () => {
    const store = await newStore()
    const certified = await shared()
    const { models, asked } = countedModels()
    const { tally } = await runWorld({ store, plan: other, questions: FRESH, certified, models })
    expect(tally.deferred).toEqual({ uncalibrated: FRESH.length })
    expect(asked).toEqual([])
  })

  test('decides when it is allowed, and the ledger says so', async () => {
    const store = await newStore()
    const certified = await shared()
    const world = { store, plan: other, questions: FRESH, certified, allow: { allowMismatch: true } }
    const { runId, tally } = await runWorld(world)
    expect(tally.acted).toBeGreaterThan(0)
    const [opened] = await store.ledger.list(runId, { after: 0, limit: 1 })
    expect(JSON.parse(opened?.line ?? '')).toMatchObject({ kind: 'run-opened', body: { mismatch: ['prompts'] } })
    expect((await recordsOf(store, runId)).every(({ mismatch }) => mismatch[0] === 'prompts')).toBe(true)
  })
})

describe('a question among the calibration rows', () => {
  const [first] = LABELLED

  test.each([
    ['by its id', { ...FRESH[0], id: first?.id }],
    ['by what it asks, under another id', { ...first, id: 'another' }],
  ])('is refused before anything is asked, found %s', async (_, question) => {
    const store = await newStore()
    const certified = await shared()
    const { models, asked } = countedModels()
    const questions = [question as (typeof FRESH)[number]] // both are whole questions with another id
    const world = { store, plan: DECIDE, questions, certified, models }
    await expect(runWorld(world)).rejects.toThrow(/used for calibration .*, so the guarantee does not cover/)
    expect(asked).toEqual([])
    const { runId } = await runWorld({ ...world, allow: { allowSeen: true } })
    expect(await recordsOf(store, runId)).toMatchObject([{ isSeen: true }])
  })
})

test('a budget that cannot be met defers everything without a call', async () => {
  const store = await newStore()
  const certified = await sharedCertified(LABELLED, {
    profile: 'paper',
    budget: { beta: 0.0305, delta: 0.03, epsilon: 0 },
  })
  const { models, asked } = countedModels()
  const { tally } = await runWorld({ store, plan: DECIDE, questions: FRESH, certified, models })
  expect(tally.deferred).toEqual({ 'budget-infeasible': FRESH.length })
  expect(asked).toEqual([])
})
