import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seededRandom } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import { chaosFolder, debateLines, startChaos } from '../chaos/chaos-panel.ts'
import { privatePostgres } from '../store/private-postgres.ts'
import { temporaryFolder } from '../store/temporary-folder.ts'
import { type Place, runHere, startFleet } from './fleet.ts'

const postgres = await privatePostgres()
const QUESTIONS = sized({ short: 30, full: 60 })
const WORKERS = sized({ short: 2, full: 3 })
const DECIDE = [
  'decide',
  'questions.jsonl',
  '--certificate',
  'certificate.json',
  '--spot-check-rate',
  '0.1',
  '--seed',
  '11',
]

if (postgres.kind === 'absent') {
  test.skip(`decisions of several workers: ${postgres.reason}`, () => {})
} else {
  test('workers among faults decide as one undisturbed process does: answers, bounds, paths; the bundle verifies', async () => {
    const alone = await worldOf({ faultRate: 0, latencyMs: 0 })
    const single = { folder: alone.folder, store: 'sqlite:store.db' }
    const decided = await runHere(single, [...DECIDE, '--trust-config', '--json'])
    expect(decided.code, decided.output).toBe(0)
    const expected = await verdictsOf(single, jsonOf(decided.output).runId)
    await alone.fake.close()

    const { fake, folder } = await worldOf({ seed: 21 })
    const { url } = await postgres.freshUrl()
    const place = { folder, store: url }
    const fleet = startFleet({ ...place, workers: WORKERS, args: ['--seed', '11', '--spot-check-rate', '0.1'] })
    const queued = await runHere(place, [...DECIDE, '--detach', '--json'])
    expect(queued.code, queued.output).toBe(0)
    const { runId } = jsonOf(queued.output)
    const store = await openPostgres(url, { now: () => 0, connections: 1 })
    const status = async () => (await store.runs.find(runId))?.status
    await expect.poll(status, { interval: 100 }).toBe('done')
    await store.close()
    expect(await fleet.stop(), fleet.output()).toEqual(Array(WORKERS).fill(0))
    await fake.close()

    expect(await verdictsOf(place, runId)).toEqual(expected)
    expect(new Set(expected.map(({ kind }) => kind))).toEqual(new Set(['act', 'defer']))
    const bundled = await runHere(place, [
      'export',
      '--run',
      runId,
      '--what',
      'bundle',
      '--out',
      'run.bundle',
      '--json',
    ])
    expect(bundled.code, bundled.output).toBe(0)
    const verified = await runHere(place, ['verify', 'run.bundle', '--head', jsonOf(bundled.output).head, '--json'])
    expect(verified.code, verified.output).toBe(0)
    expect(jsonOf(verified.output)).toMatchObject({ kind: 'whole', decisions: QUESTIONS, runId })
  })
}

/** A provider, and a folder with a certificate and questions that it never saw. */
async function worldOf(options: Parameters<typeof startChaos>[0]) {
  const fake = await startChaos(options)
  const folder = chaosFolder(fake.url, { questions: QUESTIONS, concurrency: 8 })
  cpSync(await certificate(), join(folder, 'certificate.json'))
  return { fake, folder }
}

let made: Promise<string> | undefined

/** A certificate of the panel. The address of the panel does not matter, so it is made once. */
function certificate(): Promise<string> {
  made ??= (async () => {
    const folder = chaosFolder('http://127.0.0.1:9', { questions: 1, folder: temporaryFolder() })
    writeFileSync(join(folder, 'debates.jsonl'), debateLines(600, seededRandom(3)))
    const place = { folder, store: 'sqlite:store.db' }
    const calibrated = await runHere(place, ['calibrate', 'debates.jsonl', '--out', 'certificate.json'])
    expect(calibrated.code, calibrated.output).toBe(0)
    return join(folder, 'certificate.json')
  })()
  return made
}

/** The JSON line among the lines for people. */
function jsonOf(output: string) {
  return JSON.parse(output.split('\n').find((line) => line.startsWith('{')) ?? '')
}

interface Verdict {
  readonly questionId: string
  readonly kind: string
  readonly reason: string | null
  readonly answer: string | null
  readonly round: number
  readonly bound: number | null
  readonly path: readonly unknown[]
}

/** The decisions without what differs between runs: each run samples its own spot checks. */
async function verdictsOf(place: Place, runId: string): Promise<readonly Verdict[]> {
  const exported = await runHere(place, ['export', '--run', runId, '--what', 'decisions', '--out', 'decisions.jsonl'])
  expect(exported.code, exported.output).toBe(0)
  const lines = readFileSync(join(place.folder, 'decisions.jsonl'), 'utf8').trimEnd().split('\n')
  expect(lines.length).toBe(QUESTIONS)
  return lines
    .map((line): Verdict => {
      const { questionId, kind, reason, answer, round, bound, path } = JSON.parse(line)
      return { questionId, kind, reason, answer, round, bound, path }
    })
    .toSorted((left, right) => left.questionId.localeCompare(right.questionId))
}
