import type { Decision } from '@quorate/certificate'
import type { PauseReason } from '../debate/ask.ts'
import type { DebateSoFar } from '../debate/debate-record.ts'
import type { RunQuestion } from '../store/store.ts'
import type { QuestionContext } from './run-context.ts'
import type { DecisionTerms } from './settle.ts'

/** A claimed question, with everything that is needed to debate and settle it. */
export interface ClaimedQuestion {
  readonly run: QuestionContext
  readonly row: RunQuestion
  readonly terms: DecisionTerms
  /** Called after each round with the debate and the decision so far. */
  readonly onRound?: ((debate: DebateSoFar, decision: Decision) => void) | undefined
  /** Fires when the debate must pause: no further call is sent, and calls in flight finish. */
  readonly pausing?: AbortSignal | undefined
}

/** One pass of the work loop: how many questions there was room for, and how many were claimed. */
export interface Pass {
  readonly room: number
  readonly claimed: number
}

/**
 * `complete`: no worker needs to take the question again. `release`: another worker may take it, or this one later. The local
 * queue ignores it: the question stays pending in the store.
 */
export type ClaimEnd = 'complete' | 'release'

/**
 * Where questions to debate come from. There are two implementations: the questions of this process (`createLocalQueue`), and
 * those that many workers share through pg-boss (`workers/shared-queue.ts`). A shared claim is exclusive as long as it is
 * renewed.
 */
export interface Queue<Claim> {
  /** Claims at most `limit` questions that no other worker has. Null: the queue is drained, and nothing will be added. */
  claim(limit: number): Promise<readonly Claim[] | null>
  /** Resolves when it is worth trying to claim again, or when `woken` fires, because a question ended or the loop must stop. */
  wait(last: Pass, woken: AbortSignal): Promise<void>
  /** Identifies the question of a claim. A later claim of the same question ends the earlier one. */
  idOf(claim: Claim): string
  /**
   * Calls `use` with the question, under a fence of its own. Null: the question is no longer pending. `leaving` fires when
   * another worker may own the question.
   */
  open<Result>(
    claim: Claim,
    leaving: AbortSignal,
    use: (question: ClaimedQuestion) => Promise<Result>,
  ): Promise<Result | null>
  /** Reports that the claims are still worked on. Returns those that this process still owns. */
  renew(claims: readonly Claim[]): Promise<readonly Claim[]>
  complete(claims: readonly Claim[]): Promise<void>
  release(claims: readonly Claim[]): Promise<void>
  /** The debate stopped, for example at the spend cap or because the process shuts down, and may be continued later. */
  pause(claim: Claim, reason: PauseReason): Promise<ClaimEnd>
  /** The question could not be answered. If this throws, the loop ends with that error. */
  giveUp(claim: Claim, error: unknown): Promise<ClaimEnd>
}

export interface LocalQueueOptions<Claim> {
  /** Read one by one; after the last one the queue is drained. Absent: questions may be added at any time. */
  readonly questions?: AsyncIterator<Claim>
  readonly idOf: (claim: Claim) => string
  readonly open: (claim: Claim) => ClaimedQuestion
  readonly paused: (claim: Claim, reason: PauseReason) => void
  readonly failed: (claim: Claim, error: unknown) => void
}

export interface LocalQueue<Claim> extends Queue<Claim> {
  add(claim: Claim): void
  /** After this, nothing more can be claimed. */
  close(): void
}

/** A queue within this process, oldest first. The fence of the run keeps other processes away, so claims need no lease. */
export function createLocalQueue<Claim>(options: LocalQueueOptions<Claim>): LocalQueue<Claim> {
  const { questions, open, paused, failed } = options
  const added: Claim[] = []
  let isClosed = false
  let wake = () => {}

  async function next(): Promise<Claim | undefined> {
    const first = added.shift()
    if (first !== undefined || questions === undefined) return first
    const read = await questions.next()
    if (read.done !== true) return read.value
    isClosed = true
    return undefined
  }

  return {
    add(claim) {
      added.push(claim)
      wake()
    },
    close() {
      isClosed = true
      wake()
    },
    async claim(limit) {
      const claims: Claim[] = []
      while (!isClosed && claims.length < limit) {
        const claim = await next()
        if (claim === undefined) break
        claims.push(claim)
      }
      return isClosed && claims.length === 0 ? null : claims
    },
    wait: ({ room }, woken) =>
      new Promise((resolve) => {
        const done = () => {
          woken.removeEventListener('abort', done)
          resolve()
        }
        wake = room > 0 ? done : () => {}
        // Questions that were added while there was no room are claimed when another question ends.
        if (woken.aborted || isClosed || (room > 0 && added.length > 0)) return done()
        woken.addEventListener('abort', done, { once: true })
      }),
    idOf: options.idOf,
    open: async (claim, _, use) => use(open(claim)),
    renew: async (claims) => claims,
    complete: async () => {},
    release: async () => {},
    async pause(claim, reason) {
      paused(claim, reason)
      return 'release'
    },
    async giveUp(claim, error) {
      failed(claim, error)
      return 'complete'
    },
  }
}
