import { hash } from 'node:crypto'
import { canonicalJson } from '@quorate/certificate'
import { FileError } from '../../../files/file-error.ts'
import type { QuestionOption } from '../../../record/question.ts'
import { countOf } from '../../../text/number-text.ts'
import { plainText } from '../../../text/plain-text.ts'
import type { LoggedAnswer } from './logged-answer.ts'

export interface JoinOptions {
  /** Round t has the answers of the first `sizes[t]` models; null: one model more each round. */
  readonly sizes: readonly number[] | null
  /** Whether questions that not every model answered are left out and counted. Otherwise they are an error. */
  readonly isPartial: boolean
  /** Whether models may have been sampled with different settings. */
  readonly isMixed: boolean
}

export interface JoinedLogs {
  /** Debates of a growing panel, in the order of the first log. */
  readonly debates: readonly object[]
  /** The models in the order in which they join the panel. */
  readonly models: readonly string[]
  readonly questions: number
  /** Runs of questions that were left out because a model did not answer. */
  readonly leftOut: number
}

/**
 * Joins the logs of several models over the same questions into debates of a growing panel: every model answered alone, and
 * each round adds more models. Answers are joined by a digest of the question's text and options, never by row.
 */
export async function joinLogs(
  answers: AsyncIterable<LoggedAnswer>,
  { sizes: asked, isPartial, isMixed }: JoinOptions,
): Promise<JoinedLogs> {
  const { questions, models } = await collect(answers, isMixed)
  if (models.length === 0) throw new FileError('expected logs with answers, got none')
  const sizes = asked ?? models.map((_, index) => index + 1)
  const largest = Math.max(...sizes)
  if (largest > models.length) {
    throw new FileError(`--sizes must be at most ${models.length}, the number of models in the logs, got ${largest}`)
  }
  const debates: object[] = []
  let leftOut = 0
  let kept = 0
  for (const question of questions.values()) {
    const runs = completeRuns(question, models, isPartial)
    leftOut += Math.max(...[...question.answers.values()].map(({ length }) => length)) - runs.length
    if (runs.length > 0) kept += 1
    for (const [index, turns] of runs.entries()) {
      debates.push(debateOf(question, { turns, sizes, run: index + 1, runs: runs.length }))
    }
  }
  if (debates.length === 0) {
    throw new FileError(`expected questions that all ${countOf(models.length, 'model')} answered, got none`)
  }
  return { debates, models, questions: kept, leftOut }
}

interface JoinedQuestion {
  readonly key: string
  /** The question in the first log, whose names of options are used for all logs. */
  readonly first: LoggedAnswer
  /** By model. */
  readonly answers: Map<string, LoggedAnswer[]>
}

async function collect(
  answers: AsyncIterable<LoggedAnswer>,
  isMixed: boolean,
): Promise<{ readonly questions: ReadonlyMap<string, JoinedQuestion>; readonly models: readonly string[] }> {
  const questions = new Map<string, JoinedQuestion>()
  const models = new Set<string>()
  const settings = new Map<string, LoggedAnswer>()
  for await (const answer of answers) {
    models.add(answer.model)
    checkSettings(answer, settings, isMixed)
    const key = questionKey(answer)
    const question = questions.get(key) ?? { key, first: answer, answers: new Map<string, LoggedAnswer[]>() }
    questions.set(key, question)
    checkGold(answer, question.first)
    const given = question.answers.get(answer.model) ?? []
    question.answers.set(answer.model, given)
    given.push(answer)
  }
  return { questions, models: [...models] }
}

/** A digest of what was asked. The order and the letters of options do not matter, because tools shuffle them. */
function questionKey({ question, options }: LoggedAnswer): string {
  const asked = canonicalJson([question.trim(), identities(options).toSorted()])
  return hash('sha256', asked, 'hex').slice(0, 32)
}

/** The text of each option, with its name where two options have the same text. */
function identities(options: readonly QuestionOption[]): readonly string[] {
  return options.map(({ name, text }) =>
    options.filter((other) => other.text === text).length > 1 ? `${name}\u0000${text}` : text,
  )
}

/**
 * The settings of one model must all be the same, because its answers represent one agent. The settings of different models
 * must be the same unless the user accepts the mixture. Settings are compared per task, because tools set them per task.
 */
