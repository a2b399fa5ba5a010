import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { debateSchema } from '../../../src/record/debate.ts'
import { importLogs, type LogFormat } from '../../../src/run/exchange/import-logs.ts'
import type { JoinOptions } from '../../../src/run/exchange/logs/join-logs.ts'
import type { LogChoice } from '../../../src/run/exchange/logs/logged-answer.ts'
import { temporaryFolder } from '../../store/temporary-folder.ts'
import {
  helmState,
  inspectArchive,
  inspectLog,
  lmEvalSample,
  MODELS,
  madeUpAnswers,
  promptfooResults,
  writeJson,
  writeJsonLines,
} from './made-up-logs.ts'

const ANSWERS = madeUpAnswers(12)
const USUAL: LogChoice & JoinOptions = { only: null, fields: {}, sizes: null, isPartial: false, isMixed: false }

async function imported(format: LogFormat, paths: readonly string[], options: Partial<LogChoice & JoinOptions> = {}) {
  const joined = await importLogs(format, paths, { ...USUAL, ...options })
  return { ...joined, debates: joined.debates.map((debate) => debateSchema.parse(debate)) }
}

/** The log of each model has its own order, because rows must not matter. */
function rotated<Row>(rows: readonly Row[], by: number): readonly Row[] {
  return [...rows.slice(by), ...rows.slice(0, by)]
}

const FORMATS: Readonly<Record<LogFormat, (folder: string) => readonly string[]>> = {
  'lm-eval': (folder) =>
    MODELS.map((model, index) =>
      writeJsonLines(
        join(folder, model, 'samples_puzzles_2026-11-16T10-00-00.000000.jsonl'),
        rotated(ANSWERS, index).map((answer, id) => lmEvalSample(answer, index, id)),
      ),
    ),
  inspect: (folder) =>
    MODELS.map((model, index) => {
      const log = inspectLog(rotated(ANSWERS, index), index)
      if (index === 0) return writeJson(join(folder, `${model}.json`), log)
      writeFileSync(join(folder, `${model}.eval`), inspectArchive(log))
      return join(folder, `${model}.eval`)
    }),
  promptfoo: (folder) => [writeJson(join(folder, 'results.json'), promptfooResults(ANSWERS))],
  helm: (folder) =>
    MODELS.map((model, index) =>
      writeJson(join(folder, model, 'scenario_state.json'), helmState(rotated(ANSWERS, index), index)),
    ),
}

describe.each(Object.entries(FORMATS))('%s', (name, write) => {
  const format = name as LogFormat // the keys of FORMATS

  test('logs of three models become one growing panel, joined by question whatever their order', async () => {
    const { debates, models, questions, leftOut } = await imported(format, write(temporaryFolder()))
    expect(models.map((model) => model.split(/[/:]/).at(-1))).toEqual(MODELS)
    expect({ debates: debates.length, questions, leftOut }).toEqual({ debates: 12, questions: 12, leftOut: 0 })
    for (const [index, { question, options, gold, rounds }] of debates.entries()) {
      const asked = ANSWERS[index]
      const texts: Readonly<Record<string, string>> = Array.isArray(options) ? {} : (options as Record<string, string>)
      const textOf = (option: string | null) => (option === null ? undefined : (texts[option] ?? option))
      expect(question).toBe(asked?.question)
      expect(textOf(gold ?? null)).toBe(asked?.texts[asked.gold])
      expect(rounds.map(({ length }) => length)).toEqual([1, 2, 3])
      // If all log-likelihoods are equal, the first option counts as the likeliest, as in the tool itself.
      const given = asked?.answers.map((answer) => asked.texts[format === 'lm-eval' ? Math.max(0, answer) : answer])
      expect(rounds[2]?.map(({ answer }) => textOf(answer))).toEqual(given)
    }
    expect(new Set(debates.map(({ id }) => id)).size).toBe(12)
  })
})

