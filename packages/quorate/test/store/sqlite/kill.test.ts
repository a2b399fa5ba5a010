import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { seededRandom } from '@quorate/certificate'
import { expect, onTestFinished, test } from 'vitest'
import { openSqlite } from '../../../src/store/sqlite/open-sqlite.ts'
import type { Store } from '../../../src/store/store.ts'
import { createRun, sampleId } from '../samples.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { verifyChain } from '../verify-chain.ts'

const KILLS = 6
const TIMEOUT_MS = 180_000
const runId = sampleId(1)

test(
  'kill -9 while 16 writers write: what was acknowledged is there, and open calls can be told',
  async () => {
    const file = join(temporaryFolder(), 'store.db')
    const first = openSqlite(file, { now: () => 0 })
    await createRun(first)
    await first.close()
    const random = seededRandom(4)
    const answered = new Set<string>()
    const appended = new Set<string>()
    for (let process = 0; process < KILLS; process++) {
      await writeUntilKilled({ file, process, acknowledgements: 30 + Math.floor(random() * 300) }, (kind, id) =>
        (kind === 'answered' ? answered : appended).add(id),
      )
      const store = openSqlite(file, { now: () => 0 })
      await checkAll(store, answered, appended)
      await store.calls.takeOver(runId, `${process + 1}`, 1)
      expect((await store.calls.spend(runId)).calls.open).toBe(0)
      await store.close()
    }
    expect(answered.size).toBeGreaterThan(KILLS * 25)
  },
  TIMEOUT_MS,
)

interface Writer {
  readonly file: string
  readonly process: number
  readonly acknowledgements: number
}

async function writeUntilKilled(writer: Writer, acknowledged: (kind: string, id: string) => void): Promise<void> {
  const script = new URL('./writing-process.ts', import.meta.url).pathname
  const child = spawn(process.execPath, ['--conditions=quorate-source', script, writer.file, `${writer.process}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exit = once(child, 'exit')
  let count = 0
  for await (const line of createInterface(child.stdout)) {
    // The kill may have truncated the last line in the pipe.
    const [, kind, id] = /^(answered|appended) (\S+) end$/.exec(line) ?? []
    if (kind === undefined || id === undefined) continue
    acknowledged(kind, id)
    if (++count === writer.acknowledgements) child.kill('SIGKILL')
  }
  expect(await exit).toEqual([null, 'SIGKILL'])
}

async function checkAll(store: Store, answered: ReadonlySet<string>, appended: ReadonlySet<string>): Promise<void> {
  const found = new Set<string>()
  for (let after: string | null = null; ; ) {
    const page: Awaited<ReturnType<Store['calls']['list']>> = await store.calls.list(runId, { after, limit: 500 })
    for (const { id, state } of page) if (state === 'answered') found.add(id)
    after = page.at(-1)?.id ?? null
    if (after === null) break
  }
  expect([...answered].filter((id) => !found.has(id))).toEqual([])
  const rows = await store.ledger.list(runId, { after: 0, limit: 100_000 })
  expect(verifyChain(rows)).toMatchObject({ kind: 'whole' })
  const hashes = new Set(rows.map(({ hash }) => hash))
  expect([...appended].filter((hash) => !hashes.has(hash))).toEqual([])
}
