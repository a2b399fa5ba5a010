import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDebate } from '@quorate/certificate'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FileError } from '../../../src/files/file-error.ts'
import { csvDebates } from '../../../src/run/exchange/csv-debates.ts'
import { readDebateColumns, type TurnColumns } from '../../../src/run/exchange/debate-columns.ts'
import { simulatePanel } from '../../../src/simulated/simulate-panel.ts'
import { plainText } from '../../../src/text/plain-text.ts'
import { temporaryFolder } from '../../files/temporary-files.ts'
import { all } from '../run-world.ts'

const { folder } = temporaryFolder()

async function read(text: string, columns?: TurnColumns) {
  const path = join(folder, 'panel.csv')
  writeFileSync(path, text)
  return (await all(csvDebates(path, columns))).map(({ value }) => value)
}

function columns(...entries: string[]): TurnColumns {
  const read = readDebateColumns(entries)
  if (read.kind === 'refused') throw new Error(`${read.entry}: ${read.expected}`)
  return read.map
}

function csv(rows: readonly (readonly unknown[])[]): string {
  const cell = (value: unknown) => `"${String(value ?? '').replaceAll('"', '""')}"`
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

test('a spreadsheet of turns becomes debates, and fields of the question may be in its first row alone', async () => {
  const text = [
    'id,options,gold,group,round,agent,answer,confidence,text',
    'q1,A|B,A,easy,1,ann,A,0.9,"because, well"',
    'q1,,,,1,bob,,,',
    'q1,A|B,A,easy,2,bob,B,0.5,',
    'q1,,,,2,ann,A,,',
    'q2,A|B,,,1,ann,B,1,',
  ].join('\n')
  const turn = (agent: string, answer: string | null, verbal: number | null) => ({
    agent,
    answer,
    beliefs: null,
    conf: { verbal },
  })
  expect(await read(text)).toEqual([
    {
      quorate: 1,
      id: 'q1',
      group: 'easy',
      options: ['A', 'B'],
      gold: 'A',
      rounds: [
        [{ ...turn('ann', 'A', 0.9), text: 'because, well' }, turn('bob', null, null)],
        [turn('bob', 'B', 0.5), turn('ann', 'A', null)],
      ],
    },
    { quorate: 1, id: 'q2', group: null, options: ['A', 'B'], gold: null, rounds: [[turn('ann', 'B', 1)]] },
  ])
})

test('the header decides between commas, semicolons and tabs, and a comma may be the decimal point', async () => {
  const rows = (delimiter: string, certainty: string) =>
    [
      ['id', '"options, all"', 'round', 'agent', 'answer', 'confidence'].join(delimiter),
      ['q1', 'A|B', '1', 'ann', 'A', certainty].join(delimiter),
    ].join('\r\n')
  const map = columns('options=options, all')
  const [comma] = await read(rows(',', '0.5'), map)
  expect(comma).toMatchObject({ options: ['A', 'B'], rounds: [[{ answer: 'A', conf: { verbal: 0.5 } }]] })
  expect(await read(rows(';', '0,5'), map)).toEqual([comma])
  expect(await read(rows('\t', '0.5'), map)).toEqual([comma])
})

test('an error in a turn names the line of the turn', async () => {
  const text = 'id,options,round,agent,answer\nq1,A|B,1,ann,A\nq1,,1,bob,B\nq1,,2,ann,A\nq1,,2,bob,C\n'
  await expect(read(text)).rejects.toThrow(/panel\.csv: line 5: answer must be null or one of .*, got "C"/)
})

test('columns may have any name, options and beliefs may have a column each, and beliefs may be JSON in one column', async () => {
  const map = columns(
    'id=Case',
    'agent=Model',
    'round=Turn',
    'answer=Says',
    'options.__proto__=First',
    'options.B=Second',
  )
  const beliefs = columns('id=Case', 'agent=Model', 'round=Turn', 'answer=Says', 'beliefs.A=pA', 'beliefs.B=pB')
  const [named] = await read('Case,Turn,Model,Says,First,Second\nq,1,x,B,one,two\n', map)
  expect(JSON.stringify(named)).toContain('"options":{"__proto__":"one","B":"two"}')
  const [several] = await read('Case,Turn,Model,Says,options,pA,pB\nq,1,x,,A|B,0.25,0.75\n', beliefs)
  expect(several).toMatchObject({ rounds: [[{ answer: null, beliefs: { A: 0.25, B: 0.75 } }]] })
  const [one] = await read('id,round,agent,answer,options,beliefs\nq,1,x,A,A|B,"{""A"": 1}"\n')
  expect(one).toMatchObject({ rounds: [[{ beliefs: { A: 1 } }]] })
})

test('debates written as a table come back as they were', async () => {
  const debates = simulatePanel({ seed: 4, count: 25 })
  const rows = debates.flatMap(({ id, group, question, options, gold, rounds }) =>
    rounds.flatMap((turns, round) =>
      turns.map(({ agent, answer, conf }) => [
        ...[id, group, question, JSON.stringify(options), gold, round + 1, agent, answer, conf?.verbal],
      ]),
    ),
  )
  const header = ['id', 'group', 'question', 'options', 'gold', 'round', 'agent', 'answer', 'confidence']
  const back = await read(csv([header, ...rows]))
  for (const [index, value] of back.entries()) {
    expect(parseDebate(value, { elicitation: 'stated' })).toEqual(
      parseDebate(debates[index], { elicitation: 'stated' }),
    )
  }
  expect(back.length).toBe(25)
})

describe('refused, with file, line, field, what was expected and what came', () => {
  const HEADER = 'id,options,gold,round,agent,answer,confidence\n'
  test.each([
    ['a missing column', 'id,options,agent,answer\n', 'line 1: the column of round must be a column of the header'],
    ['a blank id', `${HEADER},A|B,,1,x,A,\n`, 'line 2: id must be a name that is not blank, got nothing'],
    [
      'a round that is not a number',
      `${HEADER}q,A|B,,first,x,A,\n`,
      'line 2: round must be a whole number from 1 to 64, got "first"',
    ],
    ['a round 0', `${HEADER}q,A|B,,0,x,A,\n`, 'line 2: round must be a whole number from 1 to 64, got "0"'],
    ['a missing round', `${HEADER}q,A|B,,1,x,A,\nq,,,3,x,A,\n`, 'line 2: round must be every number from 1 to 2'],
    [
      'an agent twice',
      `${HEADER}q,A|B,,1,x,A,\nq,,,1,x,B,\n`,
      'line 3: agent must be one that has no turn in round 1 yet, got "x"',
    ],
    [
      'a percentage',
      `${HEADER}q,A|B,,1,x,A,85\n`,
      'line 2: confidence must be a number from 0 to 1, or blank, got "85"',
    ],
    ['a word', `${HEADER}q,A|B,,1,x,A,high\n`, 'line 2: confidence must be a number from 0 to 1, or blank, got "high"'],
    [
      'another label',
      `${HEADER}q,A|B,A,1,x,A,\nq,A|B,B,1,y,A,\n`,
      'line 3: gold must be as in line 2 of the same debate, or blank, got "B"',
    ],
    [
      'rows that are apart',
      `${HEADER}q,A|B,,1,x,A,\nr,A|B,,1,x,A,\nq,A|B,,1,y,A,\n`,
      'line 4: id must be in rows that stand together',
    ],
    ['a short row', `${HEADER}q,A|B\n`, 'line 2, column 3: the row must be of 7 cells like the header'],
    [
      'beliefs that are no object',
      'id,options,round,agent,answer,beliefs\nq,A|B,1,x,A,0.9\n',
      'line 2: beliefs must be a JSON object',
    ],
  ])('%s', async (_, text, words) => {
    await expect(read(text)).rejects.toThrow(words)
    await expect(read(text)).rejects.toThrow('panel.csv: line')
  })

  test.each([['rnd=1'], ['round='], ['beliefs.=x']])('the map %s', (entry) => {
    expect(readDebateColumns([entry])).toMatchObject({ kind: 'refused', entry })
  })
})

test('any text is read or refused with one line', async () => {
  const cell = fc.oneof(fc.constantFrom('q', 'A', 'A|B', '1', '0.5', '', '{"A":1}', '"'), fc.string({ maxLength: 6 }))
  const table = fc.array(fc.array(cell, { minLength: 6, maxLength: 6 }), { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(table, async (rows) => {
      try {
        await read(csv([['id', 'options', 'round', 'agent', 'answer', 'confidence'], ...rows]))
      } catch (error) {
        expect(error).toBeInstanceOf(FileError)
        expect(String(error)).toBe(plainText(String(error)))
      }
    }),
    { seed: 3, numRuns: 200 },
  )
})
