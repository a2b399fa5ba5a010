import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { parquetWriteFile } from 'hyparquet-writer'
import { describe, expect, test } from 'vitest'
import { type BenchmarkFormat, loadBenchmark } from '../../src/questions/benchmarks/load-benchmark.ts'
import { temporaryFolder } from '../store/temporary-folder.ts'

/** Every row is made up. Nothing here comes from a benchmark. */
function written(name: string, text: string): string {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, text)
  return path
}

async function load(format: BenchmarkFormat, path: string, seed = 1) {
  const { questions, ...counts } = await loadBenchmark(format, [path], { seed })
  const texts = questions.map(({ options, gold, ...question }) => ({
    ...question,
    options: options.map(({ name, text }) => `${name}=${text}`),
    right: options.find(({ name }) => name === gold)?.text,
  }))
  return { questions: texts, ...counts }
}

const lines = (...rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

describe('gpqa', () => {
  const header =
    'Record ID,Question,Correct Answer,Incorrect Answer 1,Incorrect Answer 2,Incorrect Answer 3,High-level domain'
  const rows = Array.from({ length: 40 }, (_, index) => `rec${index},"Which\nis ${index}?",right ${index},x,y,z,Sums`)

  test('options are shuffled by seed and question, and the right one keeps its text', async () => {
    const path = written('gpqa_main.csv', `${header}\n${rows.join('\n')}\n`)
    const { questions } = await load('gpqa', path, 7)
    expect(questions).toHaveLength(40)
    expect(questions[3]).toMatchObject({ id: 'gpqa-rec3', group: 'Sums', question: 'Which\nis 3?', right: 'right 3' })
    const places = questions.map(({ options, right }) => options.findIndex((option) => option.endsWith(`=${right}`)))
    for (const place of [0, 1, 2, 3]) expect(places.filter((each) => each === place).length).toBeGreaterThan(2)
    expect(await load('gpqa', path, 7)).toEqual(await load('gpqa', path, 7))
    expect(await load('gpqa', path, 8)).not.toEqual(await load('gpqa', path, 7))
    const turned = written('gpqa.csv', `${header}\n${rows.toReversed().join('\n')}\n`)
    expect((await load('gpqa', turned, 7)).questions.toReversed()).toEqual(questions)
  })

  test('no error repeats the text of a row', async () => {
    const bad = written('gpqa.csv', `${header}\nrec1,SECRET question,SECRET answer,,SECRET,SECRET,Sums\n`)
    await expect(load('gpqa', bad)).rejects.toThrow(
      /line 2: the column "Incorrect Answer 1" must have a text, got none$/,
    )
    const short = written('gpqa.csv', `${header}\nSECRET\n`)
    const reported = await load('gpqa', short).catch((error: Error) => error.message)
    expect(reported).not.toContain('SECRET')
  })
})

test('bbh: letters, dashes and subtasks without a list of options; free answers are refused', async () => {
  const file = (name: string, ...examples: readonly object[]) => written(name, JSON.stringify({ canary: '', examples }))
  const input = 'Which day?\nOptions:\n(A) Monday\n(B) Tuesday\n(C) Friday'
  expect((await load('bbh', file('date.json', { input, target: '(C)' }))).questions[0]).toMatchObject({
    group: 'date',
    question: 'Which day?',
    options: ['A=Monday', 'B=Tuesday', 'C=Friday'],
    right: 'Friday',
  })
  const dashed = file('navigate.json', { input: 'Back?\nOptions:\n- Yes\n- No', target: 'No' })
  expect((await load('bbh', dashed)).questions[0]).toMatchObject({ options: ['Yes=Yes', 'No=No'], right: 'No' })
  const bare = file('boolean.json', { input: 'not True is', target: 'False' })
  expect((await load('bbh', bare)).questions[0]).toMatchObject({
    options: ['True=True', 'False=False'],
    right: 'False',
  })
  const free = file('word_sorting.json', { input: 'Sort: b a', target: 'a b' })
  await expect(load('bbh', free)).rejects.toThrow('examples[0].input must be a question with "Options:"')
  await expect(load('bbh', file('d.json', { input, target: '(D)' }))).rejects.toThrow(
    /examples\[0\]\.target must be one of A, B, C, got "\(D\)"/,
  )
})

test('logiqa: blocks of eight lines', async () => {
  const block = (letter: string, passage: string) =>
    `\n${letter}\n${passage}\nWhich follows?\nA.one\nB.two\nC.three\nD.four\n`
  const { questions } = await load('logiqa', written('Test.txt', block('c', 'All cats.') + block('a', 'All dogs.')))
  expect(questions).toHaveLength(2)
  expect(questions[0]).toMatchObject({
    question: 'All cats.\n\nWhich follows?',
    options: ['A=one', 'B=two', 'C=three', 'D=four'],
    right: 'three',
  })
  const torn = written('t.txt', `${block('c', 'All cats.')}\na\nAll dogs.\n`)
  await expect(load('logiqa', torn)).rejects.toThrow('line 10: a block must have 7 lines after a blank one, got 2')
  await expect(load('logiqa', written('t.txt', block('e', 'x')))).rejects.toThrow(
    'line 2: the right answer must be a letter from a to d, got "e"',
  )
  const shifted = written('t.txt', '\na\npassage\nquestion\nB.one\nB.two\nC.three\nD.four\n')
  await expect(load('logiqa', shifted)).rejects.toThrow('line 5: the option must be a text behind "A.", got "B.one"')
})

test('logiqa2: JSON lines', async () => {
  const row = { id: 9, answer: 1, text: 'All cats.', type: {}, question: 'Which?', options: ['a', 'b', 'c', 'd'] }
  const { questions } = await load('logiqa2', written('train.txt', lines(row)))
  expect(questions[0]).toMatchObject({ id: 'logiqa2-9', question: 'All cats.\n\nWhich?', right: 'b' })
  await expect(load('logiqa2', written('t.txt', lines(row, { ...row, answer: 'b' })))).rejects.toThrow(
    'line 2: answer must be a number, got "b"',
  )
})

const HUB_ARC = {
  id: 'X_2',
  question: 'Why?',
  choices: { text: ['a', 'b', 'c'], label: ['1', '2', '3'] },
  answerKey: '3',
}

test('arc: letters or digits, as published and as the hub has it', async () => {
  const choices = ['A', 'B', 'C', 'D'].map((label) => ({ text: `text ${label}`, label }))
  const original = { id: 'X_1', question: { stem: 'Why?', choices }, answerKey: 'B' }
  const { questions } = await load('arc', written('ARC.jsonl', lines(original, HUB_ARC)))
  expect(questions).toMatchObject([
    { id: 'arc-X_1', right: 'text B' },
    { id: 'arc-X_2', options: ['1=a', '2=b', '3=c'], right: 'c' },
  ])
  await expect(load('arc', written('a.jsonl', lines({ ...original, answerKey: 'E' })))).rejects.toThrow(
    'line 1: answerKey must be one of the labels A, B, C, D, got "E"',
  )
})

test('musr: stories with questions', async () => {
  const story = { context: 'A story.', questions: [{ question: 'Who?', choices: ['Ann', 'Bob'], answer: 1 }] }
  const { questions } = await load('musr', written('murder_mystery.json', JSON.stringify([story])))
  expect(questions[0]).toMatchObject({ group: 'murder_mystery', question: 'A story.\n\nWho?', right: 'Bob' })
  const wrong = { ...story, questions: [{ ...story.questions[0], answer: 2 }] }
  await expect(load('musr', written('m.json', JSON.stringify([story, wrong])))).rejects.toThrow(
    '[1].questions[0].answer must be below 2, an index, got 2',
  )
})

const PRO = { question_id: 70, question: 'Which?', category: 'law', src: 'made-up' }
const TEN = Array.from({ length: 10 }, (_, index) => `option ${index}`)

test('mmlu-pro: up to ten options, and fillers are no options', async () => {
  const rows = [
    { ...PRO, options: TEN, answer: 'J', answer_index: 9 },
    { ...PRO, question_id: 71, options: ['a', 'N/A', 'b', 'N/A'], answer: 'C', answer_index: 2 },
  ]
  const { questions } = await load('mmlu-pro', written('test.jsonl', lines(...rows)))
  expect(questions[0]).toMatchObject({ id: 'mmlu-pro-70', group: 'law', right: 'option 9' })
  expect(questions[0]?.options).toHaveLength(10)
  expect(questions[1]).toMatchObject({ options: ['A=a', 'B=b'], right: 'b' })
  const listed = written('test.json', JSON.stringify(rows))
  expect((await load('mmlu-pro', listed)).questions).toEqual(questions)
  await expect(load('mmlu-pro', written('t.jsonl', lines({ ...rows[0], answer_index: 3 })))).rejects.toThrow(
    'line 1: answer_index must be 9, the index of J, got 3',
  )
})

test('parquet: rows as the hub publishes them, in Snappy or Zstandard', async () => {
  const folder = temporaryFolder()
  const columnData = [
    { name: 'question_id', data: [70n, 71n], type: 'INT64' as const },
    { name: 'question', data: ['Which?', 'Who?'] },
    { name: 'options', data: [TEN, TEN.slice(0, 4)], type: 'JSON' as const },
    { name: 'answer', data: ['J', 'B'] },
    { name: 'answer_index', data: [9n, 1n], type: 'INT64' as const },
  ]
  const compressors = { ZSTD: (bytes: Uint8Array) => new Uint8Array(zstdCompressSync(bytes)) }
  for (const codec of ['SNAPPY', 'ZSTD'] as const) {
    const filename = join(folder, `${codec}.parquet`)
    await parquetWriteFile({ filename, columnData, codec, compressors })
    const { questions } = await load('mmlu-pro', filename)
    expect(questions).toMatchObject([
      { id: 'mmlu-pro-70', right: 'option 9' },
      { id: 'mmlu-pro-71', right: 'option 1' },
    ])
  }
  await expect(load('arc', written('torn.parquet', 'PAR1 nothing'))).rejects.toThrow('must be a whole Parquet file')
})

test('a question that occurs twice counts once, and contradictory questions do not count', async () => {
  const row = { ...PRO, options: ['a', 'b'], answer: 'A' }
  const rows = [
    row,
    { ...row, question_id: 71 },
    { ...row, question: 'Who?' },
    { ...row, question: 'Who?', answer: 'B' },
    { ...row, question: 'Why?', options: ['a', 'a', 'b'] },
  ]
  const { questions, repeated, contradictory } = await load('mmlu-pro', written('t.jsonl', lines(...rows)))
  expect({ count: questions.length, repeated, contradictory }).toEqual({ count: 1, repeated: 1, contradictory: 2 })
})

/** Patterns that try every way to split white space would never end here. */
test.each([
  ['logiqa', `\na\npassage\nquestion\nA${' '.repeat(1_000_000)}x\ry\nB.two\nC.three\nD.four\n`, 'line 5: the option'],
  [
    'bbh',
    JSON.stringify({ examples: [{ input: `Which?\nOptions:\n-${' '.repeat(1_000_000)}x\ry\n- z`, target: 'z' }] }),
    'examples[0].input must be',
  ],
] as const)('%s: an option with any amount of white space is read in one pass', async (format, text, refused) => {
  await expect(load(format, written('x.json', text))).rejects.toThrow(refused)
})
