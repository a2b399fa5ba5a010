import type { PolicyEvent } from '../store/decisions/policy-events.ts'
import { countText, exactTexts, probabilityText } from '../text/number-text.ts'
import { plainText } from '../text/plain-text.ts'
import type { ClassReport } from './class-report.ts'
import type { DriftReport } from './drift-watch.ts'
import { policyState, type Suspension } from './policy-state.ts'
import { type RiskAlarm, type RiskReport, USUAL_ETA } from './risk-report.ts'

export interface MonitorEvidence {
  readonly beta: number
  readonly risk: RiskReport
  /** The classes for which the certificate promises a floor. */
  readonly classes: readonly ClassReport[]
  readonly drift: DriftReport
  /** Fields in which the panel differs from the calibrated one (`fingerprintDifferences`). */
  readonly mismatch: readonly string[]
  /** Other certificates that have decided. */
  readonly others: readonly OtherEvidence[]
}

export interface OtherEvidence {
  readonly certificateId: string
  readonly beta: number
  readonly alarm: RiskAlarm
  /** Null: its debates were not assessed yet. */
  readonly drift: DriftReport | null
}

/** The suspension that the evidence requires; null: none, or the policy is already suspended. */
export function suspensionDue(events: readonly PolicyEvent[], evidence: MonitorEvidence): Suspension | null {
  const { state } = policyState(events)
  if (state === 'suspended') return null
  return (state === 'live' ? activeSuspension(events, evidence) : null) ?? othersSuspension(evidence.others)
}

function activeSuspension(events: readonly PolicyEvent[], evidence: MonitorEvidence): Suspension | null {
  const { mismatch, risk, classes, drift, beta } = evidence
  if (mismatch.length > 0 && !isOverridden(events, mismatchReason(mismatch))) {
    return { cause: 'fingerprint', reason: mismatchReason(mismatch), by: null }
  }
  if (risk.alarm.isAlarm) return { cause: 'monitor', reason: riskReason(risk.alarm, beta), by: null }
  const below = classes.find(({ alarm }) => alarm.isAlarm)
  if (below !== undefined) return { cause: 'monitor', reason: classReason(below), by: null }
  return driftSuspension(drift)
}

function driftSuspension(drift: DriftReport): Suspension | null {
  if (drift.missing.isAlarm) return { cause: 'fingerprint', reason: missingReason(drift.missing), by: null }
  return drift.isAlarm ? { cause: 'drift', reason: driftReason(drift), by: null } : null
}

/** A caller who names another certificate by its id acts on it too, even while none is active. */
function othersSuspension(others: readonly OtherEvidence[]): Suspension | null {
  const alarmed = others.find(({ alarm, drift }) => alarm.isAlarm || drift?.isAlarm || drift?.missing.isAlarm)
  return alarmed === undefined ? null : otherSuspension(alarmed)
}

function otherSuspension({ certificateId, beta, alarm, drift }: OtherEvidence): Suspension | null {
  const under = `Under the certificate ${certificateId}, which is not the active one: `
  if (alarm.isAlarm) return { cause: 'monitor', reason: under + riskReason(alarm, beta), by: null }
  const suspension = drift && driftSuspension(drift)
  return suspension && { ...suspension, reason: under + suspension.reason }
}

export function mismatchReason(mismatch: readonly string[]): string {
  const fields = mismatch.join(', ')
  return `The panel is not the one that was calibrated: ${fields} ${mismatch.length === 1 ? 'differs' : 'differ'}.`
}

/** The warning of a policy that is live despite the mismatch because of --allow-mismatch. */
export function allowedMismatch(mismatch: readonly string[]): string {
  const otherAgents = mismatch.includes('agents')
    ? ' Its agents have names that the certificate does not know, so every question is deferred.'
    : ''
  return (
    `${mismatchReason(mismatch)} It still decides (--allow-mismatch): the certificate promises nothing about it, and ` +
    `the monitors count none of its questions.${otherAgents}`
  )
}

/** The warning of a certificate that promises its budget for each group. */
export const GROUPS_UNWATCHED =
  'The certificate keeps its budget in each group, but the monitor watches only the total. A single group may be worse for ' +
  'long without an alarm.'

export function riskReason({ at, eta }: RiskAlarm, beta: number): string {
  const spotChecks = at === null ? 'some' : countText(at.sampled)
  return (
    `Spot checks contradict the budget: after ${spotChecks} of them the evidence that more than ${exactTexts([beta])[0]} of ` +
    'questions are acted on wrongly, all the time or for a part of it, reached its threshold (chance of that by luck alone: at ' +
    `most ${eta}).`
  )
}

/** Each class is tested at its share of eta, so the stated probability is that of an alarm in any class. */
export function classReason({ name, floor, right, at, alarm }: ClassReport): string {
  const found = right === null ? '' : ` (${countText(right.count)} of the first ${countText(right.of)} were right)`
  return (
    `Spot checks contradict the floor of the class "${plainText(name)}": after ${countText(at ?? alarm.counted)} of them that were acted on ` +
    `and labelled the evidence that fewer than ${exactTexts([floor])[0]} are right reached its threshold${found}. While every class ` +
    `keeps its floor, the chance that any of them ever raises this alarm is at most ${USUAL_ETA}.`
  )
}

export function driftReason({ at, counted, alarmAt }: DriftReport): string {
  return (
    `Questions no longer look like those of the calibration: by the first round of ${countText(at ?? counted)} debates ` +
    `the evidence reached its threshold (chance of that by luck alone: at most ${Number((1 / alarmAt).toPrecision(3))}). A stream ` +
    'that asks the same questions again and again raises this alarm too: they are no new samples of the population.'
  )
}

/** The reason if agents no longer state what the certificate was calibrated on. */
export function missingReason({ share, limit, at, counted, alarmAt }: DriftReport['missing']): string {
  const found = share === null ? '' : `: ${probabilityText(share)} of the answers in first rounds`
  const allowed = limit === null ? '' : `, where the calibration allows ${probabilityText(limit)}`
  return (
    `Agents state no confidence, or lack another part of what the certificate reads, more often than in calibration${found}${allowed}. ` +
    `The evidence reached its threshold after ${countText(at ?? counted)} questions (chance of that by luck alone: at most ` +
    `${Number((2 / alarmAt).toPrecision(3))}).`
  )
}

/** Somebody released a suspension for exactly this difference since the certificate was activated. */
function isOverridden(events: readonly PolicyEvent[], reason: string): boolean {
  const current = events.slice(events.findLastIndex(({ kind }) => kind === 'activate') + 1)
  const suspension = current.findLastIndex(
    ({ kind, cause, note }) => kind === 'suspend' && cause === 'fingerprint' && note === reason,
  )
  return suspension >= 0 && current.slice(suspension).some(({ kind }) => kind === 'release')
}