describe('joining', () => {
  test('repeated answers of a model are runs of one question', async () => {
    const folder = temporaryFolder()
    const paths = MODELS.slice(0, 2).map((model, index) =>
      writeJson(join(folder, `${model}.json`), inspectLog(ANSWERS, index, { epochs: 3 })),
    )
    const { debates, questions } = await imported('inspect', paths)
    expect({ debates: debates.length, questions }).toEqual({ debates: 36, questions: 12 })
    expect(new Set(debates.map(({ question_of }) => question_of)).size).toBe(12)
    expect(debates[0]?.id).toBe(`${debates[0]?.question_of}-1`)
  })

  test('options that a tool shuffled are joined by their text', async () => {
    const folder = temporaryFolder()
    const [first] = ANSWERS
    if (first === undefined) throw new Error('no question')
    const last = first.texts.length - 1
    const turned = {
      ...first,
      texts: first.texts.toReversed(),
      gold: last - first.gold,
      answers: first.answers.map((answer) => last - answer),
    }
    const paths = [
      writeJson(join(folder, 'a.json'), inspectLog([first], 0)),
      writeJson(join(folder, 'b.json'), inspectLog([turned], 1)),
    ]
    const { debates } = await imported('inspect', paths)
    const letters = first.answers.slice(0, 2).map((answer) => String.fromCharCode(65 + answer))
    expect(debates[0]?.rounds[1]?.map(({ answer }) => answer)).toEqual(letters)
  })

  test('a question that a model did not answer is refused, or left out and counted on demand', async () => {
    const folder = temporaryFolder()
    const paths = [
      writeJson(join(folder, 'a.json'), inspectLog(ANSWERS, 0)),
      writeJson(join(folder, 'b.json'), inspectLog(ANSWERS.slice(1), 1)),
    ]
    await expect(imported('inspect', paths)).rejects.toThrow(
      /a\.json: samples\[0\]: the question must be in the log of every model equally often, got 0 of 1 runs by provider\/bob.*--partial/,
    )
    const { debates, leftOut } = await imported('inspect', paths, { isPartial: true })
    expect({ debates: debates.length, leftOut }).toEqual({ debates: 11, leftOut: 1 })
  })

  test('other sampling settings are refused, within a model always', async () => {
    const folder = temporaryFolder()
    const [a, b] = [
      writeJson(join(folder, 'a.json'), inspectLog(ANSWERS, 0)),
      writeJson(join(folder, 'b.json'), inspectLog(ANSWERS, 1, { temperature: 1 })),
    ]
    await expect(imported('inspect', [a, b])).rejects.toThrow(
      /b\.json: samples\[0\]: sampling settings must be \{"temperature":0\.5\} like .*a\.json: samples\[0\], got \{"temperature":1\}.*--mixed-settings/,
    )
    expect((await imported('inspect', [a, b], { isMixed: true })).debates).toHaveLength(12)
    const again = writeJson(join(folder, 'again.json'), inspectLog(ANSWERS, 0, { temperature: 1 }))
    await expect(imported('inspect', [a, again], { isMixed: true })).rejects.toThrow('Import logs of one setting')
  })

  test('two logs that disagree about what is right are refused', async () => {
    const folder = temporaryFolder()
    const wrong = ANSWERS.map((answer) => ({ ...answer, gold: (answer.gold + 1) % answer.texts.length }))
    const paths = [
      writeJson(join(folder, 'a.json'), inspectLog(ANSWERS, 0)),
      writeJson(join(folder, 'b.json'), inspectLog(wrong, 1)),
    ]
    await expect(imported('inspect', paths)).rejects.toThrow(
      'b.json: samples[0]: the right answer must be the same as in',
    )
  })

  test('different rows whose question reads the same are refused until a field distinguishes them', async () => {
    const folder = temporaryFolder()
    const sample = lmEvalSample(ANSWERS[0] as (typeof ANSWERS)[number], 0, 0) // there are twelve
    const rows = (model: string, hash: string) =>
      writeJsonLines(join(folder, model, 'samples_t_2026-11-16T10-00-00.jsonl'), [{ ...sample, doc_hash: hash }])
    await expect(imported('lm-eval', [rows('a', 'one'), rows('b', 'two')])).rejects.toThrow(
      /line 1: the row must be the one of .* got another digest\. Name the fields .*--map question=/,
    )
  })

  test('a named question field is enough where other fields of a row differ', async () => {
    const folder = temporaryFolder()
    const sample = lmEvalSample(ANSWERS[0] as (typeof ANSWERS)[number], 0, 0) // there are twelve
    const rows = (model: string, hash: string) =>
      writeJsonLines(join(folder, model, 'samples_t_2026-11-16T10-00-00.jsonl'), [{ ...sample, doc_hash: hash }])
    const paths = [rows('a', 'one'), rows('b', 'two')]
    expect((await imported('lm-eval', paths, { fields: { question: 'question' } })).debates).toHaveLength(1)
  })

  test('the digits of a generated answer are the name of an option, those of a scored one an index', async () => {
    const doc = { question: 'Which?', choices: { text: ['red', 'green', 'blue'], label: ['1', '2', '3'] } }
    const row = {
      doc,
      target: '2',
      arguments: { gen_args_0: { arg_0: 'Which?', arg_1: { until: ['\n'], temperature: 0 } } },
      filtered_resps: ['Reasons.\nThe answer is (2).'],
      exact_match: 0,
    }
    const path = (rows: readonly object[]) =>
      writeJsonLines(join(temporaryFolder(), 'ada', 'samples_t_2026-11-16T10-00-00.jsonl'), rows)
    const [generated] = (await imported('lm-eval', [path([row])])).debates
    expect(generated).toMatchObject({ gold: '2', rounds: [[{ answer: '2' }]] })
    const scored = {
      ...row,
      arguments: Object.fromEntries(
        doc.choices.text.map((text, at) => [`gen_args_${at}`, { arg_0: 'Q', arg_1: text }]),
      ),
      filtered_resps: [[-3], [-2], [-1]],
      acc: 1,
    }
    const [likeliest] = (await imported('lm-eval', [path([scored])])).debates
    expect(likeliest).toMatchObject({ gold: '3', rounds: [[{ answer: '3' }]] })
  })

  test('the same file twice is refused', async () => {
    const path = writeJson(join(temporaryFolder(), 'a.json'), inspectLog(ANSWERS, 0))
    await expect(imported('inspect', [path, path])).rejects.toThrow('a.json must be named once, got it twice')
  })
})

