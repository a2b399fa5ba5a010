import { CertificateError } from '../certificate-error.ts'

/** What the live monitor is set to. */
export interface MonitorSettings {
  /** The wrong-action budget, in (0, 1). */
  readonly beta: number
  /** Probability p that a question is drawn for a spot check at intake, in (0, 1]. */
  readonly spotCheckRate: number
  /** Chance that the monitor ever alarms although the rate stays within beta, in (0, 1). No part of beta. */
  readonly eta: number
}

/** What bounds on the rate need: they are about any rate, not about beta. */
export type BoundSettings = Omit<MonitorSettings, 'beta'>

export function checkMonitorSettings(where: string, { beta, ...rest }: MonitorSettings): void {
  if (!(isNumber(beta) && beta > 0 && beta < 1)) throw new CertificateError(where, 'beta', 'a number in (0, 1)', beta)
  checkBoundSettings(where, rest)
}

export function checkBoundSettings(where: string, { spotCheckRate, eta }: BoundSettings): void {
  if (!(isNumber(spotCheckRate) && spotCheckRate > 0 && spotCheckRate <= 1)) {
    throw new CertificateError(where, 'spotCheckRate', 'a number in (0, 1]', spotCheckRate)
  }
  if (!(isNumber(eta) && eta > 0 && eta < 1)) throw new CertificateError(where, 'eta', 'a number in (0, 1)', eta)
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}
