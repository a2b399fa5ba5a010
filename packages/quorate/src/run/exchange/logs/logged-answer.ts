import { optionMatcher } from '../../../debate/match-option.ts'
import type { QuestionOption } from '../../../record/question.ts'

/** One answer of one model to one question, as an evaluation tool logged it. */
export interface AnsweredQuestion {
  /** The text of the question without its options. */
  readonly question: string
  readonly options: readonly QuestionOption[]
  /** Names of the right options, usually one. */
  readonly correct: readonly string[]
  /** Name of an option; null if the reply is missing or names no single option. */
  readonly answer: string | null
}

export interface LoggedAnswer extends AnsweredQuestion {
  readonly model: string
  /** The tool's name of the task, such as `arc_challenge`; null if the log has none. */
  readonly group: string | null
  /** Probability by option name, if the tool logged log-likelihoods. */
  readonly beliefs?: Readonly<Record<string, number>>
  /** Which run of the question this is, from 1. */
  readonly epoch: number
  /** The tool's own digest of the row, which distinguishes rows with the same question. */
  readonly rowDigest?: string
  /** How answers were sampled. Logs are joined only if this is the same. */
  readonly settings: SamplingSettings
  /** File and line, for errors. */
  readonly place: string
}

/** Sampling settings such as the temperature, by the tool's names. */
export type SamplingSettings = Readonly<Record<string, unknown>>

export interface LogChoice {
  /** lm-eval: the filter. inspect: the scorer. promptfoo: the prompt. Needed if a log has several. */
  readonly only: string | null
  /** Which field of a row, or variable of a test, contains `question`, `options`, `gold` or `group`. */
  readonly fields: Readonly<Record<string, string>>
}

/** Reads the logs of one tool, row by row, and keeps no text of replies. */
export type LogReader = (path: string, choice: LogChoice) => AsyncIterable<LoggedAnswer>

/** The option that the whole reply or its last line names, such as `ANSWER: B`; null for none or several. */
export function optionIn(reply: string, options: readonly QuestionOption[]): string | null {
  const matcher = optionMatcher(options)
  const lastLine = reply.trim().split('\n').at(-1) ?? ''
  for (const words of [reply, lastLine]) {
    const match = matcher.whole(words)
    if (match.kind === 'option') return options[match.index]?.name ?? null
  }
  return null
}
