import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalJson } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { exportLines } from '../../src/run/exchange/export-lines.ts'
import { writeLines } from '../../src/run/exchange/write-lines.ts'
import { findRun } from '../../src/run/find-run.ts'
import { nextRow } from '../../src/store/decisions/ledger-chain.ts'
import { all, certifiedFrom, runWorld, samplePlan, simulatedQuestions } from '../run/run-world.ts'
import { newStore } from '../store/store-under-test.ts'
import { temporaryFolder } from '../store/temporary-folder.ts'

test('a bundle of 100 MB is verified in less memory than it has', async () => {
  const store = await newStore()
  const certified = await certifiedFrom(store, simulatedQuestions(120))
  const plan = samplePlan({ kind: 'decide' })
  const { runId } = await runWorld({ store, plan, questions: simulatedQuestions(12, { from: 120 }), certified })
  const lines = await all(exportLines(store, await findRun(store, runId), 'bundle'))
  const path = join(temporaryFolder(), 'run.bundle')
  const rows = await writeLines(path, longer(lines, 100 * 2 ** 20))
  await writeHead(path)
  expect(statSync(path).size).toBeGreaterThan(100e6)
  const script = join(import.meta.dirname, 'verify-and-weigh.ts')
  const reported = execFileSync(process.execPath, ['--conditions=quorate-source', script, path], { encoding: 'utf8' })
  const { verdict, mostBytes } = JSON.parse(reported)
  expect(verdict).toMatchObject({ kind: 'whole', rows: rows - 1 })
  expect(mostBytes / 2 ** 20).toBeLessThan(200)
})

const UNKNOWN_HEAD = '0'.repeat(64)

/** The same decisions over and over, each of another question and with a long remark, in a chain that is whole; the head comes last. */
async function* longer(lines: readonly string[], bytes: number): AsyncGenerator<string> {
  const [first = '', opening = '', ...rest] = lines
  const decisions = rest.map((text) => JSON.parse(text).line).filter(({ kind }) => kind === 'decision')
  const remark = 'x'.repeat(20_000)
  const count = Math.ceil(bytes / remark.length)
  yield canonicalJson({ ...JSON.parse(first), head: UNKNOWN_HEAD, rows: count + 1 })
  const { runId, kind, at, body } = JSON.parse(opening).line
  let last = nextRow({ runId, kind, at, body }, null)
  yield `{"hash":"${last.hash}","line":${last.line}}`
  for (let index = 0; index < count; index++) {
    const { body: decision } = decisions[index % decisions.length]
    const questionId = `question ${index}`
    const about = { questionId, debate: { ...decision.debate, id: questionId }, remark }
    last = nextRow({ runId, kind: 'decision', at, body: { ...decision, ...about } }, last)
    yield `{"hash":"${last.hash}","line":${last.line}}`
  }
}

/** Of a file that begins with a head nobody knew yet. */
async function writeHead(path: string): Promise<void> {
  const file = await open(path, 'r+')
  const { size } = await file.stat()
  const start = Buffer.alloc(2 ** 20)
  await file.read(start, 0, start.length, 0)
  const end = Buffer.alloc(60_000)
  await file.read(end, 0, end.length, size - end.length)
  const lastRow = end.toString().trimEnd().split('\n').at(-1) ?? ''
  await file.write(JSON.parse(lastRow).hash, start.indexOf(UNKNOWN_HEAD))
  await file.close()
}
