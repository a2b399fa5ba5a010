import type { DebateRecord, RoundSummary } from '../beliefs/debate.ts'
import { CertificateError } from '../certificate-error.ts'

/**
 * The state of a debate at round t as numbers, from its rounds 1 to t. It must not depend on labels of the rows that it
 * is compared with, nor on later rounds. The number of coordinates is the same for every debate.
 */
export type StateFunction = (prefix: readonly RoundSummary[], debate: DebateRecord) => readonly number[]

/** The round that a state is about: the last of the prefix. */
export function currentRound(prefix: readonly RoundSummary[], where: string): RoundSummary {
  const current = prefix.at(-1)
  if (current === undefined) throw new CertificateError(where, 'prefix', 'one round or more', prefix)
  return current
}
