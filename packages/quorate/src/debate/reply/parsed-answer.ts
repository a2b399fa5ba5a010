import type { QuestionOption } from '../../record/question.ts'

/** In which form one agent is asked to answer one question. */
export interface AnswerForm {
  readonly options: readonly QuestionOption[]
  /** Stands nowhere in what the agent is shown, but in what asks for the form. */
  readonly code: string
  readonly hasConfidence: boolean
  /** The provider holds the reply to a JSON Schema. */
  readonly isStructured: boolean
}

export type UnreadableReason = 'no-answer' | 'several-answers' | 'refusal' | 'truncated' | 'not-an-option'

export interface Unreadable {
  readonly kind: 'unreadable'
  readonly reason: UnreadableReason
}

export type ParsedAnswer =
  /** `option` is a name; `confidence` the probability stated for it, null where none can be read. */
  { readonly kind: 'answer'; readonly option: string; readonly confidence: number | null } | Unreadable

export function unreadable(reason: UnreadableReason): Unreadable {
  return { kind: 'unreadable', reason }
}
