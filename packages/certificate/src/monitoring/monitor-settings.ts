import { CertificateError } from '../certificate-error.ts'

/** Settings of the live monitor. */
export interface MonitorSettings extends AlarmSettings {
  /** Probability p that a question is sampled for a spot check at intake, in (0, 1]. */
  readonly spotCheckRate: number
}

/** Settings of the alarm. Each question has its own probability of a spot check. */
export interface AlarmSettings extends BoundSettings {
  /** The wrong-action budget, in (0, 1). */
  readonly beta: number
}

/** Settings of bounds on the rate, which do not depend on beta. */
export interface BoundSettings {
  /**
   * Largest probability, in (0, 1), that the monitor ever raises an alarm although the rate stays within beta. It is
   * not part of beta.
   */
  readonly eta: number
}

export function checkMonitorSettings(where: string, { spotCheckRate, ...rest }: MonitorSettings): void {
  checkAlarmSettings(where, rest)
  checkSpotCheckRate(where, spotCheckRate)
}

export function checkAlarmSettings(where: string, { beta, ...rest }: AlarmSettings): void {
  if (!(isNumber(beta) && beta > 0 && beta < 1)) throw new CertificateError(where, 'beta', 'a number in (0, 1)', beta)
  checkBoundSettings(where, rest)
}

export function checkBoundSettings(where: string, { eta }: BoundSettings): void {
  if (!(isNumber(eta) && eta > 0 && eta < 1)) throw new CertificateError(where, 'eta', 'a number in (0, 1)', eta)
}

export function checkSpotCheckRate(where: string, spotCheckRate: number): void {
  if (isNumber(spotCheckRate) && spotCheckRate > 0 && spotCheckRate <= 1) return
  throw new CertificateError(where, 'spotCheckRate', 'a number in (0, 1]', spotCheckRate)
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}
