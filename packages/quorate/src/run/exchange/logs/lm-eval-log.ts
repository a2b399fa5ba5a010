import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { optionMatcher } from '../../../debate/match-option.ts'
import { FileError, refusal } from '../../../files/file-error.ts'
import { readLines } from '../../../files/read-lines.ts'
import { optionLetter } from '../../../questions/option-letter.ts'
import { parsedAs, parseJson, readJsonFile } from '../../../questions/parsed-json.ts'
import type { QuestionOption } from '../../../record/question.ts'
import { plainText } from '../../../text/plain-text.ts'
import { type LogChoice, type LoggedAnswer, optionIn } from './logged-answer.ts'

/**
 * Sample logs of EleutherAI/lm-evaluation-harness: `samples_TASK_DATE.jsonl`, written with `--log_samples` by
 * `lm_eval/loggers/evaluation_tracker.py`. Requests are in `arguments.gen_args_N.arg_M`. Numbers may be strings, because the
 * writer converts nested responses to strings. Tasks of `multiple_choice` have one log-likelihood per option.
 */
const sampleSchema = z.looseObject({
  doc: z.looseObject({}),
  target: z.union([z.string(), z.number()]).transform(String),
  arguments: z.union([
    z.record(z.string(), z.record(z.string(), z.unknown())),
    z.array(z.array(z.unknown()).min(1)).min(1),
  ]),
  filtered_resps: z.array(z.unknown()).min(1),
  filter: z.string().optional(),
  doc_hash: z.string().optional(),
})
type Sample = z.infer<typeof sampleSchema>

export async function* lmEvalAnswers(path: string, { only, fields }: LogChoice): AsyncGenerator<LoggedAnswer> {
  const name = plainText(path)
  const source = await sourceOf(path)
  const filters = new Set<string>()
  let line = 0
  let count = 0
  for await (const text of readLines(path)) {
    line += 1
    if (text.trim() === '') continue
    const place = `${name}: line ${line}`
    const sample = parsedAs(sampleSchema, parseJson(text, place), place)
    filters.add(sample.filter ?? 'none')
    if (only !== null && sample.filter !== only) continue
    if (only === null && filters.size > 1) {
      throw new FileError(
        `${place}: the log must have one filter, got ${[...filters].map(quoted).join(' and ')}. Choose one with --only`,
      )
    }
    count += 1
    yield { ...source, ...answerOf(sample, fields, place), epoch: 1, place }
  }
  if (count === 0) throw emptyLog(name, only, filters)
}

function quoted(text: string): string {
  return JSON.stringify(plainText(text))
}

function emptyLog(name: string, only: string | null, filters: ReadonlySet<string>): FileError {
  if (only === null) return new FileError(`${name}: expected samples, one per line, got none`)
  return new FileError(
    `--only must be a filter of ${name}: ${[...filters].map(quoted).join(', ')}, got ${quoted(only)}`,
  )
}

const FILE_NAME = /^samples_(.+)_(\d{4}-\d{2}-\d{2}T[\d.-]+)\.jsonl$/

const resultsSchema = z.looseObject({ model_name: z.string().min(1) })

/** The samples do not name their model. The results file of the same date does; otherwise the folder does. */
async function sourceOf(path: string) {
  const [, task = null, date = ''] = FILE_NAME.exec(basename(path)) ?? []
  const results = join(dirname(path), `results_${date}.json`)
  if (date !== '' && existsSync(results)) {
    const { model_name: model } = parsedAs(resultsSchema, await readJsonFile(results), plainText(results))
    return { model, group: task }
  }
  return { model: basename(dirname(resolve(path))), group: task }
}

type Answered = Pick<LoggedAnswer, 'question' | 'options' | 'correct' | 'answer' | 'beliefs' | 'rowDigest' | 'settings'>

