import type { Problem } from 'quorate/contract'
import type { FrontierPoint } from 'quorate/figures'
import type { Decided, ReplayFacts, Stage, WorkDone } from './create-replay.ts'
import type { Profile, Settings } from './settings.ts'

/** To the worker. The first must be `open`. */
export type ToWorker =
  /** A worker sees nothing of what the browser keeps for the page. */
  | { readonly kind: 'open'; readonly sessionKey: string | null }
  | { readonly kind: 'decide'; readonly settings: Settings }
  | { readonly kind: 'path'; readonly profile: Profile }

/** From the worker. `stage` may come any number of times before the answer; all else is one answer to one message. */
export type FromWorker =
  | { readonly kind: 'stage'; readonly stage: Stage }
  /** Null: there is no certificate that could decide. */
  | { readonly kind: 'opened'; readonly facts: ReplayFacts | null }
  | { readonly kind: 'decided'; readonly decided: Decided; readonly milliseconds: number; readonly work: WorkDone }
  | { readonly kind: 'path'; readonly profile: Profile; readonly path: readonly FrontierPoint[] }
  /** These sliders cannot be decided; others may. */
  | { readonly kind: 'undecided'; readonly settings: Settings; readonly reason: string }
  | {
      readonly kind: 'failed'
      readonly status: number
      readonly problem: Problem | null
      readonly message: string
    }