describe('a wrong file gets one sentence with line and field', () => {
  const [answer] = ANSWERS
  if (answer === undefined) throw new Error('no question')
  const sample = lmEvalSample(answer, 0, 0)
  const samples = (...rows: readonly object[]) =>
    writeJsonLines(join(temporaryFolder(), 'ada', 'samples_t_2026-11-16T10-00-00.jsonl'), rows)

  test.each([
    [
      'target',
      { ...sample, target: '17' },
      /line 2: target must be the index, the name or the text of one of \d options, got "17"/,
    ],
    [
      'filtered_resps',
      { ...sample, filtered_resps: ['x'] },
      /line 2: filtered_resps\[0\] must be a log-likelihood for each option, got "x"/,
    ],
    ['doc', { ...sample, doc: 7 }, /line 2: doc must be an object, got 7/],
    [
      'acc',
      { ...sample, acc: 1 - sample.acc },
      /line 2: acc must be [01], since the answer reads as (right|wrong), got [01]/,
    ],
    [
      'filter',
      { ...sample, filter: 'strict' },
      /line 2: the log must have one filter, got "none" and "strict"\. Choose one with --only/,
    ],
  ])('lm-eval: %s', async (_field, row, sentence) => {
    await expect(imported('lm-eval', [samples(sample, row)])).rejects.toThrow(sentence)
  })

  test('lm-eval: --only chooses a filter', async () => {
    const path = samples({ ...sample, filter: 'strict' }, { ...sample, filter: 'loose', acc: 3 })
    expect((await imported('lm-eval', [path], { only: 'strict' })).debates).toHaveLength(1)
    await expect(imported('lm-eval', [path], { only: 'none' })).rejects.toThrow('--only must be a filter of')
  })

  test('inspect: a log that was cut short, a torn archive and a score that contradicts its answer', async () => {
    const folder = temporaryFolder()
    const log = inspectLog(ANSWERS, 0)
    const cut = writeJson(join(folder, 'cut.json'), { ...log, status: 'cancelled' })
    await expect(imported('inspect', [cut])).rejects.toThrow(/cut\.json: status must be "success", .* got "cancelled"/)
    const torn = join(folder, 'torn.eval')
    writeFileSync(torn, inspectArchive(log))
    truncateSync(torn, 2000)
    await expect(imported('inspect', [torn])).rejects.toThrow('torn.eval must be a whole ZIP archive')
    const [first, ...rest] = log.samples
    const scores = { choice: { ...first?.scores.choice, value: first?.scores.choice.value === 'C' ? 'I' : 'C' } }
    const lying = writeJson(join(folder, 'lying.json'), { ...log, samples: [{ ...first, scores }, ...rest] })
    await expect(imported('inspect', [lying])).rejects.toThrow(
      /samples\[0\]: scores\.choice\.value must be "[CI]", since/,
    )
    writeFileSync(join(folder, 'broken.json'), '{\n"status" "success"\n}')
    await expect(imported('inspect', [join(folder, 'broken.json')])).rejects.toThrow(/must be JSON.*line 2/)
  })

  test('promptfoo: rows without options or without a right answer', async () => {
    const folder = temporaryFolder()
    const { results, ...file } = promptfooResults(ANSWERS.slice(0, 1))
    const edited = (name: string, change: object) => {
      const rows = results.results.map((row) => ({ ...row, ...change }))
      return writeJson(join(folder, name), { ...file, results: { ...results, results: rows } })
    }
    await expect(imported('promptfoo', [edited('a.json', { vars: { question: 'Which?' } })])).rejects.toThrow(
      /results\.results\[0\]: vars\.options must be two or more options, got nothing\. Name another variable with --map options=NAME/,
    )
    await expect(imported('promptfoo', [edited('b.json', { testCase: {} })])).rejects.toThrow('--map gold=NAME')
    const providers = [
      { id: 'openai:ada', config: { temperature: 0 } },
      { id: 'openai:ada', config: { temperature: 1 } },
    ]
    const twice = writeJson(join(folder, 'twice.json'), { ...file, results, config: { providers } })
    await expect(imported('promptfoo', [twice])).rejects.toThrow(
      'config.providers must have a unique label for each entry, got openai:ada twice',
    )
  })
})

