import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openSqlite } from '../../../src/store/sqlite/open-sqlite.ts'
import { createRun, sampleEntry, sampleIntent, sampleOutcome } from '../../store/samples.ts'
import { temporaryFolder } from '../../store/temporary-folder.ts'
import { runMain } from '../run-main.ts'

const CALLS = 5

/** A store with one run, and a function that runs commands on it. */
async function world({ isDone }: { readonly isDone: boolean }) {
  const folder = temporaryFolder()
  const file = join(folder, 'store.db')
  const store = openSqlite(file, { now: () => 0 })
  const { id } = await createRun(store)
  await store.ledger.append({ ...sampleEntry(), kind: 'run-opened' })
  for (let number = 0; number < CALLS; number++) {
    await store.calls.open(sampleIntent(number))
    await store.calls.close(sampleIntent(number), 'answered', sampleOutcome())
  }
  if (isDone) await store.runs.finish(id)
  await store.close()
  const run = (...args: string[]) => runMain(args, { env: { QUORATE_STORE: `sqlite:${file}` } })
  return { id, folder, archives: join(folder, 'archives'), run }
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ')

test('an archive is reported with its digest, is private, and can be verified and read', async () => {
  const { id, folder, archives, run } = await world({ isDone: true })
  const archived = await run('archive', archives, '--run', id)
  expect(archived).toMatchObject({ status: 0, stderr: '' })
  const file = join(archives, `calls-${id}.jsonl.gz`)
  expect(archived.stdout).toContain(`Moved 5 calls to\n  ${file}\n  sha256 `)
  const [, digest = ''] = /sha256 ([0-9a-f]{64})\n/.exec(archived.stdout) ?? []
  expect(statSync(archives).mode & 0o777).toBe(0o700)

  const verified = await run('verify', file)
  expect(verified).toMatchObject({ status: 0, stderr: '' })
  expect(verified.stdout).toContain(
    `An archive, not a bundle: 5 calls of run\n  ${id}\nsha256 of its lines\n  ${digest}\n`,
  )
  for (const line of verified.stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
  expect((await run('verify', file, '--head', digest)).stdout).toContain('unchanged.\n')
  expect(await run('verify', file, '--head', '0'.repeat(64))).toMatchObject({ status: 30 })

  const out = join(folder, 'calls.jsonl')
  const exported = await run('export', '--run', id, '--what', 'calls', '--out', out)
  expect(exported.status).toBe(1)
  expect(oneLine(exported.stderr)).toMatch(
    /5 calls were archived on \d{4}-\d\d-\d\d \(sha256 [0-9a-f]{64}\)\. zcat calls-/,
  )
  expect(exported.stderr).toContain(digest)
  expect(existsSync(out)).toBe(false)

  const again = await run('archive', join(folder, 'others'), '--run', id)
  expect(again.status).toBe(0)
  expect(oneLine(again.stdout)).toContain(`The calls of run ${id} were archived on `)
  expect(existsSync(join(folder, 'others'))).toBe(false)
  const old = await run('archive', join(folder, 'others'), '--older-than', '0')
  expect(oneLine(old.stdout)).toContain('has calls to archive: 1 without calls in the store. 0 younger runs are done.')
})

test('if nothing is archived, the reason is reported and no folder is created', async () => {
  const open = await world({ isDone: false })
  expect(oneLine((await open.run('archive', open.archives, '--run', open.id)).stdout)).toContain(
    `Run ${open.id} is open with 3 questions left. `,
  )
  const done = await world({ isDone: true })
  const young = await done.run('archive', done.archives, '--older-than', '99999')
  expect(young.stdout).toBe('No run is older than 99,999 days (--older-than). 1 younger run is done.\n')
  expect(existsSync(open.archives) || existsSync(done.archives)).toBe(false)
})

test('a truncated archive, and a compressed file that is not an archive, do not verify', async () => {
  const { id, folder, archives, run } = await world({ isDone: true })
  await run('archive', archives, '--run', id)
  const file = join(archives, `calls-${id}.jsonl.gz`)
  truncateSync(file, readFileSync(file).length - 12)
  expect(await run('verify', file)).toMatchObject({ status: 30, stderr: '' })
  const other = join(folder, 'other.gz')
  writeFileSync(other, gzipSync('{"quorate":1}\n'))
  expect((await run('verify', other)).stdout).toContain('expected an archive of calls')
})
