import type { PolicyState } from '../contract/monitor.ts'
import type { PolicyEvent } from '../store/decisions/policy-events.ts'

export type SuspensionCause = NonNullable<PolicyEvent['cause']>

/** The event to record for a change of the policy. */
export type ChangeEvent = Pick<PolicyEvent, 'kind' | 'cause' | 'certificateId' | 'by' | 'note'>

export type ChangeResult =
  | { readonly kind: 'changed'; readonly change: ChangeEvent }
  | { readonly kind: 'refused'; readonly reason: string }

const NO_CERTIFICATE: PolicyState = Object.freeze({
  state: 'none',
  cause: null,
  reason: null,
  since: null,
  by: null,
  note: null,
} as const)

/**
 * The state after these events, oldest first. A suspension lasts until a release: a new certificate does not end it, and a
 * second suspension does not replace its reason.
 */
export function policyState(events: readonly PolicyEvent[]): PolicyState {
  let state = NO_CERTIFICATE
  let hasCertificate = false
  for (const event of events) {
    hasCertificate ||= event.kind === 'activate'
    state = after(state, event, hasCertificate)
  }
  return state
}

/**
 * The release at which all monitors restarted; null: there was none, and each monitor counts from the first arrival for its
 * certificate. An activation restarts nothing, because the certificate may have decided before.
 */
export function lastRelease(events: readonly PolicyEvent[]): PolicyEvent | null {
  return events.findLast(({ kind }) => kind === 'release') ?? null
}

/** The suspension that no release has ended yet, the first one if there are several; null: there is none. */
export function currentSuspension(events: readonly PolicyEvent[]): PolicyEvent | null {
  const later = events.slice(events.findLastIndex(({ kind }) => kind === 'release') + 1)
  return later.find(({ kind }) => kind === 'suspend') ?? null
}

/** The id of the certificate to decide with; null: none was ever activated. */
export function activeCertificate(events: readonly PolicyEvent[]): string | null {
  return events.findLast(({ kind }) => kind === 'activate')?.certificateId ?? null
}

export interface Suspension {
  readonly cause: SuspensionCause
  /** In plain words, with the evidence. */
  readonly reason: string
  /** Null: the program itself. */
  readonly by: string | null
}

export function suspendPolicy(events: readonly PolicyEvent[], { cause, reason, by }: Suspension): ChangeResult {
  if (policyState(events).state === 'suspended') return { kind: 'refused', reason: 'The policy is already suspended.' }
  if (cause === 'admin' && by === null) return { kind: 'refused', reason: 'A suspension by an admin needs their name.' }
  if (isBlank(reason)) return { kind: 'refused', reason: 'A suspension needs a reason.' }
  return changed(events, { kind: 'suspend', cause, by, note: reason })
}

/**
 * Only a person can release the policy, and must give a reason. The monitors restart. After a fingerprint suspension the
 * release overrides the mismatch. `since` is that of the suspension that the person was shown: a later one has another reason,
 * which nobody has considered yet.
 */
export function releasePolicy(
  events: readonly PolicyEvent[],
  { by, note, since }: { readonly by: string; readonly note: string; readonly since?: number },
): ChangeResult {
  const { state, since: suspendedAt, reason } = policyState(events)
  if (state !== 'suspended') return { kind: 'refused', reason: 'The policy is not suspended.' }
  if (since !== undefined && since !== suspendedAt) {
    return { kind: 'refused', reason: `The policy was suspended again meanwhile: ${reason ?? 'no reason'}` }
  }
  if (isBlank(by)) return { kind: 'refused', reason: 'A release needs the name of an admin.' }
  if (isBlank(note)) return { kind: 'refused', reason: 'A release needs a note: why may it act again?' }
  return changed(events, { kind: 'release', cause: null, by, note })
}

function after(state: PolicyState, event: PolicyEvent, hasCertificate: boolean): PolicyState {
  const { kind, cause, at, by, note } = event
  if (kind === 'suspend')
    return state.state === 'suspended' ? state : { state: 'suspended', cause, reason: note, since: at, by, note: null }
  if (kind === 'activate' && state.state === 'suspended') return state
  if (kind === 'release' && state.state !== 'suspended') return state
  return { state: hasCertificate ? 'live' : 'none', cause: null, reason: null, since: at, by, note }
}

function changed(events: readonly PolicyEvent[], change: Omit<ChangeEvent, 'certificateId'>): ChangeResult {
  return { kind: 'changed', change: { ...change, certificateId: activeCertificate(events) } }
}

function isBlank(text: string): boolean {
  return text.trim() === ''
}
