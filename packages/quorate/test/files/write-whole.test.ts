import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, makeOwnFolder, writeWhole } from '../../src/files/write-whole.ts'
import { temporaryFolder } from './temporary-files.ts'

const { folder } = temporaryFolder()

test('a file is written whole, and nothing is left beside it', async () => {
  const path = join(folder, 'a.txt')
  await writeWhole(path, 'one')
  await writeWhole(path, 'two')
  expect(readFileSync(path, 'utf8')).toBe('two')
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
})

test('a link in the place of the file is replaced, not followed', async () => {
  const target = join(folder, 'important.txt')
  const path = join(folder, 'link.txt')
  writeFileSync(target, 'keep')
  symlinkSync(target, path)
  await writeWhole(path, 'ours')
  expect(readFileSync(target, 'utf8')).toBe('keep')
  expect(lstatSync(path).isSymbolicLink()).toBe(false)
})

test('a file in the place of a folder is named, and so is a link in the place of our own folder', async () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  await expect(makeFolder(file)).rejects.toThrow(/file must be a folder: it is a file/)
  const elsewhere = join(folder, 'elsewhere')
  mkdirSync(elsewhere)
  const link = join(folder, 'figures')
  symlinkSync(elsewhere, link)
  await expect(makeOwnFolder(link)).rejects.toThrow(/figures must be a folder: it is a link/)
})
