/** A question as it is asked: its options in their order, each with a name (what agents answer) and a text. */
export interface Question {
  readonly id: string
  readonly question: string
  readonly options: readonly QuestionOption[]
  /** Name of the right option; null when unknown. */
  readonly gold: string | null
  readonly group: string | null
}

export interface QuestionOption {
  readonly name: string
  /** Equal to the name where the file gave names only. */
  readonly text: string
}
