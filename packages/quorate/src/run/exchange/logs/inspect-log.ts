import { open } from 'node:fs/promises'
import { z } from 'zod'
import { FileError, refusal } from '../../../files/file-error.ts'
import { optionLetter } from '../../../questions/option-letter.ts'
import { parsedAs, parseJson, readJsonFile } from '../../../questions/parsed-json.ts'
import { plainText } from '../../../text/plain-text.ts'
import type { AnsweredQuestion, LogChoice, LoggedAnswer } from './logged-answer.ts'
import { withZip } from './read-zip.ts'

/**
 * Logs of UKGovernmentBEIS/inspect_ai (`src/inspect_ai/log/_log.py`): one JSON document, or the `.eval` archive of
 * `src/inspect_ai/log/_recorders/eval.py`, which has `header.json` and `samples/ID_epoch_N.json`.
 */
const headerSchema = z.looseObject({
  status: z.string(),
  eval: z.looseObject({
    task: z.string().min(1),
    model: z.string().min(1),
    model_generate_config: z.looseObject({}).nullish(),
    task_args: z.looseObject({}).nullish(),
  }),
  plan: z.looseObject({ config: z.looseObject({}).nullish() }).nullish(),
})

const messageSchema = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))]),
})

const sampleSchema = z.looseObject({
  epoch: z.int().min(1),
  input: z.union([z.string().min(1), z.array(messageSchema).min(1)]),
  choices: z.array(z.string()).nullish(),
  target: z.union([z.string(), z.array(z.string())]),
  scores: z.record(z.string(), z.looseObject({ value: z.unknown(), answer: z.string().nullish() })).nullish(),
  error: z.unknown().optional(),
  invalidation: z.unknown().optional(),
})
type Sample = z.infer<typeof sampleSchema>

export async function* inspectAnswers(path: string, { only }: LogChoice): AsyncGenerator<LoggedAnswer> {
  const name = plainText(path)
  const { header, samples } = await logOf(path, name)
  const settings = settingsOf(header)
  const { task: group, model } = header.eval
  if (samples.length === 0) throw new FileError(`${name}: expected samples, got none: log them with log_samples`)
  for (const { value, place } of samples) {
    const sample = parsedAs(sampleSchema, value, place)
    yield { model, group, settings, epoch: sample.epoch, place, ...answerOf(sample, only, place) }
  }
}

interface Log {
  readonly header: z.infer<typeof headerSchema>
  readonly samples: readonly { readonly value: unknown; readonly place: string }[]
}

const SAMPLE = /^samples\/.+\.json$/

async function logOf(path: string, name: string): Promise<Log> {
  if (await isArchive(path)) {
    return withZip(path, async (all) => {
      // The writer appends, so the last of several files with the same name counts.
      const entries = [...new Map(all.map((entry) => [entry.name, entry])).values()]
      const header = entries.find((entry) => entry.name === 'header.json')
      if (header === undefined) {
        throw new FileError(`${name} must have header.json, got none: the evaluation was not finished`)
      }
      const samples: { value: unknown; place: string }[] = []
      for (const entry of entries.filter((each) => SAMPLE.test(each.name))) {
        const place = `${name}: ${plainText(entry.name)}`
        samples.push({ value: neededFields(parseJson(await entry.text(), place)), place })
      }
      return { header: headerOf(parseJson(await header.text(), `${name}: header.json`), name), samples }
    })
  }
  const log = await readJsonFile(path)
  const { samples } = parsedAs(z.looseObject({ samples: z.array(z.unknown()).nullish() }), log, name)
  const placed = (samples ?? []).map((value, index) => ({ value, place: `${name}: samples[${index}]` }))
  return { header: headerOf(log, name), samples: placed }
}

const ARCHIVE_START = 'PK'

async function isArchive(path: string): Promise<boolean> {
  try {
    const file = await open(path)
    try {
      const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0)
      return buffer.toString('latin1') === ARCHIVE_START
    } finally {
      await file.close()
    }
  } catch (cause) {
    throw new FileError(`cannot read ${plainText(path)}`, { cause })
  }
}

