import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FileError } from '../../src/files/file-error.ts'
import { writeReport } from '../../src/page/write-report.ts'
import { malformation } from '../figures/well-formed.ts'
import { exampleReport } from './example-report.ts'

const data = exampleReport('cells', { count: 400 })
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-report-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('writing', () => {
  test('leaves the page and its figures as separate files, and nothing half-written', async () => {
    const written = await writeReport(join(folder, 'new', 'place'), data)
    expect(written.page).toBe(join(folder, 'new', 'place', 'report.html'))
    expect(readdirSync(join(folder, 'new', 'place')).sort()).toEqual(['figures', 'report.html'])
    expect(readdirSync(join(folder, 'new', 'place', 'figures'))).toHaveLength(written.figures.length)
    for (const path of written.figures) {
      const svg = readFileSync(path, 'utf8').trimEnd()
      expect(malformation(svg.replace(/<style>[\s\S]*<\/style>/, '')), path).toBeNull()
    }
  })

  test('replaces its own files, keeps others and writes the same bytes again', async () => {
    writeFileSync(join(folder, 'notes.txt'), 'mine')
    writeFileSync(join(folder, 'report.html'), 'older')
    const { page } = await writeReport(folder, data)
    const first = readFileSync(page, 'utf8')
    await writeReport(folder, data)
    expect(readFileSync(page, 'utf8')).toBe(first)
    expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('mine')
  })

  test('refuses a folder that is a file, with a message', async () => {
    const path = join(folder, 'a-file')
    writeFileSync(path, '')
    await expect(writeReport(path, data)).rejects.toThrow(FileError)
    await expect(writeReport(path, data)).rejects.toThrow('must be a folder: it is a file')
  })
})
