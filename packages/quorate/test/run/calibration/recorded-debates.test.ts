import { writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { readDebateFile } from '../../../src/files/read-debate-file.ts'
import type { Model } from '../../../src/model/model.ts'
import { ModelError } from '../../../src/model/model-error.ts'
import type { Question } from '../../../src/record/question.ts'
import { calibrateRun } from '../../../src/run/calibration/calibrate-run.ts'
import { calibrationDebates } from '../../../src/run/calibration/calibration-debates.ts'
import { makeCertificate } from '../../../src/run/calibration/make-certificate.ts'
import { debatesOfFile, debatesOfRun } from '../../../src/run/calibration/recorded-debates.ts'
import { exportLines } from '../../../src/run/exchange/export-lines.ts'
import { importDebates } from '../../../src/run/exchange/import-debates.ts'
import { decisionsOf } from '../../../src/run/pages.ts'
import type { Run, Store } from '../../../src/store/store.ts'
import { temporaryFolder } from '../../files/temporary-files.ts'
import {
  all,
  certifiedFrom,
  countedModels,
  memoryStore,
  runWorld,
  samplePlan,
  simulatedQuestions,
} from '../run-world.ts'

const BUDGET = { beta: 0.3, delta: 0.03, epsilon: 0 }
const OPTIONS = { profile: 'cells', budget: BUDGET } as const
const plan = samplePlan({ identity: JSON.stringify({ panel: samplePlan().panel }) })
/** Every fourth question. */
const isFourth = (_: Question, index: number) => index % 4 === 0

/** `bob` fails on these questions, from round 2 on or at once. */
function failingModels(questions: readonly Question[], from: 1 | 2 = 2) {
  const texts = questions.map(({ question }) => question)
  const { models } = countedModels()
  const bob = models.get('bob')?.model
  if (bob === undefined) throw new Error('there is no bob')
  const model: Model = {
    ...bob,
    async call(request) {
      const received = request.messages.map(({ content }) => content).join('\n')
      const isLater = received.includes('<reasoning>Round ')
      if ((from === 1 || isLater) && texts.some((text) => received.includes(text))) {
        throw new ModelError('request', 'the answer is too long', { charged: 'no' })
      }
      return bob.call(request)
    },
  }
  return new Map(models).set('bob', { model, insist: false })
}

async function found(store: Store, runId: string): Promise<Run> {
  const run = await store.runs.find(runId)
  if (run === null) throw new Error('the run is gone')
  return run
}

const files = temporaryFolder()

async function exported(store: Store, run: Run): Promise<string> {
  const lines = await all(exportLines(store, run, 'debates'))
  return files.write(`${run.id}.jsonl`, lines.map((line) => `${line}\n`).join(''))
}

/** What a certificate counts. Its id also depends on what is known about the panel. */
async function countedBy(path: string) {
  const read = await calibrationDebates(debatesOfFile(path), { where: path, beliefs: 'stated' })
  const { certified } = makeCertificate(read, OPTIONS)
  return { padded: read.padded, rows: certified.certificate.fingerprint.rows, ids: certified.certificate.ids }
}

describe('a run in which debates fail after round 1', () => {
  async function failedRun() {
    const store = memoryStore()
    const questions = simulatedQuestions(40)
    const failing = questions.filter(isFourth)
    const { runId } = await runWorld({ store, plan, questions, models: failingModels(failing) })
    return { store, runId, failing, questions }
  }

  test('is used for calibration with all of them, from the store and from its exported file alike', async () => {
    const { store, runId, failing } = await failedRun()
    const made = await calibrateRun(store, { runId, options: OPTIONS, beliefs: undefined })
    expect([made.debates, made.padded, made.dropped.failed]).toEqual([40, failing.length, 0])
    const { fingerprint, ids } = made.certified.certificate
    const path = await exported(store, await found(store, runId))
    expect(await countedBy(path)).toEqual({ padded: failing.length, rows: fingerprint.rows, ids })
    const run = await importDebates(store, () => debatesOfFile(path), {
      where: path,
      now: () => 1,
      newId: () => 'import',
    })
    const again = await calibrateRun(store, { runId: run.id, options: OPTIONS, beliefs: 'stated' })
    expect(again.certified.certificate.fingerprint.rows).toBe(fingerprint.rows)
  })

  test('is evaluated without them, and they are counted', async () => {
    const { store, runId, failing } = await failedRun()
    const file = await readDebateFile(await exported(store, await found(store, runId)), { beliefs: 'stated' })
    expect([file.read.debates.length, file.failed, file.unlabelled]).toEqual([30, failing.length, 0])
  })

  test('those that fail in round 1 are left out', async () => {
    const store = memoryStore()
    const questions = simulatedQuestions(20)
    const failing = questions.filter(isFourth)
    const { runId } = await runWorld({ store, plan, questions, models: failingModels(failing, 1) })
    const made = await calibrateRun(store, { runId, options: OPTIONS, beliefs: undefined })
    expect([made.debates, made.padded, made.dropped.failed]).toEqual([15, 0, 5])
    expect(await all(exportLines(store, await found(store, runId), 'debates'))).toHaveLength(15)
  })
})

test('a debate that timed out has a failure, although no agent failed', async () => {
  const store = memoryStore()
  const { runId } = await runWorld({ store, plan, questions: simulatedQuestions(3) })
  const [first] = await store.debates.list(runId, { after: null, limit: 1 })
  if (first === undefined) throw new Error('there is no debate')
  const debate = JSON.parse(first.debate)
  const cut = JSON.stringify({ ...debate, rounds: debate.rounds.slice(0, 2) })
  await store.debates.save({ ...first, debate: cut, rounds: 2, status: 'time-out' })
  const values = (await all(debatesOfRun(store, await found(store, runId)))).map(({ value }) => value)
  expect(values.filter((value) => Object.hasOwn(Object(value), 'failure'))).toEqual([
    { ...JSON.parse(cut), failure: { agent: null, round: 3 } },
  ])
})

test('sampled debates that fail after their decision are kept, unsampled ones are not', async () => {
  const store = memoryStore()
  // With 120 labels, cells allow acting from about this budget on.
  const budget = { beta: 0.4, delta: 0.03, epsilon: 0 }
  const certified = await certifiedFrom(store, simulatedQuestions(120), { budget })
  const fresh = simulatedQuestions(30, { from: 120 })
  const deciding = { ...plan, kind: 'decide', spotCheckRate: 0.5 } as const
  const { runId } = await runWorld({ store, plan: deciding, questions: fresh, certified, models: failingModels(fresh) })
  const run = await found(store, runId)
  const rows = await store.runs.questions(runId, { after: -1, limit: 100 })
  const sampled = rows.filter(({ isSpotCheck }) => isSpotCheck).map(({ questionId }) => questionId)
  const acted = (await all(decisionsOf(store, runId))).filter(({ kind }) => kind === 'act')
  expect(acted.filter(({ questionId }) => sampled.includes(questionId)).length).toBeGreaterThan(0)
  const values = (await all(debatesOfRun(store, run))).map(({ value }) => Object(value))
  expect(values.filter(({ isSpotCheck }) => isSpotCheck !== false).map(({ id }) => id)).toEqual(sampled.toSorted())
  for (const { isSpotCheck, rounds, failure } of values) {
    if (isSpotCheck !== false) expect([rounds.length, failure]).toMatchObject([1, { agent: 'bob', round: 2 }])
  }
  const path = await exported(store, run)
  const whole = simulatedQuestions(1, { from: 150 })
  const { runId: other } = await runWorld({ store, plan, questions: whole })
  const [line = ''] = await all(exportLines(store, await found(store, other), 'debates'))
  await writeFile(path, `${line}\n`, { flag: 'a' })
  const read = await calibrationDebates(debatesOfFile(path), { where: path, beliefs: 'stated' })
  expect([read.padded, read.dropped.unsampled]).toEqual([sampled.length, rows.length - sampled.length])
})

test('a label of another run does not count, but an imported label counts for every run', async () => {
  const store = memoryStore()
  const questions = simulatedQuestions(4).map((question) => ({ ...question, gold: null }))
  const [{ runId: own }, { runId: other }] = [
    await runWorld({ store, plan, questions }),
    await runWorld({ store, plan, questions }),
  ]
  const [a = '', b = '', c = '', d = ''] = questions.map(({ id }) => id).sort()
  const add = (id: string, questionId: string, label: { runId: string | null; gold: string }) =>
    store.labels.addAll([
      {
        id,
        questionId,
        source: label.runId === null ? 'import' : 'spot-check',
        by: null,
        at: 1,
        ...label,
      },
    ])
  await add('1', a, { runId: other, gold: 'A' })
  await add('2', b, { runId: own, gold: 'B' })
  await add('3', b, { runId: other, gold: 'C' })
  await add('4', c, { runId: null, gold: 'C' })
  await add('5', d, { runId: own, gold: 'A' })
  await add('6', d, { runId: null, gold: 'D' })
  const goldsOf = async (runId: string) =>
    (await all(debatesOfRun(store, await found(store, runId)))).map(({ value }) => Object(value).gold)
  expect(await goldsOf(own)).toEqual([null, 'B', 'C', 'D'])
  expect(await goldsOf(other)).toEqual(['A', 'C', 'C', 'D'])
})
