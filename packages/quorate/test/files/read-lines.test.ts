import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FileError } from '../../src/files/file-error.ts'
import { readLines } from '../../src/files/read-lines.ts'
import { temporaryFolder } from './temporary-files.ts'

const { folder, write } = temporaryFolder()

async function linesOf(text: string): Promise<string[]> {
  return allLines(write('lines.txt', text))
}

async function allLines(path: string): Promise<string[]> {
  const lines: string[] = []
  for await (const line of readLines(path)) lines.push(line)
  return lines
}

describe('lines', () => {
  test('are the texts between line feeds, whatever else they contain', async () => {
    const line = fc
      .string({ unit: 'grapheme', maxLength: 20 })
      .map((text) => text.replaceAll(/[\n\ufeff]|[\ud800-\udfff]/gu, ''))
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 8 }), async (lines) => {
        expect(await linesOf(lines.map((text) => `${text}\n`).join(''))).toEqual(lines)
      }),
      { numRuns: 50 },
    )
  })

  test('are not cut at the separators that JSON may contain', async () => {
    expect(await linesOf('"a\u2028b"\n"c\u2029\u0085d"\n')).toEqual(['"a\u2028b"', '"c\u2029\u0085d"'])
  })

  test('need no end of the last one, and lose a byte order mark', async () => {
    expect(await linesOf('\ufeffa\nb')).toEqual(['a', 'b'])
    expect(await linesOf('\ufeffa')).toEqual(['a'])
    expect(await linesOf('')).toEqual([])
  })

  test('may be longer than what is read at once', async () => {
    const long = 'x'.repeat(700_000)
    expect(await linesOf(`${long}\n${long}1\n`)).toEqual([long, `${long}1`])
  })

  test('longer than any debate are refused before they fill the memory', async () => {
    await expect(linesOf(`{}\n${'x'.repeat(33 * 1024 * 1024)}`)).rejects.toThrow(
      /lines\.txt: line 2 must have at most 33554432 characters, got more/,
    )
  })

  test.each(['missing.jsonl', '.'])('of %s, which is no file, are refused with the cause', async (name) => {
    const reading = allLines(`${folder}/${name}`)
    await expect(reading).rejects.toThrow(FileError)
    await expect(reading).rejects.toMatchObject({ cause: expect.objectContaining({ code: expect.any(String) }) })
  })
})
