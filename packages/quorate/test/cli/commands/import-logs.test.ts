import { expect, test } from 'vitest'
import { lmEvalSample, MODELS, madeUpAnswers, writeJsonLines } from '../../run/exchange/made-up-logs.ts'
import { commandFolder } from '../command-folder.ts'

const AGENTS = [{ name: 'ada', model: 'simulated/ada' }]
const CONFIG = { panel: { agents: AGENTS, rounds: 3 }, budget: { beta: 0.3 } }

function withLogs(count: number) {
  const folder = commandFolder(CONFIG)
  const answers = madeUpAnswers(count)
  const files = MODELS.map((model, index) => {
    const name = `${model}/samples_puzzles_2026-11-16T10-00-00.000000.jsonl`
    const samples = answers.map((answer, id) => lmEvalSample(answer, index, id))
    writeJsonLines(folder.at(name), samples)
    return name
  })
  return { ...folder, files }
}

test('two commands lead from logs to a certificate, by a file or by the store', async () => {
  const { run, files } = withLogs(300)
  const imported = await run(['import', ...files, '--format', 'lm-eval', '--out', 'd.jsonl', '--json'])
  expect(imported.json(), imported.stderr).toMatchObject({
    format: 'lm-eval',
    debates: 300,
    models: MODELS,
    leftOut: 0,
  })
  const made = await run(['calibrate', 'd.jsonl', '--beliefs', 'given', '--out', 'c.json', '--json'])
  expect(made.json(), made.stderr).toMatchObject({ debates: 300, rounds: 3, reading: { beliefs: 'given' } })
  expect(made.status).toBe(0)

  const stored = await run(['import', ...files, '--format', 'lm-eval', '--sizes', '1,3', '--json'])
  expect(stored.stderr).toBe('')
  const again = await run(['calibrate', '--run', stored.json().runId, '--out', 'c2.json', '--json'])
  expect(again.stderr).toBe('')
  expect(again.json()).toMatchObject({ debates: 300, rounds: 2 })
})

test('wrong flags are refused in one line', async () => {
  const { run, files } = withLogs(3)
  const refused = async (...args: readonly string[]) => (await run(['import', ...files.slice(0, 1), ...args])).stderr
  expect(await refused('--format', 'lmeval')).toContain('--format must be')
  expect(await refused('--format', 'lm-eval', '--sizes', '3,1')).toContain('--sizes must be growing numbers of models')
  expect(await refused('--format', 'lm-eval', '--sizes', '2')).toContain('--sizes must be at most 1')
  expect(await refused('--format', 'lm-eval', '--map', 'id=x')).toContain(
    'with a field of question, options, gold, group',
  )
  expect(await refused('--as', 'debates', '--partial')).toContain('import: --partial needs --format')
})
