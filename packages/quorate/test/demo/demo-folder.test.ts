import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { claimFolder, DEMO_FILES, writeReadme } from '../../src/demo/demo-folder.ts'
import { openStoreAt } from '../../src/store/open-store.ts'
import { openElsewhere } from '../store/open-elsewhere.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-demo-folder-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

test('a missing folder is created, and an empty one is used', async () => {
  const fresh = join(folder, 'inside', 'demo')
  expect(await claimFolder(fresh)).toMatchObject({ path: fresh, replaced: [] })
  expect(await claimFolder(folder).catch(() => 'refused')).toBe('refused')
  rmSync(join(folder, 'inside'), { recursive: true })
  expect((await claimFolder(folder)).replaced).toEqual([])
})

test.each(['quorate.config.yaml', 'README.txt', 'debates.jsonl'])(
  'a folder with somebody else’s %s is refused and left as it is',
  async (name) => {
    writeFileSync(join(folder, name), 'mine')
    await expect(claimFolder(folder)).rejects.toThrow(
      /not written by quorate demo, so nothing in it was touched.*--out DIR/,
    )
    expect(readdirSync(folder)).toEqual([name])
    expect(readFileSync(join(folder, name), 'utf8')).toBe('mine')
  },
)

test('the files of an earlier demo are replaced and named, others stay', async () => {
  const claimed = await claimFolder(folder)
  await writeReadme(claimed.pathOf('readme'), ['more'])
  for (const name of [DEMO_FILES.config.name, DEMO_FILES.report.name, 'mine.txt'])
    writeFileSync(join(folder, name), 'x')
  mkdirSync(join(folder, '.quorate'))
  for (const ending of ['', '-wal', '-shm']) writeFileSync(claimed.pathOf('store') + ending, 'x')
  const again = await claimFolder(folder)
  expect(again.replaced).toEqual(['quorate.config.yaml', 'report.html', '.quorate/quorate.db'])
  expect(readdirSync(folder).sort()).toEqual(['.quorate', 'README.txt', 'mine.txt'])
  expect(readdirSync(join(folder, '.quorate'))).toEqual([])
  expect(existsSync(claimed.pathOf('readme'))).toBe(true)
})

test('a folder whose store is open in another process is refused and unchanged, until that process ends', async () => {
  const claimed = await claimFolder(folder)
  const store = await openStoreAt(`sqlite:${claimed.pathOf('store')}`, { baseFolder: folder, now: Date.now })
  await store.close()
  writeFileSync(join(folder, DEMO_FILES.config.name), 'x')
  const other = await openElsewhere(claimed.pathOf('store'))
  const reported = await claimFolder(folder).catch(String)
  expect(reported).toMatch(/is in use: .* has its store open.*Nothing in it was touched.*--out DIR/)
  if (process.platform === 'linux') expect(reported).toContain(`process ${other.pid}`)
  expect(existsSync(claimed.pathOf('store'))).toBe(true)
  expect(readFileSync(join(folder, DEMO_FILES.config.name), 'utf8')).toBe('x')
  await other.kill()
  expect((await claimFolder(folder)).replaced).toContain(DEMO_FILES.store.name)
  expect(existsSync(claimed.pathOf('store'))).toBe(false)
})
