import { spawnSync } from 'node:child_process'
import { readDebates } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import {
  growingPanel,
  hasRecordedData,
  NO_RECORDED_DATA,
  type RecordedName,
  readRecorded,
} from '../../src/data/recorded.ts'
import { openWorld, splitInHalves } from '../../src/reproduce/measure/worlds.ts'

if (!hasRecordedData) console.log(`experiments: suites over recorded debates are skipped: ${NO_RECORDED_DATA}`)

/** Questions, rounds, agents of each round; from the descriptions beside the files. */
const SHAPES: readonly (readonly [RecordedName, number, readonly number[]])[] = [
  ['conformal-llm-mmlu-10prompts', 2886, [10]],
  ['dylan-math-open-3agents', 3499, [3, 3]],
  ['dylan-mmlu-3agents', 2809, [3, 3, 3]],
  ['gpqa-debate-sonnet-a', 198, [3, 3, 3]],
  ['gpqa-debate-sonnet-b', 198, [3, 3, 3]],
  ['medagents-10models', 6976, [10]],
  ['medagents-10models-growing', 6976, [3, 6, 9]],
  ['mmlu-pro-14models', 11_960, [3, 6, 10, 14]],
  ['mmlu-pro-conf-12models', 11_824, [3, 6, 9, 12]],
  ['mmlu-pro-conf-trio-mid', 11_824, [3]],
  ['mmlu-pro-paper-families', 11_824, [3]],
  ['umass-judges-triviaqa', 3200, [9]],
]

describe.skipIf(!hasRecordedData)('recorded debates', () => {
  test.each(SHAPES)('%s has the questions and panels of its description', (name, questions, agents) => {
    const debates = readRecorded(name)
    expect(debates.length).toBe(questions)
    expect(new Set(debates.map(({ id }) => id)).size).toBe(questions)
    expect(new Set(debates.map(({ rounds }) => rounds.map((turns) => turns.length).join()))).toEqual(
      new Set([agents.join()]),
    )
  })

  test('the growing panel of twelve models polls the cheap ones first', () => {
    const [{ rounds } = { rounds: [] }] = readRecorded('mmlu-pro-conf-12models')
    expect(rounds[0]?.map(({ agent }) => agent)).toEqual([
      'gpt-4o-mini-2024-07-18',
      'claude-3-5-haiku-20241022',
      'gemini-1.5-flash',
    ])
    expect(rounds[3]?.map(({ agent }) => agent).slice(-3)).toEqual([
      'gemma-2-9b-it',
      'gpt-4.1',
      'claude-3-7-sonnet-20250219',
    ])
    expect(rounds[1]?.slice(0, 3)).toEqual(rounds[0])
  })

  test('rounded softmax beliefs are renormalised, and then pass the reader', () => {
    const debates = readRecorded('conformal-llm-mmlu-10prompts')
    for (const turn of debates.flatMap(({ rounds }) => rounds.flat())) {
      const sum = Object.values(turn.beliefs ?? {}).reduce((total, share) => total + share, 0)
      expect(Math.abs(sum - 1)).toBeLessThan(1e-12)
    }
    expect(readDebates(debates).debates.length).toBe(2886)
  })

  test('the trio keeps what its models stated, not beliefs derived from it', () => {
    const turns = readRecorded('mmlu-pro-conf-trio-mid').flatMap(({ rounds }) => rounds.flat())
    expect(turns.some(({ beliefs }) => beliefs)).toBe(false)
    expect(turns.filter(({ conf }) => typeof conf?.verbal === 'number').length).toBeGreaterThan(30_000)
  })

  test('of the families of the paper the first three are read, a token probability standing in for a missing confidence', () => {
    const turns = readRecorded('mmlu-pro-paper-families').flatMap(({ rounds }) => rounds.flat())
    expect(new Set(turns.map(({ agent }) => agent))).toEqual(
      new Set(['claude-3-5-haiku-20241022', 'deepseek-reasoner', 'Qwen3-32B-think']),
    )
    const unstated = readRecorded('mmlu-pro-conf-12models').flatMap(({ rounds }) => rounds[0]!)
    expect(unstated.some(({ conf }) => conf?.verbal === null)).toBe(true)
  })

  test('halves never separate the eight runs of a judged question', () => {
    const read = openWorld({ kind: 'recorded', name: 'umass-judges-triviaqa' })
    const { train, test: tested } = splitInHalves(read, 7)
    const questions = (part: typeof read) => new Set(part.debates.map(({ record }) => record.questionOf))
    expect([...questions(train)].filter((question) => questions(tested).has(question))).toEqual([])
    expect(questions(train).size).toBe(200)
  })

  test('dylan is read with the abstentions of its description', () => {
    const { debates } = readDebates(readRecorded('dylan-mmlu-3agents'))
    const abstained = debates.reduce((sum, { rounds }) => sum + rounds[0]!.abstentions, 0) / debates.length
    expect(abstained).toBeCloseTo(0.0554, 4)
  })
})

test('growingPanel repeats earlier agents and adds the next in order', () => {
  const turns = ['a', 'b', 'c', 'd'].map((agent) => ({ agent, answer: 'A' }))
  const names = (sizes: number[], order?: number[]) =>
    growingPanel(turns, sizes, order).map((round) => round.map(({ agent }) => agent).join(''))
  expect(names([1, 3])).toEqual(['a', 'abc'])
  expect(names([2, 4], [3, 1, 0, 2])).toEqual(['db', 'dbac'])
})

test('without recorded debates the tables report it in one line and exit with 0', () => {
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--conditions=quorate-source', 'experiments/src/tables/main.ts', '--check'],
    { encoding: 'utf8', env: { ...process.env, QUORATE_DATA: 'no-such-folder' } },
  )
  expect(status).toBe(0)
  expect(stdout.trimEnd().split('\n')).toEqual([
    'tables: no recorded debates in no-such-folder: set QUORATE_DATA to the folder that holds them',
  ])
})
