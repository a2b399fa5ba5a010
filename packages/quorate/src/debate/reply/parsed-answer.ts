import type { QuestionOption } from '../../record/question.ts'

/** In which form one agent is asked to answer one question. */
export interface AnswerForm {
  readonly options: readonly QuestionOption[]
  /** Answers that no list holds; absent: an option is asked for. */
  readonly open?: OpenForm | undefined
  /** Stands nowhere in what the agent is shown, but in what asks for the form. */
  readonly code: string
  readonly hasConfidence: boolean
  /** The provider holds the reply to a JSON Schema. */
  readonly isStructured: boolean
}

export interface OpenForm {
  /** What the answer is, for the prompt: "a number in kg". */
  readonly form: string
  isReadable(answer: string): boolean
  /** Whether a reply that is nothing but the answer is read; else it must stand between marks. */
  readonly isPlain: boolean
}

/** Longer ones are no answers. */
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
  /** `option` is a name, or of open answers the text; `confidence` the probability stated for it, null where none can be read. */
  { readonly kind: 'answer'; readonly option: string; readonly confidence: number | null } | Unreadable

export function unreadable(reason: UnreadableReason): Unreadable {
  return { kind: 'unreadable', reason }
}
