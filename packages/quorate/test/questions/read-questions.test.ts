import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readColumnMap } from '../../src/questions/column-map.ts'
import type { ColumnMap } from '../../src/questions/csv-questions.ts'
import { readQuestions } from '../../src/questions/read-questions.ts'
import type { Question } from '../../src/record/question.ts'

async function read(name: string, content: string | Uint8Array, columns?: ColumnMap): Promise<readonly Question[]> {
  const path = join(mkdtempSync(join(tmpdir(), 'quorate-')), name)
  writeFileSync(path, content)
  return listed(readQuestions(path, columns === undefined ? {} : { columns }))
}

async function listed<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}

const json = (...values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join('\n')
const q = { id: 'q1', question: 'Which?', options: ['yes', 'no'] }

describe('questions from JSONL', () => {
  test('have options in the order of the array', async () => {
    const [question] = await read('q.jsonl', json({ quorate: 1, ...q, gold: 'no', group: 'g', extra: 1 }))
    expect(question).toEqual({
      id: 'q1',
      question: 'Which?',
      options: ['yes', 'no'].map((name) => ({ name, text: name })),
      gold: 'no',
      group: 'g',
    })
  })

  test('have options by code point if they have texts, __proto__ among them', async () => {
    const [question] = await read(
      'q.jsonl',
      '{"id":"a","question":"?","options":{"😀":"3","Ａ":"2","__proto__":"1","B":"0"}}',
    )
    expect(question?.options.map(({ name, text }) => name + text)).toEqual(['B0', '__proto__1', 'Ａ2', '😀3'])
    expect(question?.gold).toBeNull()
  })

  test('survive a byte order mark, Windows line ends, blank lines, and separators that JSON allows', async () => {
    const content = `\ufeff${JSON.stringify(q)}\r\n\r\n{"id":"q2","question":"a\u2028b","options":["x","y"]}`
    expect((await read('q.jsonl', content)).map(({ question }) => question)).toEqual(['Which?', 'a\u2028b'])
  })

  test('are read across the chunks of a long file', async () => {
    const many = Array.from({ length: 3000 }, (_, index) => ({ ...q, id: `é${index}`, question: 'é'.repeat(50) }))
    expect((await read('q.jsonl', json(...many))).map(({ id }) => id)).toEqual(many.map(({ id }) => id))
  })

  test.each([
    ['panel: { agents: [] }', /q\.jsonl: line 1: the line must be one JSON object, got "panel: \{ agents/u],
    ['{', /q\.jsonl: line 1, column 2: the line must be one JSON object, got "\{"/u],
    ['{"at position 7": x}', /q\.jsonl: line 1: the line must be one JSON object, got "\{/u],
    ['["at position 7" x]', /q\.jsonl: line 1, column 18: the line must be one JSON object/u],
    ['[]', /line 1: the line must be one JSON object, got an array of 0/u],
    [json(q, { ...q, id: 7 }), /line 2: id must be a text that is not blank, got 7/u],
    [json({ ...q, quorate: 2 }), /line 1: quorate must be 1, got 2/u],
    [json({ ...q, question: ' ' }), /question must be a text that is not blank, got ""/u],
    [json({ ...q, options: 'ab' }), /options must be an array of names or an object of name to text, got "ab"/u],
    [json({ ...q, options: ['a'] }), /options must be 2 to 500 options, got an array of 1/u],
    [json({ ...q, options: ['a', 'a'] }), /options\[1\] must be a unique name: options\[0\] has the same, got "a"/u],
    [json({ ...q, options: { a: 'x', b: 1 } }), /options\["b"\] must be a text that is not blank, got 1/u],
    [json({ ...q, gold: 'maybe' }), /gold must be one of "yes", "no", got "maybe"/u],
    [json({ ...q, group: 3 }), /group must be a string, got 3/u],
    [
      json({ ...q, id: 'q\u001b[2J' }),
      /line 1: id must be text without control characters.*got U\+001B at character 2/u,
    ],
    [json({ ...q, group: 'two\nlines' }), /line 1: group must be text without control characters/u],
    [
      json({ ...q, id: '..' }),
      /line 1: id must be any id except "\." and "\.\.", which a URL cannot contain, got "\.\."/u,
    ],
    [json(q, q), /line 2: id must be a unique id: line 1 has the same, got "q1"/u],
    ['\n', /expected questions, one per line, got none/u],
  ])('are refused by file, line and field: %s', async (content, message) => {
    await expect(read('q.jsonl', content)).rejects.toThrow(message)
  })

  test('in another encoding are refused, and so is a file that is not there', async () => {
    await expect(read('q.jsonl', new Uint8Array([0x7b, 0xe9, 0x7d]))).rejects.toThrow(/expected text in UTF-8/u)
    await expect(listed(readQuestions('nowhere.jsonl'))).rejects.toThrow(/cannot read nowhere\.jsonl/u)
  })

  test('never print what controls a terminal', async () => {
    const error = await read('q.jsonl', json({ ...q, gold: '\u001b[2J\u202e' })).catch((cause: Error) => cause.message)
    expect(error).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  })
})

describe('questions from CSV', () => {
  test('have names in one column or texts in several, and cells as RFC 4180 quotes them', async () => {
    const csv =
      '\ufeffid,question,options,gold,group\r\n1,"Is ""it"",\r\nhere?", yes | no ,no,\r\n\r\n2,Why?,"[""a|b"",""c""]",,g\r\n'
    expect(await read('q.csv', csv)).toEqual([
      {
        id: '1',
        question: 'Is "it",\r\nhere?',
        options: [
          { name: 'yes', text: 'yes' },
          { name: 'no', text: 'no' },
        ],
        gold: 'no',
        group: null,
      },
      {
        id: '2',
        question: 'Why?',
        options: [
          { name: 'a|b', text: 'a|b' },
          { name: 'c', text: 'c' },
        ],
        gold: null,
        group: 'g',
      },
    ])
  })

  test('have an option for each column, none for a blank cell', async () => {
    const csv = 'id,question,options.B,options.A,options.C\n1,?,two,one,\n2,?,zwei,eins,drei'
    const questions = await read('q.csv', csv)
    expect(questions.map(({ options }) => options.map(({ name, text }) => name + text))).toEqual([
      ['Aone', 'Btwo'],
      ['Aeins', 'Bzwei', 'Cdrei'],
    ])
  })

  test('have their columns from a map', async () => {
    const map = readColumnMap(['id=Nr', 'question=Text', 'options.A=first', 'options.B=second = 2', 'gold=key'])
    expect(map.kind).toBe('map')
    const columns = map.kind === 'map' ? map.map : {}
    const [question] = await read('q.txt', 'Nr,Text,first,second = 2,key\n1,?,x,y,B', columns)
    expect(question).toMatchObject({
      id: '1',
      options: [
        { name: 'A', text: 'x' },
        { name: 'B', text: 'y' },
      ],
      gold: 'B',
    })
  })

  test('take another separator', async () => {
    const map = readColumnMap(['options=o'], ';')
    const [question] = await read('q.csv', 'id,question,o\n1,?,x;y', map.kind === 'map' ? map.map : {})
    expect(question?.options.map(({ name }) => name)).toEqual(['x', 'y'])
  })

  test.each([
    [
      'id,question\n1,?',
      /line 1: the column of options must be a column of the header, got "options".*--map options=COLUMN/u,
    ],
    [
      'id,id,question,options\n',
      /line 1, column 2: every column must have a unique name, got "id" again, which column 1 has too/u,
    ],
    ['id,question,options\n1,?', /line 2, column 3: the row must be of 3 cells like the header, got an array of 2/u],
    ['id,question,options\n1,"?,a|b\n', /line 2, column 2: expected a closing ", got the end of the file/u],
    ['id,question,options\n1,"?"x,a|b\n', /line 2, column 2: expected a comma or the end of the row after ", got "x"/u],
    ['id,question,options\n1,"?\n?",a|b\n2,?,a\n', /line 4: options must be 2 to 500/u],
    ['id,question,options\r\n\r\n1,"?\r\n?",a|b\r\n2,?,a\r\n', /line 5: options must be 2 to 500/u],
    [
      'id,question,options\n1,a 6" pipe,a|b\n',
      /line 2, column 2: expected a cell that contains a " to be in quotes, with "" for/u,
    ],
    [
      `id,question,options\n1,"${'x'.repeat(17 * 2 ** 20)}`,
      /line 2, column 2: expected a row of at most 16777216 bytes/u,
    ],
    ['id,question,options\n1,?,[a\n', /line 2: options must be JSON/u],
    ['id,question,options\n1,?,a|b\n1,?,a|b', /line 3, column 1: id must be a unique id: line 2/u],
  ])('are refused by file, line and field: %#', async (content, message) => {
    await expect(read('q.csv', content)).rejects.toThrow(message)
  })
})

describe('a column map', () => {
  test.each([
    [['id'], 'id'],
    [['x=y'], 'x=y'],
    [['id='], 'id='],
    [['id=a', 'id=b'], 'id=b'],
    [['options.=a'], 'options.=a'],
    [['options=a', 'options.A=b'], 'options=a'],
  ])('refuses %j and says which entry', (entries, entry) => {
    expect(readColumnMap(entries)).toMatchObject({ kind: 'refused', entry })
  })
})
