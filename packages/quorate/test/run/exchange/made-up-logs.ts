import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { crc32, deflateRawSync, zstdCompressSync } from 'node:zlib'
import { simulatePanel } from '../../../src/simulated/simulate-panel.ts'

/** Questions with the answers that three models gave on their own; nothing of it is from a real benchmark. */
export function madeUpAnswers(count: number, seed = 5) {
  return simulatePanel({ seed, count }).map(({ question, options, gold, rounds }) => ({
    question,
    texts: Object.values(options),
    gold: Object.keys(options).indexOf(gold),
    answers: (rounds[0] ?? []).map(({ answer }) => Object.keys(options).indexOf(answer ?? '')),
  }))
}
export type MadeUpAnswer = ReturnType<typeof madeUpAnswers>[number]

export const MODELS = ['ada', 'bob', 'cleo'] as const
const letter = (index: number) => String.fromCharCode(65 + index)

/** A line of `samples_TASK_DATE.jsonl` as lm_eval/loggers/evaluation_tracker.py writes it for a multiple-choice task. */
export function lmEvalSample({ question, texts, gold, answers }: MadeUpAnswer, model: number, docId: number) {
  const answer = answers[model] ?? -1
  const request = (text: string) => ({ arg_0: `Question: ${question}\nAnswer:`, arg_1: ` ${text}` })
  return {
    doc_id: docId,
    doc: { question, choices: texts, answer: gold },
    target: String(gold),
    arguments: Object.fromEntries(texts.map((text, index) => [`gen_args_${index}`, request(text)])),
    resps: texts.map((_, index) => [[String(index === answer ? -0.5 : -2.5), 'False']]),
    filtered_resps: texts.map((_, index) => [String(index === answer ? -0.5 : -2.5), 'False']),
    filter: 'none',
    metrics: ['acc'],
    doc_hash: `hash of ${question}`,
    acc: answer === gold || (answer === -1 && gold === 0) ? 1 : 0,
  }
}

/** An EvalLog of src/inspect_ai/log/_log.py in its JSON form. */
export function inspectLog(answers: readonly MadeUpAnswer[], model: number, { epochs = 1, temperature = 0.5 } = {}) {
  const samples = Array.from({ length: epochs }, (_, run) =>
    answers.map(({ question, texts, gold, answers: given }, index) => {
      const answer = given[model] ?? -1
      const score = { value: answer === gold ? 'C' : 'I', answer: answer < 0 ? '' : letter(answer), explanation: '' }
      const message = { role: 'assistant', content: `ANSWER: ${score.answer}` }
      return {
        id: index + 1,
        epoch: run + 1,
        input: question,
        choices: texts,
        target: letter(gold),
        messages: [message],
        output: { model: MODELS[model], choices: [{ message, stop_reason: 'stop' }] },
        scores: { choice: score },
      }
    }),
  ).flat()
  return {
    version: 2,
    status: 'success',
    eval: { task: 'puzzles', model: `provider/${MODELS[model]}`, dataset: {}, config: { epochs } },
    plan: { name: 'plan', steps: [], config: { temperature, max_connections: 10 + model } },
    samples,
  }
}

/** The `.eval` form: header.json and one file per sample, alternately deflated and in Zstandard. */
export function inspectArchive({ samples, ...header }: ReturnType<typeof inspectLog>): Buffer {
  return zipOf([
    ['header.json', '{"status": "started"}'],
    ['_journal/start.json', JSON.stringify(header)],
    ...samples.map((each) => [`samples/${each.id}_epoch_${each.epoch}.json`, JSON.stringify(each)] as const),
    ['header.json', JSON.stringify(header)],
  ])
}

/** OutputFile of src/types/index.ts of promptfoo, with all three models in one file. */
export function promptfooResults(answers: readonly MadeUpAnswer[]) {
  const results = answers.flatMap(({ question, texts, gold, answers: given }, testIdx) =>
    MODELS.map((model, index) => ({
      promptIdx: index,
      testIdx,
      promptId: 'p1',
      prompt: { raw: `Choose: ${question}`, label: 'Choose: {{question}}' },
      provider: { id: `openai:${model}`, label: '' },
      vars: { question, options: JSON.stringify(Object.fromEntries(texts.map((text, at) => [letter(at), text]))) },
      testCase: { vars: {}, assert: [{ type: 'icontains', value: `ANSWER: ${letter(gold)}` }] },
      response: {
        output: (given[index] ?? -1) < 0 ? 'I cannot tell.' : `Let me see.\nANSWER: ${letter(given[index] ?? 0)}`,
      },
      success: given[index] === gold,
      failureReason: 0,
      score: 1,
      latencyMs: 1,
      namedScores: {},
    })),
  )
  const providers = MODELS.map((model) => ({ id: `openai:${model}`, config: { temperature: 0, apiKey: 'none' } }))
  return {
    evalId: 'e1',
    results: { version: 3, results, prompts: [], stats: {} },
    config: { providers },
    shareableUrl: null,
  }
}

/** scenario_state.json of HELM. */
export function helmState(answers: readonly MadeUpAnswer[], model: number) {
  return {
    adapter_spec: { method: 'multiple_choice_joint', model: `maker/${MODELS[model]}`, temperature: 0, max_tokens: 5 },
    request_states: answers.map(({ question, texts, gold, answers: given }, index) => ({
      instance: {
        input: { text: question },
        references: texts.map((text, at) => ({ output: { text }, tags: at === gold ? ['correct'] : [] })),
        split: 'test',
        id: `id${index}`,
      },
      reference_index: null,
      request_mode: null,
      train_trial_index: 0,
      output_mapping: Object.fromEntries(texts.map((text, at) => [letter(at), text])),
      request: { model: `maker/${MODELS[model]}` },
      result: {
        success: true,
        completions: [{ text: (given[model] ?? -1) < 0 ? '?' : ` ${letter(given[model] ?? 0)}` }],
      },
    })),
  }
}

export function writeJson(path: string, value: unknown): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(value))
  return path
}

export function writeJsonLines(path: string, values: readonly unknown[]): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, values.map((value) => `${JSON.stringify(value)}\n`).join(''))
  return path
}

function zipOf(files: readonly (readonly [string, string])[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [index, [name, text]] of files.entries()) {
    const bytes = Buffer.from(text)
    const packed = index % 2 === 0 ? deflateRawSync(bytes) : zstdCompressSync(bytes)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(63, 0)
    fields.writeUInt16LE(index % 2 === 0 ? 8 : 93, 4)
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(bytes.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields, Buffer.from(name), packed])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(
      Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([63, 0]), fields, place, Buffer.from(name)]),
    )
    parts.push(local)
    offset += local.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(listed.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, listed, Buffer.from('PK\u0005\u0006'), end])
}
