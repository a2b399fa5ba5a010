import { z } from 'zod'
import { optionMatcher } from '../../../debate/match-option.ts'
import { FileError, refusal } from '../../../files/file-error.ts'
import { optionLetter } from '../../../questions/option-letter.ts'
import { parsedAs, readJsonFile } from '../../../questions/parsed-json.ts'
import { jsonOf } from '../../../record/parse-stored.ts'
import type { QuestionOption } from '../../../record/question.ts'
import { plainText } from '../../../text/plain-text.ts'
import { type LogChoice, type LoggedAnswer, optionIn } from './logged-answer.ts'

/**
 * Results of promptfoo (`promptfoo eval --output results.json`), the type `OutputFile` of `src/types/index.ts` in
 * promptfoo/promptfoo. Its `results.results` has a row for each test, prompt and provider.
 */
const resultSchema = z.looseObject({
  promptId: z.string().optional(),
  prompt: z.looseObject({ raw: z.string(), label: z.string().optional() }),
  provider: z.looseObject({ id: z.string().min(1), label: z.string().nullish() }),
  vars: z.looseObject({}),
  testCase: z.looseObject({ assert: z.array(z.looseObject({ type: z.string().optional() })).nullish() }).nullish(),
  response: z.looseObject({ output: z.unknown() }).nullish(),
  error: z.string().nullish(),
})
type Result = z.infer<typeof resultSchema>

const fileSchema = z.looseObject({
  results: z.looseObject({ results: z.array(z.unknown()) }),
  config: z.looseObject({ providers: z.unknown() }).nullish(),
})

export async function* promptfooAnswers(path: string, { only, fields }: LogChoice): AsyncGenerator<LoggedAnswer> {
  const name = plainText(path)
  const { results, config } = parsedAs(fileSchema, await readJsonFile(path), name)
  const settings = providerSettings(config?.providers, name)
  const prompts = new Set<string>()
  let count = 0
  for (const [index, value] of results.results.entries()) {
    const place = `${name}: results.results[${index}]`
    const result = parsedAs(resultSchema, value, place)
    const prompt = result.prompt.label ?? result.promptId ?? ''
    if (only !== null && prompt !== only) continue
    prompts.add(prompt)
    if (prompts.size > 1) {
      const found = [...prompts].map((label) => JSON.stringify(plainText(label).slice(0, 60))).join(' and ')
      throw new FileError(`${place}: prompt must be the same in every row, got ${found}. Choose one with --only`)
    }
    count += 1
    const model = result.provider.label || result.provider.id
    yield { model, settings: settings(result.provider), epoch: 1, place, ...answerOf(result, fields, place) }
  }
  if (count === 0)
    throw new FileError(`${name}: expected results${only === null ? '' : ` of the prompt ${only}`}, got none`)
}

const providerSchema = z.looseObject({
  id: z.string().optional(),
  label: z.string().optional(),
  config: z.looseObject({}).optional(),
})

/** Only these settings are compared. Keys and addresses say where a model is asked, not how it is sampled. */
const SAMPLING = ['temperature', 'top_p', 'topP', 'top_k', 'topK', 'max_tokens', 'maxTokens', 'max_output_tokens']
const THINKING = ['reasoning_effort', 'reasoning', 'thinking', 'frequency_penalty', 'presence_penalty', 'stop']

function providerSettings(
  providers: unknown,
  name: string,
): (provider: Result['provider']) => LoggedAnswer['settings'] {
  const known = (Array.isArray(providers) ? providers : []).flatMap((provider: unknown) => {
    const { success, data } = providerSchema.safeParse(provider)
    return success ? [data] : []
  })
  const labels = known.map(({ id, label }) => label ?? id)
  const twice = labels.find((label, index) => labels.indexOf(label) < index)
  if (twice !== undefined) {
    throw new FileError(
      `${name}: config.providers must have a unique label for each entry, got ${plainText(twice)} twice`,
    )
  }
  return ({ id, label }) => {
    const { config } = known.find((each) => (label ? each.label === label : each.id === id)) ?? {}
    const settings = [...SAMPLING, ...THINKING].filter((key) => config !== undefined && Object.hasOwn(config, key))
    return Object.fromEntries(settings.map((key) => [key, config?.[key]]))
  }
}

