import { readdirSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { simulatePanel } from '../../../src/simulated/simulate-panel.ts'
import { openSqlite } from '../../../src/store/sqlite/open-sqlite.ts'
import { commandFolder } from '../command-folder.ts'

const AGENTS = ['ada', 'bob', 'cleo'].map((name) => ({ name, model: `simulated/${name}` }))
const CONFIG = { panel: { agents: AGENTS, rounds: 4 }, budget: { beta: 0.3 } }

/** The debates of a panel in a spreadsheet. */
function spreadsheet(count: number): string {
  const rows = simulatePanel({ seed: 3, count }).flatMap(({ id, options, gold, rounds }) =>
    rounds.flatMap((turns, round) =>
      turns.map(({ agent, answer, conf }) =>
        [id, Object.keys(options).join('|'), gold, round + 1, agent, answer ?? '', conf?.verbal ?? ''].join(','),
      ),
    ),
  )
  return ['Case,Choices,Truth,Turn,Model,Says,Certainty', ...rows].join('\r\n')
}

const MAP = ['id=Case', 'options=Choices', 'gold=Truth', 'round=Turn', 'agent=Model', 'answer=Says']
const MAPPED = [...MAP, 'confidence=Certainty'].flatMap((entry) => ['--map', entry])

test('a spreadsheet of debates becomes a run that a certificate is made from', async () => {
  const { at, run } = commandFolder(CONFIG)
  writeFileSync(at('panel.csv'), spreadsheet(120))
  const imported = await run(['import', 'panel.csv', '--as', 'debates', '--json', ...MAPPED])
  expect(imported.json(), imported.stderr).toMatchObject({ as: 'debates', debates: 120 })
  const { runId } = imported.json()
  const made = await run(['calibrate', '--run', runId, '--beliefs', 'stated', '--out', 'c.json', '--json'])
  expect(made.status, made.stderr).toBe(0)
  expect(made.json()).toMatchObject({ debates: 120, rounds: 4 })
})

test('a wrong line is named with file, line, field, expected and received, and nothing is imported', async () => {
  const { at, run } = commandFolder(CONFIG)
  writeFileSync(at('panel.csv'), `${spreadsheet(5)}\r\nlast,A|B,A,1,ada,A,90\r\n`)
  const refused = await run(['import', 'panel.csv', '--as', 'debates', ...MAPPED])
  expect(refused).toMatchObject({
    status: 1,
    stdout: '',
    stderr: 'quorate: panel.csv: line 62: confidence must be a number from 0 to 1, or blank, got "90"\n',
  })
  writeFileSync(at('labels.csv'), 'id,gold\nq1,A\nq2,\n')
  const labels = await run(['import', 'labels.csv', '--as', 'labels'])
  expect(labels).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('labels.csv: line 3: gold must be a text'),
  })
  const wrong = await run(['import', 'panel.csv', '--as', 'debates', '--map', 'rnd=Turn'])
  expect(wrong).toMatchObject({ status: 2, stderr: expect.stringContaining('with a field of id, question') })
  const store = openSqlite(at('.quorate/quorate.db'), { now: () => 0 })
  expect(await store.runs.list(9)).toEqual([])
  expect(await store.labels.list({ after: null, limit: 9 })).toEqual([])
  await store.close()
})

test('questions with a mistake after a good row are refused in one line, and no file is left behind', async () => {
  const { at, folder, run } = commandFolder(CONFIG)
  writeFileSync(at('late.csv'), 'id;question;options;gold\r\n1;a;ja|nein;ja\r\n2;b;ja|nein;maybe\r\n')
  const refused = await run(['import', 'late.csv', '--as', 'questions', '--out', 'late.jsonl'])
  expect(refused).toMatchObject({
    status: 1,
    stdout: '',
    stderr: 'quorate: late.csv: line 3, column 4: gold must be one of "ja", "nein", got "maybe"\n',
  })
  expect(readdirSync(folder).sort()).toEqual(['late.csv', 'quorate.config.json'])
  const nowhere = await run(['import', 'late.csv', '--as', 'questions', '--out', 'none/late.jsonl'])
  expect(nowhere.stderr).toBe('quorate: cannot write none/late.jsonl: there is no such file or folder\n')
})

test('questions where debates are expected are recognised, whichever command reads them', async () => {
  const { at, run } = commandFolder(CONFIG)
  writeFileSync(at('q.jsonl'), '{"id":"1","question":"Which?","options":["A","B"],"gold":"A"}\n')
  const calls = [
    ['import', 'q.jsonl', '--as', 'debates'],
    ['calibrate', 'q.jsonl', '--out', 'c'],
    ['plan', 'q.jsonl', '--beta', '0.1'],
  ]
  for (const args of calls) {
    expect((await run(args)).stderr).toContain('q.jsonl: line 1: rounds is missing. These look like questions')
  }
})
