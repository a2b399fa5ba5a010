import type { ReviewItem } from 'quorate/contract'
import { ApiError, type request } from '../../../api/client.ts'
import {
  type Claim,
  claimOf,
  type Draft,
  EMPTY_DRAFT,
  FRESH_STATE,
  type News,
  type ReviewState,
  type Work,
} from './review-state.ts'

export interface SessionTools {
  readonly request: typeof request
  readonly now: () => number
  /** Stores the id of the current item across a reload. */
  readonly memory: { readonly read: () => string | null; readonly write: (id: string | null) => void }
  /** Called when the session has ended. */
  readonly onSignedOut: () => void
}

/** The state of a session and its transitions. The actions are in the other files of this folder. */
export interface SessionStore {
  readonly now: () => number
  readonly remembered: () => string | null
  readonly state: () => ReviewState
  readonly set: (patch: Partial<ReviewState>) => void
  readonly setClaim: (claim: Claim, patch?: Partial<ReviewState>) => void
  /** Ends the work under way with an error. The item and the draft stay. */
  readonly fail: (work: Work, error: unknown) => void
  /** Begins work on the current item. Returns null if there is none, or if other work is under way. */
  readonly begin: (work: Work) => Claim | null
  readonly newClaim: (item: ReviewItem, draft?: Draft) => Claim
  readonly news: (kind: News['kind']) => News
  readonly find: (id: string) => Promise<ReviewItem>
  /** POST /v1/reviews/VERB. */
  readonly post: <Answer>(verb: string, body?: unknown) => Promise<Answer>
  /** POST /v1/reviews/ID/VERB. */
  readonly act: <Answer>(id: string, verb: string, body?: unknown) => Promise<Answer>
  readonly subscribe: (changed: () => void) => () => void
}

export function createSessionStore({ request, now, memory, onSignedOut }: SessionTools): SessionStore {
  let state = FRESH_STATE
  let count = 0
  const listeners = new Set<() => void>()
  const set = (patch: Partial<ReviewState>) => {
    state = { ...state, ...patch }
    if (state.place.kind !== 'taking') memory.write(claimOf(state)?.item.id ?? null)
    for (const listener of listeners) listener()
  }
  const post = async <Answer>(verb: string, body: unknown = {}) => {
    try {
      return await request<Answer>(`/v1/reviews/${verb}`, { method: 'POST', body })
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) onSignedOut()
      throw error
    }
  }
  return {
    now,
    set,
    post,
    remembered: memory.read,
    state: () => state,
    setClaim: (claim, patch = {}) => set({ place: { kind: 'item', claim }, ...patch }),
    fail: (work, error) => set({ work: null, problem: { work, error } }),
    begin: (work) => {
      const claim = claimOf(state)
      if (claim === null || state.work !== null) return null
      set({ work, problem: null })
      return claim
    },
    newClaim: (item, draft = EMPTY_DRAFT) => ({ item, draft, claimMs: null, claimedAt: now(), isExpired: false }),
    news: (kind) => ({ kind, count: ++count }),
    find: (id) => request<ReviewItem>(`/v1/reviews/${encodeURIComponent(id)}`),
    act: (id, verb, body) => post(`${encodeURIComponent(id)}/${verb}`, body),
    subscribe: (changed) => {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
  }
}

export type Outcome<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'failed'; readonly error: unknown }

export function outcomeOf<Value>(promise: Promise<Value>): Promise<Outcome<Value>> {
  return promise.then(
    (value) => ({ kind: 'done', value }),
    (error: unknown) => ({ kind: 'failed', error }),
  )
}

/** The item belongs to somebody else, or it is done or gone. A retry would fail again. */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 409 || error.status === 404)
}
