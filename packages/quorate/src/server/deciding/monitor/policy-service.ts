import type { PolicyState } from '../../../contract/monitor.ts'
import {
  activeCertificate,
  type ChangeEvent,
  type ChangeResult,
  currentSuspension,
  lastRelease,
  policyState,
  releasePolicy,
  type Suspension,
  suspendPolicy,
} from '../../../monitor/policy-state.ts'
import type { ActingBar } from '../../../record/decision.ts'
import { PAGE_ROWS } from '../../../run/pages.ts'
import { barOf } from '../../../run/suspension.ts'
import { saltedDigest } from '../../../store/decisions/ledger-chain.ts'
import { POLICY_CHAIN, type PolicyEvent } from '../../../store/decisions/policy-events.ts'
import type { LedgerEntry, Millis, Store } from '../../../store/store.ts'
import { ProblemError } from '../../problem-response.ts'
import type { ServiceTools } from '../../services.ts'
import { createInOrder } from './in-order.ts'

/**
 * Whether anything may act, and with which certificate. It caches the events of the store to save work and to show the state.
 * Another process may have written since they were read, so the commit of each action checks the store itself.
 */
export interface PolicyService {
  /** In the order of their commits. */
  events(): readonly PolicyEvent[]
  state(): PolicyState
  /** True as soon as a suspension is requested, even before it is stored. */
  isSuspended(): boolean
  /** What forbids acting; null: nothing does. */
  bar(): ActingBar | null
  activeId(): string | null
  /** Whether a person ever activated it. Before it returns false it reads the store again. */
  wasActivated(certificateId: string): Promise<boolean>
  /** The release at which the monitors restarted; null: there was none. */
  lastRelease(): PolicyEvent | null
  /** The current suspension; null: there is none. */
  suspension(): PolicyEvent | null
  /** Does nothing if the policy is already suspended. */
  suspendFor(suspension: Suspension): Promise<void>
  /** Resolves when it is committed: no process commits an action after that. Throws if the policy is not suspended then. */
  suspendBy(note: string, by: string): Promise<PolicyState>
  /** Throws if the policy is still suspended afterwards. `since`: releases only the suspension that began then. */
  release(note: string, by: string, since?: Millis): Promise<PolicyState>
  /** False: another process activated another certificate immediately afterwards. */
  activate(activation: Activation): Promise<boolean>
  /** Nothing acts until the work is done. */
  withoutActing<Result>(work: () => Promise<Result>): Promise<Result>
  /** Reads what other processes wrote; true: there were new events. */
  refresh(): Promise<boolean>
}

export interface Activation {
  readonly certificateId: string
  readonly spotCheckRate: number
  readonly by: string
  readonly note: string
  /** For the ledger: it decides and records, but acts on nothing until it is released. */
  readonly isShadow?: boolean
}

type PolicyTools = Pick<ServiceTools, 'store' | 'now' | 'newId' | 'newSalt' | 'messagesOf' | 'wakeSender' | 'report'>

/** Synchronised clocks differ by less. */
const USUAL_SKEW_MS = 5000

