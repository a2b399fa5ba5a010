import type { Problem } from 'quorate/contract'
import type { FrontierPoint } from 'quorate/figures'
import type { Decided, ReplayFacts, Stage, WorkDone } from './create-replay.ts'
import type { Profile, Settings } from './settings.ts'

/** Messages to the worker. The first must be `open`. */
export type ToWorker =
  /** A worker has no access to localStorage, so it is given the session key. */
  | { readonly kind: 'open'; readonly sessionKey: string | null }
  | { readonly kind: 'decide'; readonly settings: Settings }
  | { readonly kind: 'path'; readonly profile: Profile }

/** Messages from the worker: any number of `stage`, then exactly one answer to each message. */
export type FromWorker =
  | { readonly kind: 'stage'; readonly stage: Stage }
  /** `facts` is null if there is no certificate to decide with. */
  | { readonly kind: 'opened'; readonly facts: ReplayFacts | null }
  | { readonly kind: 'decided'; readonly decided: Decided; readonly milliseconds: number; readonly work: WorkDone }
  | { readonly kind: 'path'; readonly profile: Profile; readonly path: readonly FrontierPoint[] }
  /** These settings cannot be decided. Others may be. */
  | { readonly kind: 'undecided'; readonly settings: Settings; readonly reason: string }
  | {
      readonly kind: 'failed'
      readonly status: number
      readonly problem: Problem | null
      readonly message: string
    }
