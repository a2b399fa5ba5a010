import { createWriteStream, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { type BadRow, type QuestionFileOptions, readQuestions } from '../../src/questions/read-questions.ts'
import type { Question } from '../../src/record/question.ts'
import type { Answers } from '../../src/record/task.ts'
import { csvLine } from '../../src/text/csv-text.ts'

const answers: Answers = {
  kind: 'labels',
  labels: { refund: 'wants money back', 'bug report': 'reports a defect', 返金: '日本語' },
  shuffle: true,
}
const format: QuestionFileOptions = {
  common: { answers, seed: 7 },
  fields: { id: 'ticket', question: 'body', gold: 'label' },
  keepColumns: true,
}

const ROWS = sized({ short: 20_000, full: 100_000 })

const folder = mkdtempSync(join(tmpdir(), 'quorate-'))

async function read(name: string, content: string | Uint8Array, options = format): Promise<readonly Question[]> {
  const path = join(folder, name)
  writeFileSync(path, content)
  const list: Question[] = []
  for await (const question of readQuestions(path, options)) list.push(question)
  return list
}

describe('a file of texts under one set of labels', () => {
  test('as Excel writes it, with a mark and semicolons, keeps every column in its order', async () => {
    const csv =
      '\ufeffticket;body;amount;label;channel\r\nT-1;"Geld; zurück?"; 12,50 ;返金;mail\r\nT-2;Es geht nicht;;;\r\n'
    const [first, second] = await read('t.csv', csv)
    const mapped = { ...format, fields: { ...format.fields, group: 'channel' } }
    expect((await read('t.csv', csv, mapped))[0]?.group).toBe('mail')
    await expect(read('u.csv', 'ticket,body\nT-1,x\n', mapped)).rejects.toThrow(/the column of group must be a column/u)
    expect(first).toMatchObject({ id: 'T-1', question: 'Geld; zurück?', gold: '返金', group: null })
    expect(first?.columns).toEqual([
      ['ticket', 'T-1'],
      ['body', 'Geld; zurück?'],
      ['amount', ' 12,50 '],
      ['label', '返金'],
      ['channel', 'mail'],
    ])
    expect(new Set(first?.options.map(({ name }) => name))).toEqual(new Set(Object.keys(answers.labels)))
    expect(second).toMatchObject({ id: 'T-2', gold: null, group: null })
  })

  test('may be JSONL with the same fields', async () => {
    const [first] = await read('t.jsonl', '{"ticket":"T-1","body":"Why?","label":"bug report","amount":12}\n')
    expect(first).toMatchObject({ id: 'T-1', question: 'Why?', gold: 'bug report' })
    expect(first?.columns).toContainEqual(['amount', 12])
  })

  test.each([
    [
      'a row without text',
      'ticket,body\nT-1,  \n',
      /t\.csv: line 2, column 2: question \("body"\) must be a text that is not/u,
    ],
    [
      'a label outside the set',
      'ticket,body,label\nT-1,x,refnd\n',
      /line 2, column 3: gold \("label"\) must be one of ".*. Did you mean "refund"\?/u,
    ],
    ['two columns of one name', 'ticket,body,body\n', /line 1, column 3: every column must have a unique name/u],
    [
      'a cell of 2 MB',
      `ticket,body\nT-1,${'x'.repeat(2e6)}\n`,
      /line 2, column 2: question \("body"\) must be a text of at most 200000/u,
    ],
    [
      'another cell of 2 MB',
      `ticket,body,z\nT-1,x,${'x'.repeat(2e6)}\n`,
      /line 2, column 3: column "z" must be a text of at most/u,
    ],
    ['options of its own', 'x', /never/u],
  ])('%s is refused with line and column', async (what, csv, message) => {
    if (what === 'options of its own') {
      await expect(read('t.jsonl', '{"ticket":"1","body":"?","options":["a","b"]}')).rejects.toThrow(
        /line 1: options must be left out, or the answers of the config/u,
      )
    } else await expect(read('t.csv', csv)).rejects.toThrow(message)
  })

  test('broken UTF-8 is refused with its line and character', async () => {
    const bytes = Buffer.concat([
      Buffer.from('ticket,body\nT-1,fine\nT-2,caf'),
      Buffer.from([0xe9]),
      Buffer.from(' x\n'),
    ])
    await expect(read('t.csv', bytes)).rejects.toThrow(/t\.csv: line 3, character 8: expected text in UTF-8/u)
  })

  test('bad rows can be left out, and each is passed on with its problem', async () => {
    const bad: BadRow[] = []
    const csv = 'ticket,body,label\nT-1,fine,refund\nT-2,,\nT-3,x,nope\nT-4,short\nT-1,twice,\nT-5,fine,\n'
    const questions = await read('t.csv', csv, { ...format, onBad: (row) => void bad.push(row) })
    expect(questions.map(({ id }) => id)).toEqual(['T-1', 'T-5'])
    expect(bad.map(({ line, problem }) => `${line} ${problem.replace(/^.*?: line /u, '')}`)).toEqual([
      expect.stringMatching(/^3 3, column 2: question \("body"\) must be/u),
      expect.stringMatching(/^4 4, column 3: gold \("label"\) must be/u),
      expect.stringMatching(/^5 5, column 3: the row must be of 3 cells/u),
      expect.stringMatching(/^6 6, column 1: id \("ticket"\) must be a unique id: line 2/u),
    ])
  })

  test('of many rows is read with a flat heap: only ids stay', async () => {
    const path = join(folder, 'large.csv')
    const out = createWriteStream(path)
    out.write('ticket,body\n')
    for (let at = 0; at < ROWS; at++) out.write(csvLine([`T-${at}`, `${'words '.repeat(60)}${at}`]))
    out.end()
    await finished(out)
    const heaps: number[] = []
    let count = 0
    for await (const _ of readQuestions(path, format)) {
      count += 1
      if (count % (ROWS / 4) === 0) heaps.push(heapUsed())
    }
    expect(count).toBe(ROWS)
    // An id takes some 55 bytes, a whole row some 930.
    expect((heaps.at(-1) ?? 0) - (heaps[0] ?? 0)).toBeLessThan(250 * 0.75 * ROWS)
  })
})

/** After all garbage is collected. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

test('cells that a spreadsheet would run are escaped, and others are quoted as RFC 4180 has it', () => {
  expect(csvLine(['=1+1', '+1', '-1', '@x', '\tx', 'a,b', 'say "x"', ' b', 'plain'])).toBe(
    `'=1+1,'+1,'-1,'@x,'\tx,"a,b","say ""x"""," b",plain\r\n`,
  )
})
