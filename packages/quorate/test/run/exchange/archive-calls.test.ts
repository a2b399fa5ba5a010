import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { archiveCalls, readArchive } from '../../../src/run/exchange/archive-calls.ts'
import { openSqlite } from '../../../src/store/sqlite/open-sqlite.ts'
import { createRun, sampleEntry, sampleIntent, sampleOutcome } from '../../store/samples.ts'
import { temporaryFolder } from '../../store/temporary-folder.ts'

async function storeWithCalls(calls: number) {
  const store = openSqlite(':memory:', { now: () => 0 })
  const run = await createRun(store)
  await store.ledger.append({ ...sampleEntry(), kind: 'run-opened' })
  for (let number = 0; number < calls; number++) {
    const intent = sampleIntent(number, { attempt: number, reservedMicroUsd: number % 3 === 0 ? null : 900 })
    await store.calls.open(intent)
    const state = number % 4 === 0 ? 'answered' : number % 4 === 1 ? 'refused' : 'lost'
    await store.calls.close(intent, state, sampleOutcome())
  }
  return { store, run }
}

test('calls of a run move from the store to a file, and the spend stays', async () => {
  const { store, run } = await storeWithCalls(4500)
  const before = await store.calls.spend(run.id)
  const calls = await store.calls.list(run.id, { after: null, limit: 5000 })
  const path = join(temporaryFolder(), 'calls.jsonl.gz')
  const archived = await archiveCalls(store, run, { path, now: () => 7 })
  expect(archived.calls).toBe(4500)
  expect(await store.calls.list(run.id, { after: null, limit: 9 })).toEqual([])
  expect(await store.calls.spend(run.id)).toEqual(before)
  const lines = gunzipSync(readFileSync(path)).toString().trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual(calls.map((call) => ({ quorate: 1, ...call })))
  const [last] = (await store.ledger.list(run.id, { after: 0, limit: 9 })).slice(-1)
  expect(JSON.parse(last?.line ?? '')).toMatchObject({ kind: 'calls-archived', body: archived })
  expect(await readArchive(path)).toEqual(archived)
})

test('a second archive of later calls adds to the sums', async () => {
  const { store, run } = await storeWithCalls(10)
  const folder = temporaryFolder()
  await archiveCalls(store, run, { path: join(folder, 'one.gz'), now: () => 7 })
  await store.calls.open(sampleIntent(50, { attempt: 50 }))
  await store.calls.close(sampleIntent(50), 'answered', sampleOutcome())
  const before = await store.calls.spend(run.id)
  expect((await archiveCalls(store, run, { path: join(folder, 'two.gz'), now: () => 8 })).calls).toBe(1)
  expect(await store.calls.spend(run.id)).toEqual(before)
})

test('a call that another process, whose clock is behind, adds after the file is written is not lost', async () => {
  const { store, run } = await storeWithCalls(2500)
  const late = sampleIntent(1, { id: `${sampleIntent(1).id}-late`, attempt: 9999 })
  const append: typeof store.ledger.append = async (...entry) => {
    await store.calls.open(late)
    await store.calls.close(late, 'answered', sampleOutcome())
    return store.ledger.append(...entry)
  }
  const path = join(temporaryFolder(), 'calls.jsonl.gz')
  const raced = { ...store, ledger: { ...store.ledger, append } }
  await expect(archiveCalls(raced, run, { path, now: () => 7 })).rejects.toMatchObject({
    kind: 'busy',
    message: expect.stringContaining('archive it again'),
  })
  expect(await store.calls.find(run.id, late.id)).toMatchObject({ state: 'answered', reply: sampleOutcome().reply })
  const spend = await store.calls.spend(run.id)
  const again = await archiveCalls(store, run, { path: `${path}.2`, now: () => 8 })
  expect([again.calls, await store.calls.spend(run.id)]).toEqual([2501, spend])
})

