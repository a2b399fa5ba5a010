import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { seededRandom } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { StoreError } from '../../../src/record/store-error.ts'
import { openStoreAt } from '../../../src/store/open-store.ts'
import { openSqlite } from '../../../src/store/sqlite/open-sqlite.ts'
import { storeErrorOfSqlite } from '../../../src/store/sqlite/sqlite-errors.ts'
import { createRun, REFUSED, sampleDebate, sampleEntry, sampleId, sampleIntent, sampleOutcome } from '../samples.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const now = () => 0

test('a store is in WAL mode, does not sync commits itself, and has foreign keys and a busy timeout of 5 s', async () => {
  const file = join(temporaryFolder(), 'deep', 'folder', 'store.db')
  let opened: DatabaseSync | undefined
  const connect = (path: string) => {
    opened = new DatabaseSync(path)
    return opened
  }
  const store = openSqlite(file, { now, connect })
  const pragma = (name: string) => Object.values(opened?.prepare(`pragma ${name}`).get() ?? {})[0]
  expect(['journal_mode', 'synchronous', 'foreign_keys', 'busy_timeout'].map(pragma)).toEqual(['wal', 1, 1, 5000])
  await store.close()
})

test('only this user can read the file, its log, its folder and its copies, whatever the umask', async () => {
  const before = process.umask(0)
  try {
    const folder = temporaryFolder()
    const file = join(folder, 'private', 'store.db')
    const store = openSqlite(file, { now })
    await createRun(store)
    await store.backup(join(folder, 'copy.db'))
    const modes = [join(folder, 'private'), file, `${file}-wal`, join(folder, 'copy.db')].map(
      (path) => statSync(path).mode,
    )
    expect(modes.map((mode) => mode & 0o077)).toEqual([0, 0, 0, 0])
    await store.close()
  } finally {
    process.umask(before)
  }
})

describe('backup', () => {
  test('is a complete store with everything that was committed, and never replaces a file', async () => {
    const folder = temporaryFolder()
    const store = openSqlite(join(folder, 'store.db'), { now })
    const run = await createRun(store)
    const path = join(folder, 'copy.db')
    await store.backup(path)
    await store.runs.finish(run.id)
    await expect(store.backup(path)).rejects.toMatchObject({ kind: 'exists' })
    const copy = openSqlite(path, { now })
    expect(await copy.runs.find(run.id)).toEqual(run)
    await copy.close()
    await expect(store.backup(join(folder, 'none', 'copy.db'))).rejects.toBeInstanceOf(StoreError)
    expect(readdirSync(folder).filter((name) => name.includes('part'))).toEqual([])
    await store.close()
  })
})

describe('redaction', () => {
  const traces = (file: string) => {
    const bytes = [file, `${file}-wal`]
      .filter(existsSync)
      .map((path) => readFileSync(path, 'latin1'))
      .join('')
    return ['question 0', 'reply', 'argument on q0', 'words of a provider', 'ledger text', 'question 1'].filter(
      (part) => bytes.includes(`secret ${part}`),
    )
  }

  async function filled(file: string) {
    const store = openSqlite(file, { now })
    await createRun(store, 300)
    await store.calls.open(sampleIntent(1))
    await store.calls.close(sampleIntent(1), 'answered', sampleOutcome())
    await store.calls.open(sampleIntent(2))
    await store.calls.close(sampleIntent(2), 'refused', REFUSED)
    // Rows that shrink and grow move between pages. Even with secure_delete, a page keeps the bytes of rows that moved away.
    const random = seededRandom(1)
    const save = (question: number, text: string) =>
      store.debates.save(sampleDebate(`q${question}`, { debate: JSON.stringify({ rounds: [[{ text }]] }) }))
    const written = Array.from({ length: 3000 }, () =>
      save(Math.floor(300 * random()), 'secret argument on q0 '.repeat(1 + 100 * random() * random())),
    )
    await Promise.all(written)
    await Promise.all(Array.from({ length: 299 }, (_, number) => save(number + 1, 'public')))
    for (const rounds of [1, 2, 3]) await store.debates.save(sampleDebate('q0', { rounds }))
    await store.ledger.append(sampleEntry())
    return store
  }

  test('leaves no byte of the text in the file or its log', async () => {
    const file = join(temporaryFolder(), 'store.db')
    const store = await filled(file)
    expect(traces(file)).toHaveLength(6)
    expect(await store.redact('q0')).toMatchObject({ isWiped: true })
    expect(traces(file)).toEqual(['question 1'])
    await store.close()
    expect(traces(file)).toEqual(['question 1'])
  })

  test('reports that bytes remain while another process reads, and wipes them when repeated without it', async () => {
    const file = join(temporaryFolder(), 'store.db')
    const store = await filled(file)
    const reader = new DatabaseSync(file)
    reader.exec('begin')
    reader.prepare('select count(*) from calls').get()
    expect(await store.redact('q0')).toMatchObject({ isWiped: false })
    expect(traces(file)).toContain('question 0')
    reader.exec('commit')
    reader.close()
    expect(await store.redact('q0')).toEqual({ erased: 0, isWiped: true })
    expect(traces(file)).toEqual(['question 1'])
    await store.close()
  })
})

