import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seededRandom } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import type { Store, StoredDecision } from '../../src/store/store.ts'
import type { FakeProvider } from '../fake-provider/fake-provider.ts'
import { checkAccount } from './account.ts'
import { chaosFolder, debateLines, startChaos } from './chaos-panel.ts'
import { SQLITE } from './engines.ts'
import { killMoments, runHere, runKilled } from './killed-command.ts'
import { checkRecords } from './records.ts'

const QUESTIONS = sized({ short: 30, full: 150 })
const KILLS = sized({ short: 3, full: 5 })
const DECIDE = ['decide', 'questions.jsonl', '--certificate', 'certificate.json', '--spot-check-rate', '0.1']
const ARGS = [...DECIDE, '--trust-config', '--json']

test('decisions under kills and faults equal those without them, are once in ledger and queue, and the bundle verifies', async () => {
  const certificate = await makeCertificate()
  const [calm, calmFolder] = await worldOf(certificate, { faultRate: 0, latencyMs: 0 })
  const calmly = await runHere({ folder: calmFolder, args: ARGS })
  expect(calmly.code, calmly.output).toBe(0)
  const expected = await withStore(calmFolder, async (store, runId) => verdictsOf(await decisionsOf(store, runId)))
  const requests = calm.counts().requests
  await calm.close()

  const [fake, folder] = await worldOf(certificate, {})
  const moments = killMoments(KILLS, requests, seededRandom(5))
  const { code, output } = await runKilled({ folder, args: ARGS }, fake, moments)
  expect(code, output).toBe(0)
  const runId = await withStore(folder, async (store, run) => {
    const answered = await checkAccount(store, run, fake)
    await checkRecords(store, run, { questions: QUESTIONS, answered })
    const decisions = await decisionsOf(store, run)
    expect(verdictsOf(decisions)).toEqual(expected)
    expect(new Set(expected.map(({ kind }) => kind))).toEqual(new Set(['act', 'defer']))
    const waiting = decisions.filter(({ kind, decision }) => kind === 'defer' || JSON.parse(decision).isSpotCheck)
    const reviews = await store.reviews.list({ after: null, limit: 2 * QUESTIONS })
    expect(reviews.map(({ questionId }) => questionId).toSorted()).toEqual(
      waiting.map(({ questionId }) => questionId).toSorted(),
    )
    return run
  })
  await fake.close()
  await checkBundle(folder, runId)
})

/** A provider, and a folder with a certificate and questions that it never saw. */
async function worldOf(
  certificate: string,
  options: Parameters<typeof startChaos>[0],
): Promise<readonly [FakeProvider, string]> {
  const fake = await startChaos(options)
  const folder = chaosFolder(fake.url, { questions: QUESTIONS, concurrency: 16 })
  cpSync(certificate, join(folder, 'certificate.json'))
  return [fake, folder]
}

/** A certificate of the panel, whatever the address of the panel is. */
async function makeCertificate(): Promise<string> {
  const folder = chaosFolder('http://127.0.0.1:9', { questions: 1 })
  writeFileSync(join(folder, 'debates.jsonl'), debateLines(600, seededRandom(3)))
  const { code, output } = await runHere({
    folder,
    args: ['calibrate', 'debates.jsonl', '--out', 'certificate.json'],
  })
  expect(code, output).toBe(0)
  return join(folder, 'certificate.json')
}

async function withStore<Used>(folder: string, use: (store: Store, runId: string) => Promise<Used>): Promise<Used> {
  const store = await SQLITE.open(folder)
  const [run, ...others] = await store.runs.list(10)
  expect(others).toEqual([])
  const used = await use(store, run?.id ?? '')
  await store.close()
  return used
}

async function decisionsOf(store: Store, runId: string): Promise<readonly StoredDecision[]> {
  const decisions = await store.decisions.list(runId, { after: null, limit: 2 * QUESTIONS })
  expect(decisions.length).toBe(QUESTIONS)
  return decisions
}

/** The decisions without what differs between runs: each run samples its own spot checks. */
function verdictsOf(decisions: readonly StoredDecision[]) {
  return decisions
    .map(({ questionId, kind, reason, answer, round, decision }) => {
      const { bound, path } = JSON.parse(decision)
      return { questionId, kind, reason, answer, round, bound, path }
    })
    .toSorted((a, b) => Number(a.questionId.slice(1)) - Number(b.questionId.slice(1)))
}

async function checkBundle(folder: string, runId: string): Promise<void> {
  const exported = await runHere({
    folder,
    args: ['export', '--run', runId, '--what', 'bundle', '--out', 'run.bundle', '--json'],
  })
  expect(exported.code, exported.output).toBe(0)
  const { head } = JSON.parse(exported.output)
  const verified = await runHere({ folder, args: ['verify', 'run.bundle', '--head', head, '--json'] })
  expect(verified.code, verified.output).toBe(0)
  expect(JSON.parse(verified.output)).toMatchObject({ kind: 'whole', decisions: QUESTIONS, runId })
  const resumed = readFileSync(join(folder, 'run.bundle'), 'utf8').match(/"kind":"run-resumed"/g)
  expect(resumed).toHaveLength(KILLS)
}
