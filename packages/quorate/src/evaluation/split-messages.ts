import type { Budget, EvaluatedFile, LeftOutGroup, LocalOptions, PolicyName, SplitTally } from '@quorate/certificate'
import type { DebateReading } from '../files/read-debate-file.ts'
import type { FileReading, LeftOut } from '../text/left-out.ts'

/** What a process evaluates. It is the first message to it. */
export interface SplitWork {
  readonly path: string
  readonly file: DebateReading
  readonly policies: readonly PolicyName[]
  readonly budgets: readonly Budget[]
  readonly groupConditional: boolean
  readonly local: LocalOptions
  /** Further policies and budgets, evaluated on the same splits. */
  readonly beside: BesideWork | null
}

export interface BesideWork {
  readonly policies: readonly PolicyName[]
  readonly budgets: readonly Budget[]
}

/** Messages to a process: first its work, then one split or one group to leave out after the other. */
export type SplitOrder =
  | { readonly kind: 'work'; readonly work: SplitWork }
  /** `decisions`: file for what every policy did, debate by debate; null: none. */
  | { readonly kind: 'split'; readonly seed: number; readonly decisions: string | null }
  /** Fit on the other groups, decide this one. `seed` is the seed of everything that is sampled. */
  | { readonly kind: 'group'; readonly group: string; readonly seed: number }

/** Messages from a process: it has read the file, how far it is, it has evaluated a split or a group, or why it failed. */
export type SplitAnswer =
  | { readonly kind: 'read'; readonly file: EvaluatedFile; readonly leftOut: LeftOut; readonly reading: FileReading }
  | { readonly kind: 'progress'; readonly text: string }
  | { readonly kind: 'split'; readonly tally: SplitTally; readonly beside: SplitTally | null }
  | { readonly kind: 'group'; readonly leftOut: LeftOutGroup }
  | { readonly kind: 'failed'; readonly message: string }
