import type { Budget, EvaluatedFile, LeftOutGroup, LocalOptions, PolicyName, SplitTally } from '@quorate/certificate'
import type { DebateReading } from '../files/read-debate-file.ts'
import type { FileReading, LeftOut } from '../text/left-out.ts'

/** The first message to a process. */
export interface SplitWork {
  readonly path: string
  readonly file: DebateReading
  readonly policies: readonly PolicyName[]
  readonly budgets: readonly Budget[]
  readonly groupConditional: boolean
  readonly local: LocalOptions
  /** Evaluated on the same splits beside the others. */
  readonly beside: BesideWork | null
}

export interface BesideWork {
  readonly policies: readonly PolicyName[]
  readonly budgets: readonly Budget[]
}

/** Then one split, by its seed, or one group to leave out after the other. */
export type SplitOrder =
  | { readonly kind: 'work'; readonly work: SplitWork }
  /** `decisions`: file for what every policy did, debate by debate; null: for nobody. */
  | { readonly kind: 'split'; readonly seed: number; readonly decisions: string | null }
  /** Fit on the other groups, decide this one; `seed` of whatever is drawn. */
  | { readonly kind: 'group'; readonly group: string; readonly seed: number }

/** What it answers: that the file is read, or a split evaluated; between them where it is; or why it ends. */
export type SplitAnswer =
  | { readonly kind: 'read'; readonly file: EvaluatedFile; readonly leftOut: LeftOut; readonly reading: FileReading }
  | { readonly kind: 'progress'; readonly text: string }
  | { readonly kind: 'split'; readonly tally: SplitTally; readonly beside: SplitTally | null }
  | { readonly kind: 'group'; readonly leftOut: LeftOutGroup }
  | { readonly kind: 'failed'; readonly message: string }