export async function openPolicyService(tools: PolicyTools): Promise<PolicyService> {
  const { store } = tools
  let events: readonly PolicyEvent[] = await eventsAfter(store, 0)
  let state = policyState(events)
  reportFuture(tools, events)
  let suspended = 0
  const inOrder = createInOrder()

  async function refresh(): Promise<boolean> {
    const latest = await eventsAfter(store, events.at(-1)?.sequence ?? 0)
    if (latest.length === 0) return false
    events = [...events, ...latest]
    state = policyState(events)
    reportFuture(tools, latest)
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

  /** False: another process was faster, and nothing was written. */
  async function write(change: ChangeEvent, more: Readonly<Record<string, unknown>> = {}): Promise<boolean> {
    const at = tools.now()
    const event = { id: tools.newId(), at, ...change }
    const messages = change.kind === 'suspend' ? suspendedMessages(tools, change, at) : []
    const entry = entryOf(change, at, tools.newSalt(), more)
    const unless = UNLESS[change.kind]
    const written = await store.policy.append({ event, entry, messages, ...(unless === null ? {} : { unless }) })
    await refresh()
    if (written !== null && messages.length > 0) tools.wakeSender()
    return written !== null
  }

  /**
   * Makes a change that a person requested, based on the current state of the store. Throws if it is refused or not in effect.
   */
  async function change(next: () => ChangeResult, isInEffect: () => boolean): Promise<PolicyState> {
    await refresh()
    for (;;) {
      const result = next()
      if (result.kind === 'refused') throw new ProblemError({ status: 409, detail: result.reason })
      // If another process was faster, the next attempt starts from what it wrote.
      if (!(await write(result.change))) continue
      if (isInEffect()) return state
      throw undone(result.change.kind, events)
    }
  }

  return {
    events: () => events,
    state: () => state,
    isSuspended: () => suspended > 0 || state.state === 'suspended',
    bar: () => (suspended > 0 ? 'suspended' : barOf(currentSuspension(events))),
    activeId: () => activeCertificate(events),
    async wasActivated(certificateId) {
      const isAmong = () => events.some((event) => event.kind === 'activate' && event.certificateId === certificateId)
      if (isAmong()) return true
      await inOrder(refresh)
      return isAmong()
    },
    lastRelease: () => lastRelease(events),
    suspension: () => currentSuspension(events),
    refresh: () => inOrder(refresh),
    withoutActing,
    suspendFor: (suspension) =>
      withoutActing(() =>
        inOrder(async () => {
          await refresh()
          const result = suspendPolicy(events, suspension)
          if (result.kind === 'changed') await write(result.change)
        }),
      ),
    suspendBy: (reason, by) =>
      withoutActing(() =>
        inOrder(() =>
          change(
            () => suspendPolicy(events, { cause: 'admin', reason, by }),
            () => state.state === 'suspended',
          ),
        ),
      ),
    release: (note, by, since) =>
      inOrder(() =>
        change(
          () => releasePolicy(events, { by, note, ...(since === undefined ? {} : { since }) }),
          () => state.state !== 'suspended',
        ),
      ),
    activate: ({ certificateId, spotCheckRate, by, note, isShadow = false }) =>
      inOrder(async () => {
        await write(
          { kind: 'activate', cause: null, certificateId, by, note },
          { spotCheckRate, ...(isShadow ? { isShadow } : {}) },
        )
        return activeCertificate(events) === certificateId
      }),
  }
}

const UNLESS = Object.freeze({ suspend: 'suspended', release: 'not-suspended', activate: null } as const)

/** The error if a change is not in effect, because another person changed the policy before the answer was sent. */
function undone(kind: PolicyEvent['kind'], events: readonly PolicyEvent[]): ProblemError {
  const { kind: last, by } = events.at(-1) ?? { kind: 'none', by: null }
  return new ProblemError({
    status: 409,
    detail:
      `The ${EVENT_WORDS[kind]} was written, but it is not in effect: the policy is ${policyState(events).state}, and the last event ` +
      `is: ${last} by ${by ?? 'the monitor'}.`,
    next: 'Read GET /v1/monitor, agree with the others, and try again.',
  })
}

const EVENT_WORDS = { suspend: 'suspension', release: 'release', activate: 'activation' } as const

/** The events after this sequence, in the order of their commits. */
async function eventsAfter({ policy }: Store, sequence: number): Promise<PolicyEvent[]> {
  const found: PolicyEvent[] = []
  for (let before: number | null = null; ; ) {
    const page: readonly PolicyEvent[] = await policy.list({ before, limit: PAGE_ROWS })
    const later = page.filter((event) => event.sequence > sequence)
    found.push(...later)
    before = page.at(-1)?.sequence ?? null
    if (later.length < PAGE_ROWS) return found.reverse()
  }
}

/** The order of events does not depend on clocks, but the times that people see do. */
function reportFuture({ now, report }: PolicyTools, events: readonly PolicyEvent[]): void {
  const future = events.filter(({ at }) => at > now() + USUAL_SKEW_MS)
  const [first] = future
  if (first === undefined) return
  const { kind, sequence, at } = first
  report(
    `${future.length} policy events are dated in the future (the first: ${kind}, row ${sequence} of the policy ledger, ` +
      `${new Date(at).toISOString()}): the clock of a server on this store is or was wrong, or this one is behind. ` +
      'Their order is still right. Synchronise the clocks.',
  )
}

function entryOf(
  { kind, cause, certificateId, by, note }: ChangeEvent,
  at: Millis,
  salt: string,
  more: Readonly<Record<string, unknown>>,
): LedgerEntry {
  const digest = note === null ? null : saltedDigest(salt, note)
  const body = { cause, certificateId, by, note: digest, ...more }
  const texts = note === null || digest === null ? [] : [{ digest, salt, text: note, questionId: '' }]
  return { runId: POLICY_CHAIN, kind, at, body, texts }
}

function suspendedMessages({ messagesOf }: PolicyTools, { cause, certificateId, by, note }: ChangeEvent, at: Millis) {
  const body = { cause, certificate: certificateId, by, reason: cause === 'admin' ? null : note }
  return messagesOf({ event: 'policy.suspended', subject: null, at, notBefore: at, body })
}
