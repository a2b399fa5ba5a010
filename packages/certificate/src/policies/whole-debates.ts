import type { ReadDebate, ReadDebates } from '../certificate/read-debates.ts'
import { CertificateError } from '../certificate-error.ts'
import type { PolicyName } from './policy.ts'

/** Refuses a debate that stopped early, since it is unknown what a policy would have done later. */
export function wholeDebates(name: PolicyName, { debates }: ReadDebates, rounds: number): readonly ReadDebate[] {
  for (const [row, debate] of debates.entries()) {
    if (!(debate.rounds.length >= rounds)) {
      throw new CertificateError(name, `debates[${row}].rounds`, `at least ${rounds} rounds`, debate.rounds.length)
    }
  }
  return debates
}