/** Written by promptfoo 0.121.20 (`promptfoo eval --output`), with two providers of a few lines and made-up questions. */
const REAL_PROMPTFOO = join(import.meta.dirname, 'real-logs/promptfoo-0.121.20.json')

test('a results file of the real promptfoo is read, with every answer in its place', async () => {
  const fields = { options: 'choices', gold: 'gold' }
  const { debates, models } = await imported('promptfoo', [REAL_PROMPTFOO], { fields })
  expect(models).toEqual(['ada', 'bob'])
  const found = debates.map(({ question, gold, rounds }) => [
    question,
    gold,
    rounds
      .at(-1)
      ?.map(({ agent, answer }) => `${agent} ${answer}`)
      .join(', '),
  ])
  expect(found).toEqual([
    ['What is 2 + 2?', 'B', 'ada B, bob B'],
    ['What is 3 + 2?', 'C', 'ada C, bob A'],
    ['What is 3 + 3?', 'A', 'ada A, bob A'],
  ])
})

test('lm-eval: the number at the end of a key is found in one pass', async () => {
  const folder = temporaryFolder()
  const longer = (sample: ReturnType<typeof lmEvalSample>) => {
    const requests = Object.entries(sample.arguments)
    return {
      ...sample,
      arguments: Object.fromEntries(requests.map(([key, one]) => [`${'1'.repeat(1_000_000)}x${key}`, one])),
    }
  }
  const paths = MODELS.map((model, index) =>
    writeJsonLines(
      join(folder, model, 'samples_puzzles_2026-11-16T10-00-00.000000.jsonl'),
      ANSWERS.slice(0, 1).map((answer, id) => longer(lmEvalSample(answer, index, id))),
    ),
  )
  expect(await imported('lm-eval', paths)).toMatchObject({ questions: 1 })
})