function answerOf(sample: Sample, fields: LogChoice['fields'], place: string): Answered {
  const question = questionText(sample.doc, fields, place)
  // If the user names the fields of a question, other fields may differ.
  const rowDigest = sample.doc_hash === undefined || fields['question'] ? {} : { rowDigest: sample.doc_hash }
  const requests = requestsOf(sample)
  const settings = settingsOf(requests)
  const isGenerated = settings['request'] === 'generate_until'
  const options = isGenerated ? docOptions(sample.doc, fields) : likelihoodOptions(sample.doc, fields, requests)
  if (options === null || options.length < 2) {
    throw refusal(`${place}: doc`, 'a question with options: only multiple-choice tasks can be joined', sample.doc)
  }
  const correct = isGenerated ? [namedTarget(sample.target, options, place)] : targetsOf(sample.target, options, place)
  const read = isGenerated ? generated(sample, options) : likeliest(sample, options, place)
  checkAccuracy(sample, isGenerated, read.answer !== null && correct.includes(read.answer), place)
  return { question, options, correct, ...read, ...rowDigest, settings }
}

/** A request: its context, and the continuation or the settings of the generation. */
interface LoggedRequest {
  readonly context: unknown
  readonly rest: unknown
}

function requestsOf({ arguments: logged }: Sample): readonly LoggedRequest[] {
  const rows = Array.isArray(logged)
    ? logged
    : Object.entries(logged)
        .toSorted(([one], [other]) => numberIn(one) - numberIn(other))
        .map(([, request]) => [request['arg_0'], request['arg_1']])
  const requests = rows.map(([context, rest]) => ({ context, rest }))
  // For acc_mutual_info the options are scored a second time, without the question.
  const asked = requests.filter(({ context }) => context !== '')
  return asked.length * 2 === requests.length ? asked : requests
}

function numberIn(key: string): number {
  return Number(/(?<!\d)\d+$/.exec(key)?.[0] ?? 0)
}

/** The stop sequences (`until`) are part of the task, not of the sampling. */
function settingsOf(requests: readonly LoggedRequest[]): LoggedAnswer['settings'] {
  const { rest } = requests[0] ?? { rest: null }
  if (typeof rest !== 'object' || rest === null) return LIKELIHOOD
  const { until: _, ...settings } = rest as Readonly<Record<string, unknown>> // any object has string keys
  return { request: 'generate_until', ...settings }
}

const LIKELIHOOD = Object.freeze({ request: 'loglikelihood' })

const CONTEXT_FIELDS = ['passage', 'context', 'article', 'story', 'premise', 'support'] as const
const QUESTION_FIELDS = ['question', 'query', 'input', 'problem', 'question_stem', 'ctx', 'goal', 'sentence'] as const

