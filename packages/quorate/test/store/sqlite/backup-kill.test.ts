import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSqlite } from '../../../src/store/sqlite/open-sqlite.ts'
import { runMain } from '../../cli/run-main.ts'
import { createRun } from '../samples.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const BIN = resolve(import.meta.dirname, '../../../bin/quorate.js')
const KILLER = pathToFileURL(resolve(import.meta.dirname, 'killed-backup.ts')).href
const NODE = [process.execPath, '--conditions=quorate-source', '--import', KILLER, BIN]
const WORK_NAME = 'quorate-backup-00000000-0000-4000-8000-000000000000.part'
const now = () => 0

const storeFolder = mkdtempSync(join(tmpdir(), 'quorate-store-'))
const file = join(storeFolder, 'store.db')

/** A store of about 2 MB, which backups only read. */
beforeAll(async () => {
  const store = openSqlite(file, { now })
  await createRun(store, 20_000)
  await store.close()
})
afterAll(() => rmSync(storeFolder, { recursive: true, force: true }))

/** An empty folder for backups. */
function backupFolder() {
  const folder = temporaryFolder()
  const backups = join(folder, 'backups')
  mkdirSync(backups)
  const at = (name: string) => join(backups, name)

  function backup(name: string, killAt = ''): Promise<Ended> {
    const [node = '', ...args] = [...NODE, 'backup', at(name), '--store', `sqlite:${file}`]
    const child = spawn(node, args, { cwd: folder, env: { ...process.env, BACKUP_KILL_AT: killAt } })
    if (killAt === 'in-copy') void killOnceItHas(child, backups)
    const stderr = text(child.stderr)
    return new Promise((settle) => {
      child.on('close', async (status, signal) => settle({ status, signal, stderr: await stderr }))
    })
  }

  /** Runs in this process and ends by itself. */
  async function backupHere(name: string): Promise<Pick<Ended, 'status' | 'stderr'>> {
    const { status, stderr } = await runMain(['backup', at(name), '--store', `sqlite:${file}`], { cwd: folder })
    return { status, stderr }
  }

  return { backups, at, backup, backupHere }
}

interface Ended {
  readonly status: number | null
  readonly signal: string | null
  readonly stderr: string
}

/** Kills from outside, as soon as the copy has some pages. */
async function killOnceItHas(child: ChildProcess, backups: string): Promise<void> {
  const size = () =>
    readdirSync(backups, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('copy.db'))
      .map((name) => statSync(join(backups, name)).size)[0] ?? 0
  while (size() < SOME_PAGES && child.exitCode === null) await setImmediate()
  child.kill('SIGKILL')
}

const SOME_PAGES = 64 * 1024

async function questionsIn(path: string): Promise<number> {
  const copy = new DatabaseSync(path, { readOnly: true })
  try {
    expect(copy.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
    return Number(copy.prepare('select count(*) as count from run_questions').get()?.['count'])
  } finally {
    copy.close()
  }
}

describe('a backup that is killed', () => {
  test.each(['before-copy', 'in-copy', 'before-sync', 'before-rename', 'after-rename'])(
    '%s leaves no half copy under its name, nothing that others may read, and nothing after the next backup',
    async (killAt) => {
      const { backups, at, backup, backupHere } = backupFolder()
      const killed = await backup('monday.db', killAt)
      expect(killed.signal).toBe('SIGKILL')
      const isRenamed = killAt === 'after-rename'
      expect(existsSync(at('monday.db'))).toBe(isRenamed)
      if (isRenamed) expect(await questionsIn(at('monday.db'))).toBe(20_000)
      expect(readdirSync(backups).filter((name) => name !== 'monday.db')).toHaveLength(1)
      for (const name of readdirSync(backups)) expect(statSync(at(name)).mode & 0o077).toBe(0)

      expect(await backupHere('tuesday.db')).toMatchObject({ status: 0, stderr: '' })
      expect(readdirSync(backups)).toEqual(isRenamed ? ['monday.db', 'tuesday.db'] : ['tuesday.db'])
      expect(await questionsIn(at('tuesday.db'))).toBe(20_000)
      expect(statSync(at('tuesday.db')).mode & 0o777).toBe(0o600)
    },
  )
})

test('a backup removes nothing that a killed backup of this user did not leave', async () => {
  const { backups, at, backupHere } = backupFolder()
  const other = (digit: number) => WORK_NAME.replace('0000-4000', `000${digit}-4000`)
  writeFileSync(at('notes.part'), 'notes')
  writeFileSync(at('monday.db.00000000-0000-4000-8000-000000000000.part'), 'of another program')
  writeFileSync(at('quorate-backup-mine.part'), 'a name that somebody chose')
  writeFileSync(at(other(1)), 'a file, not a folder')
  mkdirSync(at('elsewhere'))
  writeFileSync(join(at('elsewhere'), 'copy.db'), 'behind a link')
  symlinkSync(at('elsewhere'), at(other(2)))
  mkdirSync(at(other(3)))
  writeFileSync(join(at(other(3)), 'copy.db'), 'beside a file of somebody else')
  writeFileSync(join(at(other(3)), 'thesis.txt'), 'mine')
  const before = readdirSync(backups)

  expect(await backupHere('tuesday.db')).toMatchObject({ status: 0, stderr: '' })
  expect(readdirSync(backups)).toEqual([...before, 'tuesday.db'].sort())
  expect(readdirSync(at('elsewhere'))).toEqual(['copy.db'])
  expect(readdirSync(at(other(3)))).toEqual(['copy.db', 'thesis.txt'])
})

test('a backup that another process still writes is left alone, and removed once that process is gone', async () => {
  const { backups, at, backup } = backupFolder()
  mkdirSync(at(WORK_NAME))
  writeFileSync(join(at(WORK_NAME), 'copy.db'), 'half a copy')
  const writer = new DatabaseSync(join(at(WORK_NAME), 'lock.db'))
  writer.exec('begin exclusive')
  expect(await backup('tuesday.db')).toMatchObject({ status: 0, stderr: '' })
  expect(readdirSync(at(WORK_NAME))).toContain('copy.db')
  writer.close()
  expect(await backup('wednesday.db')).toMatchObject({ status: 0, stderr: '' })
  expect(readdirSync(backups)).toEqual(['tuesday.db', 'wednesday.db'])
})
