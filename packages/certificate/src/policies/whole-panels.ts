import type { Panels, ReadPanel } from '../certificate/panel.ts'
import { CertificateError } from '../certificate-error.ts'
import type { PolicyName } from './policy.ts'

/** Refuses a debate that stopped early, since it is unknown what a policy would have done later. */
export function wholePanels(name: PolicyName, { panels }: Panels, rounds: number): readonly ReadPanel[] {
  for (const [row, panel] of panels.entries()) {
    if (!(panel.rounds.length >= rounds)) {
      throw new CertificateError(name, `debates[${row}].rounds`, `at least ${rounds} rounds`, panel.rounds.length)
    }
  }
  return panels
}
