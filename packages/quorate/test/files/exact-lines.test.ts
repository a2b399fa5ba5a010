import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ExactLine, exactLines } from '../../src/files/exact-lines.ts'
import { FileError } from '../../src/files/file-error.ts'
import { temporaryFolder } from './temporary-files.ts'

const { folder } = temporaryFolder()
const path = join(folder, 'bytes')

async function linesOf(bytes: Uint8Array): Promise<ExactLine[]> {
  writeFileSync(path, bytes)
  const lines: ExactLine[] = []
  for await (const line of exactLines(path)) lines.push(line)
  return lines
}

function ended(text: string | null) {
  return { text, isEnded: true }
}

test('lines keep byte order marks, carriage returns and Unicode separators, and say whether they ended', async () => {
  const text = '\ufeffa\r\n\n\u2028b'
  expect(await linesOf(Buffer.from(text))).toEqual([ended('\ufeffa\r'), ended(''), { text: '\u2028b', isEnded: false }])
  expect(await linesOf(Buffer.from(''))).toEqual([])
})

test('bytes that are not UTF-8 are never read as a replacement character that the file might have contained', async () => {
  // U+FFFD is EF BF BD. The truncated F0 BF BD would be decoded as the same character.
  expect(await linesOf(Buffer.from([0xef, 0xbf, 0xbd, 0x0a]))).toEqual([ended('\ufffd')])
  expect(await linesOf(Buffer.from([0xf0, 0xbf, 0xbd, 0x0a]))).toEqual([ended(null)])
})

test('different bytes are never the same lines', async () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(bytes, fc.nat(), fc.integer({ min: 1, max: 255 }), async (original, at, change) => {
      const changed = Uint8Array.from(original)
      changed[at % original.length] = (original[at % original.length] ?? 0) ^ change
      const [before, after] = [await linesOf(original), await linesOf(changed)]
      // The reader refuses what cannot be read at all.
      if (before.some(({ text }) => text === null) && after.some(({ text }) => text === null)) return
      expect(after).not.toEqual(before)
    }),
    { seed: 5, numRuns: 300 },
  )
})

test('a long line over several chunks is one line', async () => {
  const long = 'ä'.repeat(400_000)
  expect(await linesOf(Buffer.from(`${long}\nx\n`))).toEqual([ended(long), ended('x')])
})

test('a file that is not there is an error that names it', async () => {
  await expect(exactLines(join(folder, 'none')).next()).rejects.toThrow(FileError)
})