/** The passage and the question of a row. Which fields these are differs from task to task. */
function questionText(doc: Sample['doc'], fields: LogChoice['fields'], place: string): string {
  const named = fields['question']?.split(',').map((field) => field.trim())
  const question = QUESTION_FIELDS.find((field) => isText(doc[field]))
  const wanted = named ?? [...CONTEXT_FIELDS.filter((field) => isText(doc[field])), ...(question ? [question] : [])]
  const texts = wanted.map((field) => doc[field]).filter(isText)
  const isWhole = named === undefined ? question !== undefined : texts.length === named.length
  if (isWhole && texts.length > 0) return texts.join('\n\n')
  const expected = `a row with ${named?.join(' and ') ?? `one of ${QUESTION_FIELDS.join(', ')}`}`
  throw refusal(`${place}: doc`, expected, doc, 'Name its field with --map question=FIELD')
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

const OPTION_FIELDS = ['choices', 'options', 'endings', 'answers', 'mc1_targets'] as const

const labelledSchema = z.looseObject({ text: z.array(z.string()), label: z.array(z.string()) })
const textsSchema = z.array(z.string())

/** The options in a row: a list of texts, or texts with labels. */
function docOptions(doc: Sample['doc'], fields: LogChoice['fields']): readonly QuestionOption[] | null {
  for (const field of fields['options'] === undefined ? OPTION_FIELDS : [fields['options']]) {
    const texts = textsSchema.safeParse(doc[field])
    if (texts.success) return texts.data.map((text, index) => ({ name: optionLetter(index), text }))
    const labelled = labelledSchema.safeParse(doc[field])
    if (!labelled.success || labelled.data.text.length !== labelled.data.label.length) continue
    return labelled.data.text.map((text, index) => ({ name: labelled.data.label[index] ?? '', text }))
  }
  return null
}

/** Every continuation is an option. Its text comes from the row if the row has as many options. */
function likelihoodOptions(
  doc: Sample['doc'],
  fields: LogChoice['fields'],
  requests: readonly LoggedRequest[],
): readonly QuestionOption[] | null {
  const continuations = requests.map(({ rest }) => String(rest).trim())
  const named = docOptions(doc, fields)
  if (named?.length === continuations.length) return named
  const areNames =
    continuations.every((text) => text.length <= 40) && new Set(continuations).size === continuations.length
  return continuations.map((text, index) => ({ name: areNames ? text : optionLetter(index), text }))
}

/** The target of a task that generates answers is text: a number is the name or the text of an option, not an index. */
function namedTarget(target: string, options: readonly QuestionOption[], place: string): string {
  const match = optionMatcher(options).whole(target)
  const name = match.kind === 'option' ? options[match.index]?.name : undefined
  if (name !== undefined) return name
  throw refusal(`${place}: target`, `the name or the text of one of ${options.length} options`, target)
}

/** If a task has choices, a number is an index: the harness converts digits to one. */
function targetsOf(target: string, options: readonly QuestionOption[], place: string): readonly string[] {
  const several = /^\[([\d, ]*)\]$/.exec(target)?.[1]
  const parts = several === undefined ? [target] : several.split(',').filter((part) => part.trim() !== '')
  const names = parts.map((part) => {
    if (/^\s*\d+\s*$/.test(part)) return options[Number(part)]?.name
    const match = optionMatcher(options).whole(part)
    return match.kind === 'option' ? options[match.index]?.name : undefined
  })
  const found = names.filter((name) => name !== undefined)
  if (found.length === parts.length && found.length > 0) return found
  throw refusal(`${place}: target`, `the index, the name or the text of one of ${options.length} options`, target)
}

function generated({ filtered_resps: replies }: Sample, options: readonly QuestionOption[]) {
  const [first] = replies
  const reply = Array.isArray(first) ? first[0] : first
  return { answer: typeof reply === 'string' ? optionIn(reply, options) : null }
}

/** Log-likelihoods become beliefs: each option's share of their exponentials. */
function likeliest({ filtered_resps: responses }: Sample, options: readonly QuestionOption[], place: string) {
  const logs = options.map((_, index) => {
    const response = responses[index]
    const value = Number(Array.isArray(response) ? response[0] : (response ?? Number.NaN))
    if (Number.isNaN(value) || value === Infinity) {
      throw refusal(`${place}: filtered_resps[${index}]`, 'a log-likelihood for each option', response)
    }
    return value
  })
  const largest = Math.max(...logs)
  if (largest === -Infinity)
    throw refusal(`${place}: filtered_resps`, 'a likelihood above 0 for some option', responses)
  const shares = logs.map((log) => Math.exp(log - largest))
  const total = shares.reduce((sum, share) => sum + share, 0)
  const named = options.map(({ name }, index) => [name, (shares[index] ?? 0) / total] as const)
  return { answer: options[logs.indexOf(largest)]?.name ?? null, beliefs: Object.fromEntries(named) }
}

/** The tool recorded whether the answer is right. If we disagree, the options or the target were misread. */
function checkAccuracy(sample: Sample, isGenerated: boolean, isRight: boolean, place: string): void {
  const field = isGenerated ? 'exact_match' : 'acc'
  const scored = sample[field]
  if (typeof scored !== 'number' && typeof scored !== 'boolean') return
  // A filter may miss an answer that our reader finds. It never finds a right answer that our reader does not.
  if ((Number(scored) === 1) === isRight || (isGenerated && isRight)) return
  const read = isRight ? 'right' : 'wrong'
  throw refusal(`${place}: ${field}`, `${isRight ? 1 : 0}, since the answer reads as ${read}`, scored)
}
