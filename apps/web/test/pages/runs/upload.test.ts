import { describe, expect, test } from 'vitest'
import { readCsv } from '../../../src/pages/runs/csv-text.ts'
import { guessColumns, questionsOf } from '../../../src/pages/runs/upload-questions.ts'

function tableOf(text: string) {
  const read = readCsv(text)
  if (read.kind === 'refused') throw new Error(read.why)
  return read.table
}

describe('a CSV file', () => {
  test('has quoted cells with delimiters, quotation marks and line ends', () => {
    expect(tableOf('id,text\r\n1,"a, ""b""\nc"\r\n2,d\r\n')).toEqual({
      names: ['id', 'text'],
      rows: [
        ['1', 'a, "b"\nc'],
        ['2', 'd'],
      ],
    })
  })

  test('may use semicolons or tabs, and begin with a byte order mark', () => {
    expect(tableOf('\uFEFFid;text\n1;a').names).toEqual(['id', 'text'])
    expect(tableOf('id\ttext\n1\ta').rows).toEqual([['1', 'a']])
  })

  test.each([
    ['', 'The file is empty.'],
    ['id,text', 'one line'],
    ['id,id\n1,2', 'Two columns'],
    ['id,text\n1,2,3', 'Row 1 has 3 values'],
    ['id,text\n1,"2', 'opened in line 2 and never closed'],
    ['id,text\n1,"a\nb"\n2,"c\n3,d', 'opened in line 4 and never closed'],
    ['id,text\n1,"hel"lo', 'In line 2 a cell goes on after its closing quotation mark'],
    ['id,text\n1,"a\nb" \n2,c', 'In line 3 a cell goes on after its closing quotation mark'],
    ['id,text\n1,""a""', 'In line 2 a cell goes on after its closing quotation mark'],
    ['id,text\n1,he"llo', 'In line 2 a cell without quotation marks contains one'],
  ])('that cannot be read is refused in words: %j', (text, why) => {
    expect(readCsv(text)).toMatchObject({ kind: 'refused', why: expect.stringContaining(why) })
  })
})

describe('rows become questions', () => {
  const table = tableOf(
    'ticket,body,channel,options\nt1,Where is it?,mail,yes|no\nt1,Again?,mail,yes|no\nt2,,chat,yes|no\nt3,Why?,,yes\n',
  )

  test('with guessed columns, all columns as fields, and bad rows left out with a reason', () => {
    const choice = guessColumns(table)
    expect(choice).toMatchObject({ id: 'ticket', question: 'body', group: 'channel', optionColumn: 'options' })
    const { questions, bad } = questionsOf(table, choice, false)
    expect(questions).toEqual([
      {
        id: 't1',
        question: 'Where is it?',
        group: 'mail',
        options: ['yes', 'no'],
        fields: { ticket: 't1', body: 'Where is it?', channel: 'mail', options: 'yes|no' },
      },
    ])
    expect(bad).toEqual([
      'Row 2 has the id of an earlier row.',
      'Row 3 has no question.',
      'Row 4 has fewer than two options.',
    ])
  })

  test('without options if the task has labels', () => {
    const { questions } = questionsOf(table, { ...guessColumns(table), id: null }, true)
    expect(questions.map(({ id, options }) => [id, options])).toEqual(Array(3).fill([undefined, undefined]))
  })
})
