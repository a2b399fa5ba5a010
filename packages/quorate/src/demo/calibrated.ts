import { type Budget, type Certificate, calibrate, decide } from '@quorate/certificate'
import type { SimulatedDebate } from '../simulated/simulate-debate.ts'
import type { Decided } from './measure.ts'

export const PROFILES = ['cells', 'tight', 'paper'] as const

/** A certificate and its decisions on fresh debates. */
export interface Calibrated {
  readonly profile: (typeof PROFILES)[number]
  readonly certificate: Certificate
  readonly decided: readonly Decided[]
}

export interface Trial {
  readonly labelled: readonly SimulatedDebate[]
  readonly fresh: readonly SimulatedDebate[]
  readonly budget: Budget
}

/** Fits one profile on the labelled debates and decides the fresh ones, round by round as they would arrive. */
export function calibrated(profile: Calibrated['profile'], { labelled, fresh, budget }: Trial): Calibrated {
  const certificate = calibrate(labelled, { profile, budget })
  return { profile, certificate, decided: decideAll(certificate, fresh) }
}

export function decideAll(certificate: Certificate, debates: readonly SimulatedDebate[]): Decided[] {
  return debates.map((debate) => ({ debate, decision: decide(certificate, debate) }))
}
