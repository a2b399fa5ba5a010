import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPanel, createServer, openStore, type PanelOptions, type PanelQuestion } from 'quorate'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { FunctionModel } from '../../src/model/function-model.ts'
import { openCertified } from '../../src/run/calibration/certified.ts'
import type { Store } from '../../src/store/store.ts'
import { timerSleep } from '../../src/traffic/timer-sleep.ts'
import { AGENTS, simulatedQuestions } from '../run/sample-panel.ts'
import { temporaryFolder } from '../store/temporary-folder.ts'

const CONFIG = {
  panel: { rounds: 2, agents: AGENTS.map((name) => ({ name, model: `simulated/${name}` })) },
  budget: { beta: 0.2 },
  certificate: { profile: 'cells' },
  review: { spotCheckRate: 1 },
} satisfies PanelOptions['config']

const LABELLED = simulatedQuestions(200)
const FRESH = simulatedQuestions(30, { from: 200 })

/** Created once, because it does not change. */
let certificate: { readonly file: string }
beforeAll(async () => {
  const store = await openStore('sqlite::memory:')
  const panel = await createPanel({ config: CONFIG, store })
  const { runId } = await panel.run(LABELLED, { kind: 'debate' })
  certificate = await panel.calibrate(runId)
  await panel.close()
  await store.close()
})

async function memoryStore(): Promise<Store> {
  const store = await openStore('sqlite::memory:')
  onTestFinished(() => store.close())
  return store
}

async function panelOf(options: Partial<PanelOptions> & Pick<PanelOptions, 'store'>) {
  const panel = await createPanel({ config: CONFIG, certificate, ...options })
  onTestFinished(() => panel.close())
  return panel
}

function unlabelled(index: number): PanelQuestion {
  const { id, question, options } = FRESH[index] ?? { id: '', question: '', options: [] }
  return { id, question, options: Object.fromEntries(options.map(({ name, text }) => [name, text])) }
}

test('a store in the default folder is kept out of git, as by the commands', async () => {
  const folder = join(temporaryFolder(), '.quorate')
  const store = await openStore(`sqlite:${join(folder, 'quorate.db')}`)
  await store.close()
  expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('*\n')
})

describe('many questions', () => {
  test('are debated, and used for calibration', async () => {
    const store = await memoryStore()
    const panel = await createPanel({ config: CONFIG, store })
    const ended: number[] = []
    const onProgress = (progress: { readonly ended: number }) => void ended.push(progress.ended)
    const { runId, tally, halt } = await panel.run(LABELLED, { kind: 'debate', onProgress })
    expect([tally.statuses.done, halt, ended.at(-1)]).toEqual([200, null, 200])
    const made = await panel.calibrate(runId)
    expect(made).toMatchObject({ debates: 200, canAct: true, file: certificate.file })
    expect((await store.certificates.find(made.id))?.file).toBe(made.file)
    await panel.close()
  })

  test('are decided like by the command, with review items, from any iterable', async () => {
    const store = await memoryStore()
    const panel = await panelOf({ store })
    async function* arriving() {
      yield* FRESH
    }
    const { tally, runId } = await panel.run(arriving(), { kind: 'decide' })
    expect(tally.statuses.done).toBe(30)
    expect(tally.acted).toBeGreaterThan(0)
    expect(await store.reviews.counts({ reviewer: 'ann', since: 0 })).toMatchObject({ waiting: 30 })
    const again = await panel.run(FRESH, { kind: 'decide', resume: { id: runId.slice(0, 13) } })
    expect([again.runId, again.spend.calls.answered]).toEqual([runId, (await store.calls.spend(runId)).calls.answered])
  })

  test('are stopped by their signal, and resumed', async () => {
    const store = await memoryStore()
    const panel = await panelOf({ store })
    const stop = new AbortController()
    const onProgress = () => stop.abort()
    const halted = await panel.run(FRESH, { kind: 'decide', onProgress, signal: stop.signal })
    expect(halted.halt).toBe('interrupted')
    const resumed = await panel.run(FRESH, { kind: 'decide', resume: 'latest' })
    expect([resumed.runId, resumed.tally.statuses.pending]).toEqual([halted.runId, 0])
  })

  test('are refused with an error that names place and field', async () => {
    const panel = await panelOf({ store: await memoryStore() })
    const [first] = FRESH
    await expect(panel.run(first === undefined ? [] : [first, first], { kind: 'debate' })).rejects.toThrow(
      'questions[1]: id must be a unique id: questions[0] has the same',
    )
    await expect(panel.run([{ id: 'q', question: 'Which?', options: ['A'] }], { kind: 'debate' })).rejects.toThrow(
      'questions[0]: options must be',
    )
  })
})