test('an existing file is not overwritten, and nothing leaves the store', async () => {
  const { store, run } = await storeWithCalls(3)
  const path = join(temporaryFolder(), 'calls.jsonl.gz')
  writeFileSync(path, 'something')
  await expect(archiveCalls(store, run, { path, now: () => 7 })).rejects.toThrow(/cannot write .*calls\.jsonl\.gz/)
  expect(readFileSync(path, 'utf8')).toBe('something')
  expect((await store.calls.list(run.id, { after: null, limit: 9 })).length).toBe(3)
})

test('an archive that could not be written leaves no file, and nothing leaves the store', async () => {
  const { store, run } = await storeWithCalls(3)
  const folder = temporaryFolder()
  const list = async () => {
    throw new Error('the store cannot be read')
  }
  const broken = { ...store, calls: { ...store.calls, list } }
  await expect(archiveCalls(broken, run, { path: join(folder, 'calls.gz'), now: () => 7 })).rejects.toThrow(
    'the store cannot be read',
  )
  expect(readdirSync(folder)).toEqual([])
  expect((await store.calls.list(run.id, { after: null, limit: 9 })).length).toBe(3)
})

test('if the rest of a failed archive cannot be removed, the error is still the one of the archive', async () => {
  const { store, run } = await storeWithCalls(3)
  const path = join(temporaryFolder(), 'calls.gz')
  const list = async () => {
    rmSync(path)
    mkdirSync(path)
    throw new Error('the store cannot be read')
  }
  const broken = { ...store, calls: { ...store.calls, list } }
  await expect(archiveCalls(broken, run, { path, now: () => 7 })).rejects.toThrow('the store cannot be read')
})

test.each([
  ['cannot be decompressed', 'no archive'],
  ['has other lines', gzipSync('{}\n')],
])('an archive that %s when it is read back is removed, and nothing leaves the store', async (_, content) => {
  const { store, run } = await storeWithCalls(3)
  const path = join(temporaryFolder(), 'calls.gz')
  const list: typeof store.calls.list = async (...input) => {
    // The archive is written to the file that was open already.
    rmSync(path, { force: true })
    writeFileSync(path, content)
    return store.calls.list(...input)
  }
  const other = { ...store, calls: { ...store.calls, list } }
  await expect(archiveCalls(other, run, { path, now: () => 7 })).rejects.toThrow(
    /calls\.gz could not be read back as written and was removed: the calls stay in the store/,
  )
  expect(existsSync(path)).toBe(false)
  expect((await store.calls.list(run.id, { after: null, limit: 9 })).length).toBe(3)
})

test('if an archive can neither be read back nor removed, the error says both', async () => {
  const { store, run } = await storeWithCalls(3)
  const path = join(temporaryFolder(), 'calls.gz')
  const list: typeof store.calls.list = async (...input) => {
    rmSync(path, { recursive: true })
    mkdirSync(path)
    return store.calls.list(...input)
  }
  const other = { ...store, calls: { ...store.calls, list } }
  await expect(archiveCalls(other, run, { path, now: () => 7 })).rejects.toMatchObject({
    message: expect.stringContaining('could not be read back as written and could not be removed'),
    cause: { code: 'EISDIR' },
  })
  expect((await store.calls.list(run.id, { after: null, limit: 9 })).length).toBe(3)
})

test('other line separators do not end a line, and only the owner can read the file', async () => {
  const { store, run } = await storeWithCalls(1)
  const intent = sampleIntent(7)
  await store.calls.open(intent)
  await store.calls.close(
    intent,
    'answered',
    sampleOutcome({ reply: JSON.stringify({ text: 'a\u2028b\u2029c\u0085d' }) }),
  )
  const path = join(temporaryFolder(), 'calls.gz')
  expect((await archiveCalls(store, run, { path, now: () => 7 })).calls).toBe(2)
  expect(statSync(path).mode & 0o777).toBe(0o600)
})
