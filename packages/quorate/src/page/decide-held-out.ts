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
      const assessed = certificate.assess(panel, round)
      if (assessed.kind === 'uncalibrated') break
      steps.push(assessed.step)
      if (assessed.step.lower !== null && assessed.step.lower >= assessed.step.threshold)
        return { panel, steps, actedAt: round }
      if (assessed.isFinal) break
    }
    return { panel, steps, actedAt: 0 }
  })
}

/** A step with a bound. */
export type LookedStep = Extract<Step, { lower: number }>

export function lookedSteps({ steps }: DecidedDebate): LookedStep[] {
  return steps.filter((step) => step.lower !== null)
}
