import type { BeliefReading } from '@quorate/certificate'
import type { ModelReply, ModelSettings } from '../../model/model.ts'
import type { QuestionOption } from '../../record/question.ts'
import type { DebateTurn } from '../debate-record.ts'
import type { AnswerForm, ParsedAnswer } from '../reply/parsed-answer.ts'
import { formText } from '../reply/read-reply.ts'
import { answerSchema } from '../reply/structured.ts'

/** How an answer becomes beliefs: what the prompt asks for, with which settings, and how replies are read. */
export interface Elicitation {
  /** How a certificate reads such turns. */
  readonly reading: BeliefReading
  /** True: every agent is asked `samples` times in a round, at once. */
  readonly isRepeated: boolean
  /** True: every call asks for log-probabilities, and a model without them drops a setting. */
  readonly asksLogprobs: boolean
  /** False: the answers must be known names, and the classes of open answers have names only after a comparison. */
  readonly readsOpenAnswers: boolean
  /** The part of a prompt that asks for the form of the answer. */
  form(request: FormRequest): string
  /** Settings of the call besides those of the agent. */
  settings(request: FormRequest): ElicitedSettings
  read(reply: ModelReply, request: FormRequest): AnswerReading
  /** The turn of an agent from all its readings, of which there is at least one. */
  turn(readings: readonly AnswerReading[], options: readonly QuestionOption[]): ElicitedTurn
}

export type FormRequest = Omit<AnswerForm, 'hasConfidence'>
export type ElicitedSettings = Pick<ModelSettings, 'topLogprobs' | 'schema'>
export type ElicitedTurn = Pick<DebateTurn, 'answer' | 'beliefs' | 'samples' | 'conf'>

/** What was read from one reply. */
export interface AnswerReading {
  readonly parsed: ParsedAnswer
  /** In the order of the options; null if the elicitation or the provider gives none. */
  readonly beliefs: readonly number[] | null
  /** False: the reminder asks once more. */
  readonly isComplete: boolean
}

/** The form and the settings of an answer with its reasoning: JSON if the provider supports it, else tags. */
export function reasonedForm(hasConfidence: boolean): Pick<Elicitation, 'form' | 'settings'> {
  return {
    form: (request) => formText({ ...request, hasConfidence }),
    settings: ({ options, open, isStructured }) => ({
      topLogprobs: null,
      schema: isStructured ? answerSchema({ options, open, hasConfidence, isStructured }) : null,
    }),
  }
}

export function answerOf(reading: AnswerReading | undefined): string | null {
  return reading?.parsed.kind === 'answer' ? reading.parsed.option : null
}

/** The name with the largest count; null for a tie and if every count is 0. */
export function oneMaximum(counts: readonly (readonly [string, number])[]): string | null {
  const most = Math.max(...counts.map(([, count]) => count))
  const [first, second] = counts.filter(([, count]) => count === most)
  return most > 0 && first !== undefined && second === undefined ? first[0] : null
}
