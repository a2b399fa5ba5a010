import type { PolicyState } from '../../../contract/monitor.ts'
import {
  activeCertificate,
  type Changing,
  currentSuspension,
  lastRelease,
  type PolicyChange,
  policyState,
  releasePolicy,
  type Suspension,
  suspendPolicy,
} from '../../../monitor/policy-state.ts'
import type { ActingBar } from '../../../record/decision.ts'
import { barOf } from '../../../run/suspension.ts'
import { saltedDigest } from '../../../store/decisions/ledger-chain.ts'
import { POLICY_CHAIN, type PolicyEvent } from '../../../store/decisions/policy-events.ts'
import type { LedgerEntry, Millis, Store } from '../../../store/store.ts'
import { ProblemError } from '../../problem-response.ts'
import type { ServiceTools } from '../../services.ts'

/**
 * Whether anything may act, and with which certificate: the events of the store, kept in memory. Another process may have
 * written since they were read, so this saves work and shows the state; the commit of each action asks the store itself.
 */
export interface PolicyService {
  /** In the order of their commits. */
  events(): readonly PolicyEvent[]
  state(): PolicyState
  /** True from the moment that a suspension is asked for, before it is stored. */
  isSuspended(): boolean
  /** What forbids to act; null: nothing does. */
  bar(): ActingBar | null
  activeId(): string | null
  /** Whether a person ever activated it; reads the store again before it says no. */
  wasActivated(certificateId: string): Promise<boolean>
  /** The release that the monitors restarted with; null: there was none. */
  lastRelease(): PolicyEvent | null
  /** The suspension that lasts; null: there is none. */
  suspension(): PolicyEvent | null
  /** Nothing happens when it is already suspended. */
  suspendFor(suspension: Suspension): Promise<void>
  /** Committed when it resolves: no process commits an action after that. An error where the policy is not suspended then. */
  suspendBy(note: string, by: string): Promise<PolicyState>
  /** An error where the policy is suspended then. `since`: another suspension than the one that began then is not released. */
  release(note: string, by: string, since?: Millis): Promise<PolicyState>
  /** False: another process activated another certificate right after. */
  activate(activation: Activation): Promise<boolean>
  /** Nothing acts until the work is done. */
  withoutActing<Result>(work: () => Promise<Result>): Promise<Result>
  /** Reads what other processes wrote; true: there was something. */
  refresh(): Promise<boolean>
}

export interface Activation {
  readonly certificateId: string
  readonly spotCheckRate: number
  readonly by: string
  readonly note: string
  /** For the ledger: it decides and records, and acts on nothing until it is released. */
  readonly isShadow?: boolean
}

type ReviewTools = Pick<ServiceTools, 'store' | 'now' | 'newId' | 'newSalt' | 'announce' | 'wakeSender' | 'report'>

/** Clocks of machines that are set differ by less. */
const USUAL_SKEW_MS = 5000

export async function openPolicyService(tools: ReviewTools): Promise<PolicyService> {
  const { store } = tools
  let events: readonly PolicyEvent[] = await eventsAfter(store, 0)
  let state = policyState(events)
  reportFuture(tools, events)
  let suspended = 0
  let line: Promise<unknown> = Promise.resolve()

  /** One after the other: each looks at what the last one left. */
  function inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = line.then(work, work)
    line = done.catch(() => undefined)
    return done
  }

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

  /** False: another process was quicker, and nothing was written. */
  async function write(change: PolicyChange, more: Readonly<Record<string, unknown>> = {}): Promise<boolean> {
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

  /** A change that a person asked for, from what the store says now; an error where it is refused or did not last. */
  async function change(next: () => Changing, isInEffect: () => boolean): Promise<PolicyState> {
    await refresh()
    for (;;) {
      const changing = next()
      if (changing.kind === 'refused') throw new ProblemError({ status: 409, detail: changing.reason })
      // Where another process was quicker, what it wrote is looked at next.
      if (!(await write(changing.change))) continue
      if (isInEffect()) return state
      throw undone(changing.change.kind, events)
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
          const changing = suspendPolicy(events, suspension)
          if (changing.kind === 'changed') await write(changing.change)
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

/** The change is not in effect: another person changed the policy before the answer was sent. */
function undone(kind: PolicyEvent['kind'], events: readonly PolicyEvent[]): ProblemError {
  const { kind: last, by } = events.at(-1) ?? { kind: 'none', by: null }
  return new ProblemError({
    status: 409,
    detail:
      `The ${EVENT_WORDS[kind]} was written, but it is not in effect: the policy is ${policyState(events).state}, and the last event ` +
      `is: ${last} by ${by ?? 'the monitor'}.`,
    next: 'read GET /v1/monitor, agree with the others, and try again',
  })
}

const EVENT_WORDS = { suspend: 'suspension', release: 'release', activate: 'activation' } as const

/** In the order of their commits, those after this sequence. */
async function eventsAfter({ policy }: Store, sequence: number): Promise<PolicyEvent[]> {
  const found: PolicyEvent[] = []
  for (let before: number | null = null; ; ) {
    const page: readonly PolicyEvent[] = await policy.list({ before, limit: PAGE })
    const later = page.filter((event) => event.sequence > sequence)
    found.push(...later)
    before = page.at(-1)?.sequence ?? null
    if (later.length < PAGE) return found.reverse()
  }
}

/** Their order does not depend on clocks, but the times that people are shown do. */
function reportFuture({ now, report }: ReviewTools, events: readonly PolicyEvent[]): void {
  const future = events.filter(({ at }) => at > now() + USUAL_SKEW_MS)
  const [first] = future
  if (first === undefined) return
  const { kind, sequence, at } = first
  report(
    `${future.length} policy events are dated in the future (the first: ${kind}, row ${sequence} of the policy ledger, ` +
      `${new Date(at).toISOString()}): the clock of a server on this store is or was wrong, or this one is behind. ` +
      'Their order is still right. Set the clocks.',
  )
}

const PAGE = 200

function entryOf(
  { kind, cause, certificateId, by, note }: PolicyChange,
  at: Millis,
  salt: string,
  more: Readonly<Record<string, unknown>>,
): LedgerEntry {
  const digest = note === null ? null : saltedDigest(salt, note)
  const body = { cause, certificateId, by, note: digest, ...more }
  const texts = note === null || digest === null ? [] : [{ digest, salt, text: note, questionId: '' }]
  return { runId: POLICY_CHAIN, kind, at, body, texts }
}

function suspendedMessages({ announce }: ReviewTools, { cause, certificateId, by, note }: PolicyChange, at: Millis) {
  const body = { cause, certificate: certificateId, by, reason: cause === 'admin' ? null : note }
  return announce({ event: 'policy.suspended', subject: null, at, notBefore: at, body })
}
