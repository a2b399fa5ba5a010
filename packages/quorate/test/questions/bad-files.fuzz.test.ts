import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { FileError } from '../../src/files/file-error.ts'
import { type BadRow, type QuestionFileOptions, readQuestions } from '../../src/questions/read-questions.ts'
import type { Question } from '../../src/record/question.ts'
import { csvLine } from '../../src/text/csv-text.ts'

const RUNS = sized({ short: 150, full: 5000 })
const folder = mkdtempSync(join(tmpdir(), 'quorate-fuzz-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const format: QuestionFileOptions = {
  common: { answers: { kind: 'labels', labels: { yes: 'it is', no: 'it is not' }, shuffle: false }, seed: 7 },
  keepColumns: true,
}

async function read(name: string, content: string | Uint8Array, onBad?: (row: BadRow) => void) {
  const path = join(folder, name)
  writeFileSync(path, content)
  const questions: Question[] = []
  try {
    for await (const question of readQuestions(path, onBad === undefined ? format : { ...format, onBad })) {
      questions.push(question)
    }
    return { questions, error: null }
  } catch (error) {
    return { questions, error }
  }
}

/** Line and column, unless it is about the whole file. */
function expectPlace(name: string, error: unknown): void {
  if (error === null) return
  expect(error).toBeInstanceOf(FileError)
  const { message } = error as FileError
  expect(message).not.toMatch(/\p{Cc}/u)
  if (/expected questions, one per line, got none$/u.test(message)) return
  // A JSON line has fields in place of columns.
  if (name.endsWith('.jsonl')) expect(message).toMatch(/: line \d+(?:, (?:column|character) \d+)?: /u)
  else expect(message).toMatch(/: line \d+, (?:column|character) \d+: /u)
}

const cell = fc.oneof(
  fc.constantFrom('', ' ', 'yes', 'no', 'maybe', '.', '..', '=1+1', 'x'.repeat(200_001)),
  fc.string({ unit: 'binary', maxLength: 12 }),
)
/** Arbitrary cells, quoted correctly or not. */
const rawCell = fc.oneof(
  { weight: 3, arbitrary: cell.map((text) => csvLine([text]).trimEnd()) },
  fc.string({ unit: fc.constantFrom('"', ',', ';', '\t', '\n', '\r', 'a', ' ', '\u2028'), maxLength: 8 }),
)
const rows = fc.array(fc.array(rawCell, { minLength: 1, maxLength: 5 }), { maxLength: 8 })
const csvText = fc
  .tuple(
    fc.constantFrom('id,question,gold', 'id,question,gold,group', '"id",question,gold', '\ufeffid;question;gold'),
    rows,
  )
  .map(([header, body]) => [header, ...body.map((cells) => cells.join(header.includes(';') ? ';' : ','))].join('\n'))

describe('damaged question files', () => {
  test.each(['bytes.csv', 'bytes.jsonl'])(
    '%s: arbitrary bytes are read or refused with their place, never a crash',
    async (name) => {
      const head = name.endsWith('.csv') ? 'id,question,gold\n' : ''
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
          const { error } = await read(name, Buffer.concat([Buffer.from(head), bytes]))
          expectPlace(name, error)
        }),
        { numRuns: RUNS, seed: 5 },
      )
    },
  )

  test('arbitrary CSV is read or refused with line and column', async () => {
    await fc.assert(
      fc.asyncProperty(csvText, async (text) => expectPlace('rows.csv', (await read('rows.csv', text)).error)),
      { numRuns: RUNS, seed: 6 },
    )
  })

  test('arbitrary JSON lines are read or refused with line and column', async () => {
    const value = fc.oneof(cell, fc.jsonValue({ maxDepth: 2 }))
    const line = fc.oneof(
      fc
        .record({ id: value, question: value, gold: value, group: value }, { requiredKeys: [] })
        .map((each) => JSON.stringify(each)),
      fc.jsonValue({ maxDepth: 2 }).map((each) => JSON.stringify(each)),
      fc.string({ maxLength: 20 }).map((text) => text.replaceAll('\n', ' ')),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 6 }), async (lines) =>
        expectPlace('rows.jsonl', (await read('rows.jsonl', lines.join('\n'))).error),
      ),
      { numRuns: RUNS, seed: 7 },
    )
  })

  test('with bad rows set aside, every row is a question or a bad one with its place, and no row is both', async () => {
    const fine = fc.tuple(fc.uuid(), fc.constantFrom('a text', 'another'), fc.constantFrom('', 'yes', 'no'))
    const any = fc.array(cell, { minLength: 1, maxLength: 4 })
    const filled = fc.array(fc.oneof(fine, any), { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(filled, async (cells) => {
        const bad: BadRow[] = []
        // A row of blanks is no row.
        const kept = cells.filter((row) => row.some((text) => csvLine([text]).trim() !== ''))
        const text = [['id', 'question', 'gold'], ...kept].map((row) => csvLine(row)).join('')
        const { questions, error } = await read('aside.csv', text, (row) => void bad.push(row))
        if (error !== null) expectPlace('aside.csv', error)
        else expect(questions.length + bad.length).toBe(kept.filter((row) => csvLine(row).trim() !== '').length)
        for (const { problem } of bad) expect(problem).toMatch(/: line \d+, column \d+: /u)
        expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length)
      }),
      { numRuns: RUNS, seed: 8 },
    )
  })
})