describe('one question', () => {
  test('is decided once under its id, in this process and in the next', async () => {
    const store = await memoryStore()
    const panel = await panelOf({ store })
    const [first, at, same] = await Promise.all([0, 1, 0].map((index) => panel.decide(unlabelled(index))))
    expect(same).toEqual(first)
    expect(at?.runId).toBe(first?.runId)
    const runId = first?.runId ?? ''
    const paid = (await store.calls.spend(runId)).calls.answered
    await panel.close()
    const next = await panelOf({ store })
    expect((await next.decide(unlabelled(0))).id).toBe(first?.id)
    expect((await store.calls.spend(runId)).calls.answered).toBe(paid)
    await expect(next.decide({ ...unlabelled(0), question: 'Another one?' })).rejects.toThrow(
      'was used before for another question. question must be the same as before under this id',
    )
  })

  test('is acted on with its bound, or deferred with a reason in words and an item of the queue', async () => {
    const store = await memoryStore()
    const panel = await panelOf({ store })
    const decisions = await Promise.all(FRESH.map((_, index) => panel.decide(unlabelled(index))))
    const [acted, deferred] = [
      decisions.find(({ kind }) => kind === 'act'),
      decisions.find(({ kind }) => kind === 'defer'),
    ]
    if (acted?.kind !== 'act' || deferred?.kind !== 'defer') throw new Error('expected both kinds')
    expect(acted.bound).toBeGreaterThanOrEqual(acted.threshold)
    expect(acted).not.toHaveProperty('reviewId')
    expect(deferred.reasonText).toMatch(/\w+ \w+/)
    expect(await store.reviews.find(deferred.reviewId ?? '')).toMatchObject({ questionId: deferred.questionId })
  })

  test('reaches the rules of the config with its fields or the columns of its row', async () => {
    const store = await memoryStore()
    const config = { ...CONFIG, alwaysReview: [{ when: { field: 'amount', above: 1000 } }] }
    const panel = await panelOf({ store, config })
    const [, , row] = FRESH
    if (row === undefined) throw new Error('expected questions')
    const reasonOf = async (question: PanelQuestion) => {
      const decision = await panel.decide(question)
      return decision.kind === 'defer' ? decision.reason : null
    }
    expect(await reasonOf({ ...unlabelled(0), fields: { amount: 5000 } })).toBe('always-review')
    expect(await reasonOf({ ...unlabelled(1), fields: { amount: 12 } })).not.toBe('always-review')
    // Of two columns with the same title, the rules read the first, as in a run.
    const columns = [
      ['amount', '12'],
      ['amount', '5000'],
    ] as const
    expect(await reasonOf({ ...row, gold: null, columns })).not.toBe('always-review')
    expect(await reasonOf(unlabelled(3))).toBe('always-review')
  })

  test('that was used for calibration is refused, unless that is allowed', async () => {
    const [seen] = LABELLED
    if (seen === undefined) throw new Error('expected questions')
    const panel = await panelOf({ store: await memoryStore() })
    await expect(panel.decide(seen)).rejects.toThrow('was used for calibration')
    const allowing = await panelOf({ store: await memoryStore(), allowSeen: true })
    expect((await allowing.decide(seen)).questionId).toBe(seen.id)
  })

  test('needs a certificate, and the error says how to get one', async () => {
    const store = await memoryStore()
    const panel = await createPanel({ config: CONFIG, store })
    const words = /needs a certificate to decide: .*panel\.calibrate\(runId\).*createPanel\(\{ certificate \}\)/
    await expect(panel.decide(unlabelled(0))).rejects.toThrow(words)
    await expect(panel.run(FRESH, { kind: 'decide' })).rejects.toThrow(words)
    await panel.close()
    await expect(panel.decide(unlabelled(0))).rejects.toThrow('the panel is closed')
    expect(await store.runs.list(1)).toEqual([])
  })

  test('stays in the store when its caller stops waiting', async () => {
    const store = await memoryStore()
    const panel = await panelOf({ store })
    const stop = new AbortController()
    const asked = panel.decide(unlabelled(0), { signal: stop.signal })
    stop.abort()
    await expect(asked).rejects.toThrow()
    expect((await panel.decide(unlabelled(0))).questionId).toBe(FRESH[0]?.id)
  })
})