function checkSettings(answer: LoggedAnswer, seen: Map<string, LoggedAnswer>, isMixed: boolean): void {
  const scope = isMixed ? [answer.group, answer.model] : [answer.group]
  const key = JSON.stringify(scope)
  const first = seen.get(key)
  if (first === undefined) return void seen.set(key, answer)
  if (first.settings === answer.settings || canonicalJson(first.settings) === canonicalJson(answer.settings)) return
  const advice =
    first.model === answer.model
      ? 'Import logs of one setting'
      : 'Import logs of one setting, or accept the mixture with --mixed-settings'
  throw new FileError(
    `${answer.place}: sampling settings must be ${plainText(canonicalJson(first.settings))} like ${first.place}, ` +
      `got ${plainText(canonicalJson(answer.settings))}. ${advice}`,
  )
}

/** Refuses two logs that disagree about the right answer. */
function checkGold(answer: LoggedAnswer, first: LoggedAnswer): void {
  const right = (logged: LoggedAnswer) => logged.correct.map((name) => identityOf(logged, name)).toSorted()
  if (canonicalJson(right(answer)) === canonicalJson(right(first))) return
  throw new FileError(
    `${answer.place}: the right answer must be the same as in ${first.place}, which asks the same question, got another one`,
  )
}

function identityOf({ options }: LoggedAnswer, name: string): string {
  return identities(options)[options.findIndex((option) => option.name === name)] ?? name
}

/** For each run of a question, the answers of all models in order. */
function completeRuns(
  { first, answers }: JoinedQuestion,
  models: readonly string[],
  isPartial: boolean,
): readonly (readonly LoggedAnswer[])[] {
  const byModel = models.map((model) => (answers.get(model) ?? []).toSorted(inOrder))
  const most = Math.max(...byModel.map(({ length }) => length))
  const fewest = Math.min(...byModel.map(({ length }) => length))
  if (fewest < most && !isPartial) {
    const missing = models[byModel.findIndex(({ length }) => length === fewest)] ?? ''
    throw new FileError(
      `${first.place}: the question must be in the log of every model equally often, got ${fewest} of ${most} runs by ` +
        `${plainText(missing)}. Log the same questions with every model, or leave such questions out with --partial`,
    )
  }
  return Array.from({ length: fewest }, (_, run) => byModel.map((given) => given[run])).map((turns) => {
    const whole = turns.filter((turn) => turn !== undefined)
    checkRows(whole)
    return whole
  })
}

function inOrder(one: LoggedAnswer, other: LoggedAnswer): number {
  return one.epoch - other.epoch || (one.rowDigest ?? '').localeCompare(other.rowDigest ?? '')
}

/** Refuses the same text in different rows: another field distinguishes them, and the wrong answers could be joined. */
function checkRows(turns: readonly LoggedAnswer[]): void {
  const [first] = turns
  const other = turns.find(({ rowDigest }) => rowDigest !== first?.rowDigest)
  if (first === undefined || other === undefined) return
  throw new FileError(
    `${other.place}: the row must be the one of ${first.place}, which asks the same question, got another digest. Name the ` +
      'fields that the question is made of, such as --map question=context,question',
  )
}

interface LoggedRun {
  readonly turns: readonly LoggedAnswer[]
  readonly sizes: readonly number[]
  /** From 1. */
  readonly run: number
  readonly runs: number
}

function debateOf({ key, first }: JoinedQuestion, { turns, sizes, run, runs }: LoggedRun): object {
  const nameOf = new Map(
    identities(first.options).map((identity, index) => [identity, first.options[index]?.name ?? '']),
  )
  const joined = turns.map((turn) => {
    const renamed = (name: string) => nameOf.get(identityOf(turn, name)) ?? name
    const beliefs = turn.beliefs && Object.entries(turn.beliefs).map(([name, share]) => [renamed(name), share])
    return {
      agent: turn.model,
      answer: turn.answer === null ? null : renamed(turn.answer),
      ...(beliefs === undefined ? {} : { beliefs: Object.fromEntries(beliefs) }),
      served: [turn.model],
    }
  })
  const areNames = first.options.every(({ name, text }) => name === text)
  return {
    quorate: 1,
    id: runs === 1 ? key : `${key}-${run}`,
    ...(runs === 1 ? {} : { question_of: key }),
    group: first.group,
    question: first.question,
    options: areNames
      ? first.options.map(({ name }) => name)
      : Object.fromEntries(first.options.map(({ name, text }) => [name, text])),
    ...(first.correct.length === 1 ? { gold: first.correct[0] } : { correct: first.correct }),
    rounds: sizes.map((size) => joined.slice(0, size)),
  }
}
