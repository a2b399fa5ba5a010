import { once } from 'node:events'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { seededRandom } from '@quorate/certificate'
import { expect, onTestFinished, test } from 'vitest'
import { codeBlocks } from '../../../../tools/documents.ts'
import type { StoredCall } from '../../src/store/store.ts'
import { type StartedCommand, startCommand } from '../run/provider-folder.ts'
import { ask } from '../server/ask.ts'
import { CHAOS_KEYS, CHAOS_TIMEOUT_MS, chaosFolder, debateLines, startChaos } from './chaos-panel.ts'
import { SQLITE } from './engines.ts'
import { runHere } from './killed-command.ts'

const QUESTIONS = 40
const DECIDE = ['decide', 'questions.jsonl', '--certificate', 'certificate.json', '--trust-config', '--json']
/** The backup begins after the first number of requests. Later than the second they wait, so the run is still in progress. */
const [BACKUP_FROM, WAIT_FROM] = [40, 150]
const OPERATIONS = resolve(import.meta.dirname, '../../../../docs/operations.md')
const BIN = resolve(import.meta.dirname, '../../bin')

test(
  'a store that was backed up while a run wrote, then destroyed, is restored as the documentation says',
  async () => {
    let letGo = () => {}
    const gone = new Promise<void>((settle) => {
      letGo = settle
    })
    const beforeAnswer = (serial: number) => (serial > WAIT_FROM ? gone : Promise.resolve())
    const fake = await startChaos({ faultRate: 0, latencyMs: 0, beforeAnswer })
    onTestFinished(() => fake.close())
    const folder = calibratedFolder(fake.url)
    const calibrated = await runHere({ folder, args: ['calibrate', 'debates.jsonl', '--out', 'certificate.json'] })
    expect(calibrated.code, calibrated.output).toBe(0)

    const run = start(folder, DECIDE)
    const ended = once(run.child, 'close')
    await Promise.race([fake.reached(BACKUP_FROM), ended])
    const backup = await runHere({ folder, args: ['backup', 'backups/monday.db'] })
    expect(backup.code, backup.output).toBe(0)
    await Promise.race([fake.reached(WAIT_FROM + 1), ended])
    run.child.kill('SIGKILL')
    expect(await ended, run.output()).toEqual([null, 'SIGKILL'])
    // The log of the dead run stays beside a file that is cut.
    truncateSync(join(folder, '.quorate/quorate.db'), 5000)
    expect(await runHere({ folder, args: ['export', '--list'] })).toMatchObject({ code: 1 })

    await runDocumentedRestore(folder)
    const { runId, calls: before } = await callsIn(folder)
    const answered = before.filter(isAnswered)
    expect(answered.length).toBeGreaterThan(0)
    expect(await readiness(folder)).toBe(200)

    const asked = fake.counts().requests
    letGo()
    const resumed = await runHere({ folder, args: [...DECIDE, '--resume'] })
    expect(resumed.code, resumed.output).toBe(0)
    const { calls: after } = await callsIn(folder)
    const kept = new Map(after.map((call) => [call.id, call]))
    for (const call of answered) expect(kept.get(call.id)).toEqual(call)
    expect(fake.counts().requests - asked).toBe(after.filter(isAnswered).length - answered.length)
    expect(new Set(after.filter(isAnswered).map(placeOf)).size).toBe(after.filter(isAnswered).length)
    await checkBundle(folder, runId)
  },
  CHAOS_TIMEOUT_MS,
)

function calibratedFolder(url: string): string {
  const folder = chaosFolder(url, { questions: QUESTIONS, concurrency: 8 })
  writeFileSync(join(folder, 'debates.jsonl'), debateLines(600, seededRandom(3)))
  const file = join(folder, 'quorate.config.json')
  const config = JSON.parse(readFileSync(file, 'utf8'))
  // Answers wait until the run is killed, so none of them may time out earlier.
  const limits = { ...config.limits, timeoutMs: CHAOS_TIMEOUT_MS }
  writeFileSync(file, JSON.stringify({ ...config, limits }))
  return folder
}

function start(folder: string, args: readonly string[]): StartedCommand {
  const started = startCommand(folder, args, { env: CHAOS_KEYS })
  onTestFinished(() => void started.child.kill('SIGKILL'))
  return started
}

/** Runs the commands of the page verbatim; `quorate` is the command line from the sources. */
async function runDocumentedRestore(folder: string): Promise<void> {
  const [block] = codeBlocks(readFileSync(OPERATIONS, 'utf8')).filter(({ code }) => code.startsWith('# Restore '))
  const quorate = `quorate() { "${process.execPath}" --conditions=quorate-source "${BIN}/quorate.js" "$@"; }`
  const { child, output } = startCommand(folder, [], { under: ['sh', '-ec', `${quorate}\n${block?.code}`, 'sh'] })
  expect([...(await once(child, 'close')), output()]).toEqual([0, null, expect.stringContaining('decide')])
}

async function readiness(folder: string): Promise<number> {
  const { child, output } = start(folder, ['serve', '--port', '0', '--trust-config'])
  const ended = once(child, 'close')
  const begun = async () => {
    for (;;) {
      const port = /http:\/\/[\w.]+:(\d+)\//.exec(output())?.[1]
      if (port !== undefined) return Number(port)
      await once(child.stdout ?? child, 'data')
    }
  }
  const port = await Promise.race([begun(), ended.then(() => 0)])
  expect(port, output()).toBeGreaterThan(0)
  const { status } = await ask(port, '/readyz')
  child.kill('SIGTERM')
  expect(await ended, output()).toEqual([0, null])
  return status
}

async function callsIn(folder: string): Promise<{ readonly runId: string; readonly calls: readonly StoredCall[] }> {
  const store = await SQLITE.open(folder)
  const [run] = (await store.runs.list(10)).filter(({ kind }) => kind === 'decide')
  const runId = run?.id ?? ''
  const calls = await store.calls.list(runId, { after: null, limit: 10_000 })
  await store.close()
  return { runId, calls }
}

function isAnswered({ state }: StoredCall): boolean {
  return state === 'answered'
}

function placeOf({ questionId, agent, round, repeat, isReminder }: StoredCall): string {
  return JSON.stringify([questionId, agent, round, repeat, isReminder])
}

async function checkBundle(folder: string, runId: string): Promise<void> {
  const out = ['export', '--run', runId, '--what', 'bundle', '--out', 'run.bundle', '--json']
  const { head } = JSON.parse((await runHere({ folder, args: out })).output)
  const verified = await runHere({ folder, args: ['verify', 'run.bundle', '--head', head, '--json'] })
  expect(verified.code, verified.output).toBe(0)
  expect(JSON.parse(verified.output)).toMatchObject({ kind: 'whole', decisions: QUESTIONS, runId })
}
