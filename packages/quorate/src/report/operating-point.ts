/** What a policy did on a set of questions. */
export interface OperatingPoint {
  readonly name: string
  readonly questions: number
  readonly acted: number
  /** Acted on, with a wrong answer. */
  readonly wrong: number
  /** Rounds debated over all questions; a deferral counts as all of them. */
  readonly rounds: number
  /** Answers asked of agents in those rounds. */
  readonly calls: number
}