/** Drops the messages and events of a sample, which are large and not needed. */
function neededFields(sample: unknown): unknown {
  if (typeof sample !== 'object' || sample === null || Array.isArray(sample)) return sample
  const fields = Object.keys(sampleSchema.shape).filter((field) => Object.hasOwn(sample, field))
  return Object.fromEntries(fields.map((field) => [field, Reflect.get(sample, field)]))
}

/** Refuses an unfinished log: its missing samples are not random, since slow questions are missing most. */
function headerOf(value: unknown, name: string): Log['header'] {
  const header = parsedAs(headerSchema, value, name)
  if (header.status === 'success') return header
  throw refusal(`${name}: status`, '"success", since the missing samples are not random', header.status)
}

/** These settings say how calls are made, not how answers are sampled. */
const TRANSPORT = new Set([
  'adaptive_connections',
  'attempt_timeout',
  'batch',
  'cache',
  'cache_prompt',
  'max_connections',
  'max_retries',
  'seed',
  'timeout',
])

/** Arguments of the task change its prompts, so they count as settings too. */
function settingsOf({ eval: spec, plan }: Log['header']): LoggedAnswer['settings'] {
  const settings = Object.entries({ ...spec.model_generate_config, ...plan?.config })
  const { task_args } = spec
  return {
    ...Object.fromEntries(settings.filter(([name, value]) => value !== null && !TRANSPORT.has(name))),
    ...(task_args && Object.keys(task_args).length > 0 ? { task_args } : {}),
  }
}

function answerOf(sample: Sample, only: string | null, place: string): AnsweredQuestion {
  const { choices } = sample
  if ((sample.invalidation ?? null) !== null) {
    throw refusal(`${place}: invalidation`, 'null: this sample was marked invalid', sample.invalidation)
  }
  if (!choices || choices.length < 2) {
    throw refusal(`${place}: choices`, 'two or more: only multiple-choice tasks can be joined', choices)
  }
  const options = choices.map((text, index) => ({ name: optionLetter(index), text }))
  const target = [sample.target].flat().join('')
  if (!options.some(({ name }) => name === target)) {
    throw refusal(`${place}: target`, `one letter from A to ${options.at(-1)?.name ?? 'A'}`, sample.target)
  }
  const score = scoreOf(sample, only, place)
  const answer = options.find(({ name }) => name === score?.answer?.trim())?.name ?? null
  checkScore(score, answer === target, place)
  return { question: textOf(sample.input), options, correct: [target], answer }
}

type Score = NonNullable<Sample['scores']>[string] & { readonly name: string }

/** Null if the sample failed, so that the model gave no answer. */
function scoreOf({ scores, error }: Sample, only: string | null, place: string): Score | null {
  const found = Object.entries(scores ?? {}).map(([name, score]) => ({ ...score, name }))
  const chosen = only === null ? found : found.filter(({ name }) => name === only)
  const [score] = chosen
  if (chosen.length === 1 && score !== undefined) return score
  if (found.length === 0 && (error ?? null) !== null) return null
  const names = found.map(({ name }) => name)
  if (only !== null) throw refusal(`${place}: scores`, `with the scorer ${only}`, names.join(', '))
  throw refusal(`${place}: scores`, 'of one scorer', names.join(', ') || undefined, 'Choose one with --only')
}

/** The tool recorded whether the answer is right. If we disagree, letters were misread. */
function checkScore(score: Score | null, isRight: boolean, place: string): void {
  if (score === null || (score.value !== 'C' && score.value !== 'I' && score.value !== 1 && score.value !== 0)) return
  if ((score.value === 'C' || score.value === 1) === isRight) return
  const expected = `${isRight ? '"C"' : '"I"'}, since its answer reads as ${isRight ? 'right' : 'wrong'}`
  throw refusal(`${place}: scores.${score.name}.value`, expected, score.value)
}

function textOf(input: Sample['input']): string {
  if (typeof input === 'string') return input
  return input
    .flatMap(({ content }) => (typeof content === 'string' ? [content] : content.map(({ text = '' }) => text)))
    .filter((text) => text !== '')
    .join('\n\n')
}
