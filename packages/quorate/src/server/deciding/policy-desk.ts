import type { PolicyState } from '../../contract/monitor.ts'
import {
  activeCertificate,
  type Hold,
  holdPolicy,
  lastingHold,
  lastRelease,
  type PolicyChange,
  policyState,
  releasePolicy,
} from '../../monitor/policy-state.ts'
import { saltedDigest } from '../../store/ledger-chain.ts'
import { POLICY_CHAIN, type PolicyEvent } from '../../store/policy-events.ts'
import type { LedgerEntry, Millis, Store } from '../../store/store.ts'
import { ProblemError } from '../problem-response.ts'
import type { ServiceTools } from '../services.ts'

/** Whether anything may act, and with which certificate: the events of the store, kept in memory. */
export interface PolicyDesk {
  /** Oldest first. */
  events(): readonly PolicyEvent[]
  state(): PolicyState
  /** True from the moment that a hold is asked for, before it is stored. */
  isHeld(): boolean
  activeId(): string | null
  /** The release that the monitors began anew with; null: there was none. */
  lastRelease(): PolicyEvent | null
  /** The hold that lasts; null: there is none. */
  hold(): PolicyEvent | null
  /** Nothing happens when it is held already. */
  holdFor(hold: Hold): Promise<void>
  holdBy(note: string, by: string): Promise<PolicyState>
  release(note: string, by: string): Promise<PolicyState>
  activate(activation: Activation): Promise<void>
  /** Nothing acts until the work is done. */
  withoutActing<Result>(work: () => Promise<Result>): Promise<Result>
  /** Reads what other processes wrote; true: there was something. */
  refresh(): Promise<boolean>
}

export interface Activation {
  readonly certificateId: string
  readonly spotCheckRate: number
  /** Null: the program itself. */
  readonly by: string | null
  readonly note: string | null
}

type DeskTools = Pick<ServiceTools, 'store' | 'now' | 'newId' | 'newSalt' | 'announce' | 'wakeCourier'>

export async function openPolicyDesk(tools: DeskTools): Promise<PolicyDesk> {
  const { store } = tools
  let events = await allEvents(store)
  let state = policyState(events)
  let suspended = 0
  let line: Promise<unknown> = Promise.resolve()

  /** One after the other: each looks at what the last one left. */
  function inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = line.then(work, work)
    line = done.catch(() => undefined)
    return done
  }

  async function refresh(): Promise<boolean> {
    const latest = await allEvents(store, events.at(-1)?.id)
    if (latest.length === 0) return false
    events = [...events, ...latest]
    state = policyState(events)
    return true
  }

  async function withoutActing<Result>(work: () => Promise<Result>): Promise<Result> {
    suspended += 1
    try {
      return await work()
    } finally {
      suspended -= 1
    }
  }

  async function write(change: PolicyChange, more: Readonly<Record<string, unknown>> = {}): Promise<void> {
    const at = tools.now()
    const event = { id: tools.newId(), at, ...change }
    const messages = change.kind === 'hold' ? heldMessages(tools, change, at) : []
    const entry = entryOf(change, { at, salt: tools.newSalt(), more })
    const unless = change.kind === 'activate' ? {} : { unless: change.kind }
    const written = await store.policy.append({ event, entry, messages, ...unless })
    await refresh()
    if (written !== null && messages.length > 0) tools.wakeCourier()
  }

  return {
    events: () => events,
    state: () => state,
    isHeld: () => suspended > 0 || state.state === 'held',
    activeId: () => activeCertificate(events),
    lastRelease: () => lastRelease(events),
    hold: () => lastingHold(events),
    refresh: () => inOrder(refresh),
    withoutActing,
    holdFor: (hold) =>
      withoutActing(() =>
        inOrder(async () => {
          const changing = holdPolicy(events, hold)
          if (changing.kind === 'changed') await write(changing.change)
        }),
      ),
    holdBy: (reason, by) =>
      withoutActing(() =>
        inOrder(async () => {
          const changing = holdPolicy(events, { cause: 'admin', reason, by })
          if (changing.kind === 'refused') throw new ProblemError({ status: 409, detail: changing.reason })
          await write(changing.change)
          return state
        }),
      ),
    release: (note, by) =>
      inOrder(async () => {
        const changing = releasePolicy(events, { by, note })
        if (changing.kind === 'refused') throw new ProblemError({ status: 409, detail: changing.reason })
        await write(changing.change)
        return state
      }),
    activate: ({ certificateId, spotCheckRate, by, note }) =>
      inOrder(() => write({ kind: 'activate', cause: null, certificateId, by, note }, { spotCheckRate })),
  }
}

/** Oldest first, those after `last`. */
async function allEvents({ policy }: Store, last?: string): Promise<PolicyEvent[]> {
  const found: PolicyEvent[] = []
  for (let before: string | null = null; ; ) {
    const page: readonly PolicyEvent[] = await policy.list({ before, limit: PAGE })
    const later = last === undefined ? page : page.filter(({ id }) => id > last)
    found.push(...later)
    before = page.at(-1)?.id ?? null
    if (later.length < PAGE) return found.reverse()
  }
}

const PAGE = 200

interface EntryParts {
  readonly at: Millis
  readonly salt: string
  readonly more: Readonly<Record<string, unknown>>
}

function entryOf({ kind, cause, certificateId, by, note }: PolicyChange, { at, salt, more }: EntryParts): LedgerEntry {
  const digest = note === null ? null : saltedDigest(salt, note)
  const body = { cause, certificateId, by, note: digest, ...more }
  const texts = note === null || digest === null ? [] : [{ digest, salt, text: note, questionId: '' }]
  return { runId: POLICY_CHAIN, kind, at, body, texts }
}

function heldMessages({ announce }: DeskTools, { cause, certificateId, by, note }: PolicyChange, at: Millis) {
  const body = { cause, certificate: certificateId, by, reason: cause === 'admin' ? null : note }
  return announce({ event: 'monitor.held', subject: null, at, notBefore: at, body })
}
