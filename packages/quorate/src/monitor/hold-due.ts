import { countText, probabilityText } from '../report/number-text.ts'
import type { PolicyEvent } from '../store/policy-events.ts'
import type { DriftReport } from './drift-watch.ts'
import { type Hold, policyState } from './policy-state.ts'
import type { RiskReport } from './risk-report.ts'

export interface MonitorEvidence {
  readonly beta: number
  readonly risk: RiskReport
  readonly drift: DriftReport
  /** Fields in which the panel is not the calibrated one (`fingerprintDifferences`). */
  readonly mismatch: readonly string[]
}

/** The hold that the evidence calls for while the policy is live; null: none. */
export function holdDue(events: readonly PolicyEvent[], evidence: MonitorEvidence): Hold | null {
  if (policyState(events).state !== 'live') return null
  const { mismatch, risk, drift, beta } = evidence
  if (mismatch.length > 0 && !isOverridden(events, mismatchReason(mismatch))) {
    return { cause: 'fingerprint', reason: mismatchReason(mismatch), by: null }
  }
  if (risk.alarm.isAlarm) return { cause: 'monitor', reason: riskReason(risk, beta), by: null }
  if (drift.isAlarm) return { cause: 'drift', reason: driftReason(drift), by: null }
  return null
}

export function mismatchReason(mismatch: readonly string[]): string {
  const fields = mismatch.join(', ')
  return `The panel is not the one that was calibrated: ${fields} ${mismatch.length === 1 ? 'differs' : 'differ'}.`
}

/** Of a policy that is live all the same, as --allow-mismatch was given. */
export function allowedMismatch(mismatch: readonly string[]): string {
  const strangers = mismatch.includes('agents')
    ? ' Its agents have names that the certificate does not know, so every question is deferred.'
    : ''
  return (
    `${mismatchReason(mismatch)} It decides all the same (--allow-mismatch): the certificate promises nothing about it, and ` +
    `the monitors count none of its questions.${strangers}`
  )
}

export function riskReason({ alarm, spotChecks }: RiskReport, beta: number): string {
  const draws = countText(alarm.at?.draws ?? spotChecks.drawn)
  return (
    `Spot checks contradict the budget: after ${draws} of them the evidence that more than ${probabilityText(beta)} of ` +
    `all questions are acted on wrongly reached its line (chance of that by luck alone: at most ${alarm.eta}).`
  )
}

export function driftReason({ at, counted, alarmAt }: DriftReport): string {
  return (
    `Questions no longer look like those of the calibration: by the first round of ${countText(at ?? counted)} debates ` +
    `the evidence reached its line (chance of that by luck alone: at most ${Number((1 / alarmAt).toPrecision(3))}). A stream ` +
    'that asks the same questions again and again raises this alarm too: they are no new draws.'
  )
}

/** Somebody released a hold for the very same difference, under the certificate that still decides. */
function isOverridden(events: readonly PolicyEvent[], reason: string): boolean {
  const current = events.slice(events.findLastIndex(({ kind }) => kind === 'activate') + 1)
  const hold = current.findLastIndex(
    ({ kind, cause, note }) => kind === 'hold' && cause === 'fingerprint' && note === reason,
  )
  return hold >= 0 && current.slice(hold).some(({ kind }) => kind === 'release')
}
