import type { QuestionOption } from '../../record/question.ts'

/** The form in which an agent is asked to answer a question. */
export interface AnswerForm {
  readonly options: readonly QuestionOption[]
  /** Set for open answers; absent: an option is asked for. */
  readonly open?: OpenForm | undefined
  /** Occurs in nothing that the agent is shown, except where the form is asked for. */
  readonly code: string
  readonly hasConfidence: boolean
  /** The provider enforces a JSON Schema on the reply. */
  readonly isStructured: boolean
}

export interface OpenForm {
  /** Describes the answer, for the prompt: "a number in kg". */
  readonly form: string
  isReadable(answer: string): boolean
  /** Whether a reply that is only the answer is read. Otherwise the answer must be between tags. */
  readonly isPlain: boolean
}

/** A longer text is not an answer. */
const LONGEST_ANSWER = 4000

export function isOpenAnswer(words: string, { isReadable }: OpenForm): boolean {
  return words.length <= LONGEST_ANSWER && isReadable(words)
}

export type UnreadableReason = 'no-answer' | 'several-answers' | 'refusal' | 'truncated' | 'not-an-option'

export interface Unreadable {
  readonly kind: 'unreadable'
  readonly reason: UnreadableReason
}

export type ParsedAnswer =
  /** `option` is a name, or the text of an open answer. `confidence` is the stated probability, null if none can be read. */
  { readonly kind: 'answer'; readonly option: string; readonly confidence: number | null } | Unreadable

export function unreadable(reason: UnreadableReason): Unreadable {
  return { kind: 'unreadable', reason }
}
