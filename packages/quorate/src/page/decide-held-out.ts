import type { Certificate, ReadPanel, Step } from '@quorate/certificate'

/** A debate that the certificate has never seen, decided round by round as it would have arrived. */
export interface DecidedDebate {
  readonly panel: ReadPanel
  /** What was looked at until the decision. */
  readonly steps: readonly Step[]
  /** Round of the action, 0 for a deferral. */
  readonly actedAt: number
}

export function decideHeldOut(certificate: Certificate, panels: readonly ReadPanel[]): DecidedDebate[] {
  return panels.map((panel) => {
    const steps: Step[] = []
    if (!certificate.feasible) return { panel, steps, actedAt: 0 }
    for (let round = 1; round <= certificate.rounds; round++) {
      const look = certificate.look(panel, round)
      if (look.kind === 'uncalibrated') break
      steps.push(look.step)
      if (look.step.lower !== null && look.step.lower >= look.step.threshold) return { panel, steps, actedAt: round }
      if (look.isFinal) break
    }
    return { panel, steps, actedAt: 0 }
  })
}

/** A step with a bound. */
export type LookedStep = Extract<Step, { lower: number }>

export function lookedSteps({ steps }: DecidedDebate): LookedStep[] {
  return steps.filter((step) => step.lower !== null)
}