/** A back-off takes no time, but the time limit of a debate does. */
async function shortSleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (milliseconds >= 60_000) await timerSleep(milliseconds, signal)
}

describe('a panel', () => {
  test('is created from a config file and a certificate file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quorate-panel-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(join(folder, 'quorate.config.json'), JSON.stringify(CONFIG))
    writeFileSync(join(folder, 'certificate.json'), certificate.file)
    const store = await openStore(`sqlite:${join(folder, 'own.db')}`)
    const files = { config: join(folder, 'quorate.config.json'), certificate: join(folder, 'certificate.json') }
    const panel = await createPanel({ ...files, store, env: {} })
    expect(await panel.decide(unlabelled(0))).toMatchObject({ certificateId: openCertified(certificate.file).id })
    await panel.close()
    await store.close()
  })

  test('refuses an invalid config by its key, and a certificate of another budget by both budgets', async () => {
    const store = await memoryStore()
    const wrong = { ...CONFIG, budget: { beta: 2 } }
    await expect(createPanel({ config: wrong, store })).rejects.toThrow('config: budget.beta must be a number above 0')
    const other = { ...CONFIG, budget: { beta: 0.3 } }
    await expect(createPanel({ config: other, store, certificate })).rejects.toThrow(
      'the certificate was made for beta 0.2',
    )
  })

  test('accepts functions as models, and retries them when they fail', async () => {
    const store = await memoryStore()
    const asked: string[] = []
    const own: FunctionModel = async ({ messages }) => {
      asked.push(messages.at(-1)?.content ?? '')
      if (asked.length === 1) throw new Error('not now')
      return 'B'
    }
    const config = {
      panel: { rounds: 1, beliefs: 'vote', agents: [{ name: 'ada', model: 'function/own' }] },
      budget: { beta: 0.2 },
      prices: { 'function/own': { inputUsdPerMillion: 0, outputUsdPerMillion: 0 } },
    } satisfies PanelOptions['config']
    await expect(createPanel({ config, store })).rejects.toThrow('Pass createPanel({ models: { "own": ... } })')
    const { prices: _, ...unpriced } = config
    await expect(createPanel({ config: unpriced, store, models: { own } })).rejects.toThrow('must have a price')
    const panel = await createPanel({ config, store, models: { own }, world: { sleep: shortSleep } })
    const question = { id: 'q', question: 'Which?', options: ['A', 'B'] }
    const { runId, tally } = await panel.run([question], { kind: 'debate' })
    await panel.close()
    expect([tally.statuses.done, asked.length]).toEqual([1, 2])
    expect(JSON.parse((await store.debates.find(runId, 'q'))?.debate ?? '{}').rounds[0]).toMatchObject([
      { answer: 'B' },
    ])
  })
})

describe('a server', () => {
  test('shares its services with the panel', async () => {
    const store = await memoryStore()
    const panel = await panelOf({ store })
    const server = await createServer({ panel, port: 0 })
    expect(new URL(server.url).hostname).toBe('127.0.0.1')
    const decision = await panel.decide(unlabelled(0))
    const found = await fetch(`${server.url}v1/decisions/${decision.id}`)
    expect(await found.json()).toMatchObject({ questionId: decision.questionId })
    await expect(createServer({ panel, port: 0 })).rejects.toThrow('the panel has a server already')
    await server.close()
    await expect(fetch(server.url)).rejects.toThrow()
    expect((await panel.decide(unlabelled(0))).id).toBe(decision.id)
    await expect(createServer({ panel, port: 0 })).rejects.toThrow('must come before the first panel.decide')
  })

  test('closes with its panel, and needs a token off loopback', async () => {
    const panel = await createPanel({ config: CONFIG, store: await memoryStore(), certificate })
    await expect(createServer({ panel, host: '0.0.0.0', port: 0 })).rejects.toThrow('no valid token exists')
    const server = await createServer({ panel, port: 0 })
    await panel.close()
    await expect(fetch(server.url)).rejects.toThrow()
  })
})