describe('a disk that cannot be written', () => {
  test('when full, causes a clear error, loses nothing that was acknowledged, and the store opens again', async () => {
    const file = join(temporaryFolder(), 'store.db')
    await openSqlite(file, { now }).close()
    const connect = (path: string) => {
      const database = new DatabaseSync(path)
      database.exec('pragma max_page_count = 130')
      return database
    }
    const small = openSqlite(file, { now, connect })
    await createRun(small)
    const written = await Promise.allSettled(
      Array.from({ length: 100 }, (_, number) => small.calls.open(sampleIntent(number, { agent: 'a'.repeat(2000) }))),
    )
    const kept = written.flatMap(({ status }, number) => (status === 'fulfilled' ? [sampleIntent(number).id] : []))
    const [refused] = written.filter((result) => result.status === 'rejected')
    expect(refused?.reason).toMatchObject({ kind: 'disk-full', message: expect.stringContaining('free some space') })
    expect(kept.length).toBeGreaterThan(0)
    await expect(small.calls.open(sampleIntent(500, { agent: 'a'.repeat(90_000) }))).rejects.toMatchObject({
      kind: 'disk-full',
    })
    await small.close()
    const again = openSqlite(file, { now })
    const found = await again.calls.list(sampleId(1), { after: null, limit: 200 })
    expect(found.map(({ id }) => id)).toEqual(kept)
    await again.calls.open(sampleIntent(600))
    await again.close()
  })

  test('when read-only, causes a clear error, and the store opens when the folder can be written again', async () => {
    const folder = temporaryFolder()
    chmodSync(folder, 0o755)
    const readOnly = join(folder, 'read-only')
    mkdirSync(readOnly)
    const opened = openSqlite(join(readOnly, 'there.db'), { now })
    const run = await createRun(opened)
    await opened.close()
    chmodSync(readOnly, 0o555)
    chmodSync(join(readOnly, 'there.db'), 0o444)
    for (const name of ['new.db', 'there.db', 'sub/new.db']) {
      const message = openedByOther(join(readOnly, name))
      expect(message).toMatch(/^StoreError read-only: store .*\.db: it cannot be (written|opened)/)
    }
    chmodSync(readOnly, 0o755)
    chmodSync(join(readOnly, 'there.db'), 0o644)
    const again = openSqlite(join(readOnly, 'there.db'), { now })
    expect(await again.runs.find(run.id)).toEqual(run)
    await again.close()
  })

  /** Permissions do not apply to root, so another account opens the file then. */
  function openedByOther(file: string): string {
    const script = new URL('./opening-process.ts', import.meta.url).pathname
    const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
    return spawnSync(process.execPath, ['--conditions=quorate-source', script, file], { ...account, encoding: 'utf8' })
      .stdout
  }
})

test('a file that is not a database, and a folder, are refused with clear errors', () => {
  const folder = temporaryFolder()
  const file = join(folder, 'notes.txt')
  writeFileSync(file, 'these are notes, and long enough to be more than a header of a database file\n'.repeat(99))
  expect(() => openSqlite(file, { now })).toThrow(/not an SQLite database: name another file/)
  expect(() => openSqlite(folder, { now })).toThrow(/cannot be opened/)
  expect(() => openSqlite(join(file, 'store.db'), { now })).toThrow(/it cannot be written: check that its folder/)
})

test('a row that another program changed is refused, and the error names table and field', async () => {
  const file = join(temporaryFolder(), 'store.db')
  const store = openSqlite(file, { now })
  const run = await createRun(store)
  const other = new DatabaseSync(file)
  other.exec("update runs set config = 'no json'")
  await expect(store.runs.find(run.id)).rejects.toThrow(/the run cannot be read, field config: expected JSON/)
  other.exec("update runs set config = '{}', kind = 'dance'")
  await expect(store.runs.find(run.id)).rejects.toThrow(/field kind/)
  other.close()
  await store.close()
})

test('errors of SQLite say what to do, and other errors are unchanged', () => {
  const busy = Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR', errcode: 5 })
  expect(storeErrorOfSqlite(busy, 'f.db')).toMatchObject({ kind: 'busy', cause: busy })
  const bug = new TypeError('x')
  expect(storeErrorOfSqlite(bug, 'f.db')).toBe(bug)
})

describe('openStore', () => {
  test('accepts a path relative to the base folder, and a database in memory', async () => {
    const folder = temporaryFolder()
    const store = await openStoreAt('sqlite:.quorate/store.db', { baseFolder: folder, now })
    expect(store.engine).toBe('sqlite')
    await store.close()
    expect(existsSync(join(folder, '.quorate', 'store.db'))).toBe(true)
    const memory = await openStoreAt('sqlite::memory:', { baseFolder: folder, now })
    await createRun(memory)
    expect(await memory.runs.list(9)).toHaveLength(1)
    await memory.close()
  })

  test.each(['', 'sqlite:', 'mysql://user:planted-key@host/x', 'store.db', 'postgres://user:planted-key@ho st/x'])(
    'refuses %j without repeating what may be a password',
    async (url) => {
      const opening = openStoreAt(url, { baseFolder: '/', now })
      await expect(opening).rejects.toMatchObject({ kind: 'invalid' })
      await expect(opening).rejects.not.toThrow(/planted-key/)
    },
  )
})