type Answered = Pick<LoggedAnswer, 'group' | 'question' | 'options' | 'correct' | 'answer'>

function answerOf(result: Result, fields: LogChoice['fields'], place: string): Answered {
  const { vars, prompt } = result
  const question = fields['question']
    ? variable(vars, fields['question'], place)
    : (QUESTION_VARS.map((name) => vars[name]).find(isText) ?? prompt.raw)
  const options = optionsOf(vars, fields['options'], place)
  const group = fields['group'] === undefined ? null : variable(vars, fields['group'], place)
  return {
    group,
    question,
    options,
    correct: [goldOf(result, fields['gold'], options, place)],
    answer: read(result, options),
  }
}

const QUESTION_VARS = ['question', 'query', 'input', 'text'] as const
const GOLD_VARS = ['gold', 'answer', 'expected', 'target', 'label', '__expected'] as const
const OPTION_VARS = ['options', 'choices', 'labels'] as const
const EXACT = new Set(['equals', 'contains', 'icontains', 'starts-with'])

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function variable(vars: Result['vars'], name: string, place: string): string {
  const value = vars[name]
  if (isText(value)) return value
  throw refusal(`${place}: vars.${name}`, 'a text', value)
}

/** Options may be a list or a map, as JSON or as a value, or names separated by `|`. */
function optionsOf(vars: Result['vars'], named: string | undefined, place: string): readonly QuestionOption[] {
  const name = named ?? OPTION_VARS.find((each) => vars[each] !== undefined) ?? OPTION_VARS[0]
  const value = vars[name]
  const parsed = isText(value) ? listed(value) : value
  const texts = z.array(z.string().min(1)).min(2).safeParse(parsed)
  if (texts.success) return lettered(texts.data)
  const map = z.record(z.string(), z.string().min(1)).safeParse(parsed)
  if (map.success && Object.keys(map.data).length > 1) {
    return Object.entries(map.data).map(([key, text]) => ({ name: key, text }))
  }
  throw refusal(`${place}: vars.${name}`, 'two or more options', value, 'Name another variable with --map options=NAME')
}

/** Options of one word are their own names. For longer ones a model answers with the letter. */
function lettered(texts: readonly string[]): readonly QuestionOption[] {
  const areNames = texts.every((text) => !/\s/.test(text)) && new Set(texts).size === texts.length
  return texts.map((text, index) => ({ name: areNames ? text : optionLetter(index), text }))
}

function listed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text.split('|').map((part) => part.trim())
  return jsonOf(text) ?? text // the caller says what was expected
}

/** The right option, from a variable or else from an assertion of the test. */
function goldOf(
  { vars, testCase }: Result,
  named: string | undefined,
  options: readonly QuestionOption[],
  place: string,
): string {
  const asserted = (testCase?.assert ?? []).filter(({ type = '' }) => EXACT.has(type)).map((each) => each['value'])
  const given = named === undefined ? GOLD_VARS.map((name) => vars[name]) : [variable(vars, named, place)]
  for (const value of [...given, ...(named === undefined ? asserted : [])].filter(isText)) {
    const match = optionMatcher(options).whole(value)
    const name = match.kind === 'option' ? options[match.index]?.name : undefined
    if (name !== undefined) return name
  }
  const expected = 'a variable or an assertion with one of the options'
  throw refusal(`${place}: vars`, expected, vars, 'Name the variable with --map gold=NAME')
}

/** Null if the call failed or its output names no option. */
function read({ response }: Result, options: readonly QuestionOption[]): string | null {
  return isText(response?.output) ? optionIn(response.output, options) : null
}
