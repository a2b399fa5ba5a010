import { describe, expect, test } from 'vitest'
import { exportLines } from '../../src/run/exchange/export-lines.ts'
import type { Store } from '../../src/store/store.ts'
import { ledgerTexts } from '../store/rows.ts'
import { newStore } from '../store/store-under-test.ts'
import { all, countedModels, runWorld, samplePlan, sharedCertified, simulatedQuestions } from './run-world.ts'

const LABELLED = simulatedQuestions(120)
const QUESTIONS = simulatedQuestions(4, { from: 120 })
const TARGET = QUESTIONS[1] ?? { id: '', question: '' }

/** Models that redact the question during their n-th call about it. */
function redacting(store: Store, place: number) {
  let about = 0
  const counted = countedModels(async (_, call) => {
    if (!counted.asked[call - 1]?.question.includes(TARGET.question)) return
    if (++about === place) await store.redact(TARGET.id)
  })
  return counted
}

/** Everything about the run in the store, as text. */
async function everything(store: Store, runId: string): Promise<string> {
  const run = await store.runs.find(runId)
  if (run === null) throw new Error('the run is gone')
  const page = { after: null, limit: 1000 }
  const ledger = await store.ledger.list(runId, { after: 0, limit: 1000 })
  const texts = await Promise.all(ledger.map(({ sequence }) => ledgerTexts(store, runId, sequence)))
  const calls = await store.calls.list(runId, page)
  const debates = await all(exportLines(store, run, 'debates'))
  const questions = await store.runs.questions(runId, { ...page, after: -1 })
  return JSON.stringify([run, questions, calls, debates, await store.decisions.list(runId, page), ledger, texts])
}

describe('a question that is redacted while it is debated', () => {
  test('in the first round is recorded as an error, none of its text is stored again, and the run continues', async () => {
    const store = await newStore()
    const { models } = redacting(store, 1)
    const { runId, tally, halt } = await runWorld({ store, plan: samplePlan(), questions: QUESTIONS, models })
    expect({ halt, statuses: tally.statuses }).toMatchObject({
      halt: null,
      statuses: { done: 3, error: 1, pending: 0 },
    })
    expect(await everything(store, runId)).not.toContain(TARGET.question)
    const calls = (await store.calls.list(runId, { after: null, limit: 99 })).filter(
      (call) => call.questionId === TARGET.id,
    )
    expect(calls.length).toBeLessThanOrEqual(3)
    expect(calls.every(({ reply, state }) => reply === null && state === 'answered')).toBe(true)
  })

  test('during its last call is kept without its texts', async () => {
    const { models: undisturbed, asked } = countedModels()
    await runWorld({ store: await newStore(), plan: samplePlan(), questions: QUESTIONS, models: undisturbed })
    const last = asked.filter(({ question }) => question.includes(TARGET.question)).length
    const store = await newStore()
    const { models } = redacting(store, last)
    const { runId, tally } = await runWorld({ store, plan: samplePlan(), questions: QUESTIONS, models })
    expect(tally.statuses).toMatchObject({ done: 4, error: 0 })
    expect(await everything(store, runId)).not.toContain(TARGET.question)
    const stored = await store.debates.find(runId, TARGET.id)
    const turns: { text: unknown; answer: unknown }[] = JSON.parse(stored?.debate ?? '').rounds.flat()
    expect(turns.map(({ text }) => text)).toEqual(Array(12).fill(null))
    expect(turns.some(({ answer }) => typeof answer === 'string')).toBe(true)
  })

  test('and decided keeps no text in the ledger either', async () => {
    const store = await newStore()
    // The certificate may act, so the panel is asked.
    const budget = { beta: 0.4, delta: 0.03, epsilon: 0 }
    const certified = await sharedCertified(LABELLED, { budget })
    const { models } = redacting(store, 3)
    const plan = samplePlan({ kind: 'decide' })
    const { runId, tally } = await runWorld({ store, plan, questions: QUESTIONS, models, certified })
    expect(tally.statuses.pending).toBe(0)
    expect(await everything(store, runId)).not.toContain(TARGET.question)
  })
})

describe('a run with a redacted question', () => {
  test('is found and resumed, and asks the others', async () => {
    const store = await newStore()
    const stop = new AbortController()
    const world = { store, plan: samplePlan(), questions: QUESTIONS }
    const { models } = countedModels(async () => stop.abort())
    const halted = await runWorld({ ...world, models, tools: { stopping: stop.signal } })
    expect(halted.halt).toBe('interrupted')
    await store.redact(TARGET.id)
    const resumed = await runWorld({ ...world, resume: { kind: 'latest' } })
    expect(resumed).toMatchObject({ runId: halted.runId, tally: { statuses: { done: 3, error: 1 } } })
  })
})

test('resuming with another text of a question is refused', async () => {
  const store = await newStore()
  const world = { store, plan: samplePlan() }
  await runWorld({ ...world, questions: QUESTIONS })
  const changed = QUESTIONS.map((question) => ({ ...question, question: `${question.question} Really?` }))
  const again = runWorld({ ...world, questions: changed, resume: { kind: 'latest' } })
  await expect(again).rejects.toThrow('it has another file of questions')
})
