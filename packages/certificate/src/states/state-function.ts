import type { DebateRecord, RoundSummary } from '../beliefs/debate.ts'
import { CertificateError } from '../certificate-error.ts'

/**
 * The state of a debate at round t as numbers, from its rounds 1 to t. It may not depend on labels of the rows it is
 * compared with, nor on later rounds; the number of coordinates is the same for every debate.
 */
export type StateFunction = (prefix: readonly RoundSummary[], debate: DebateRecord) => readonly number[]

/** The round a state is asked for: the last of the prefix. */
export function currentRound(prefix: readonly RoundSummary[], where: string): RoundSummary {
  const current = prefix.at(-1)
  if (current === undefined) throw new CertificateError(where, 'prefix', 'one round or more', prefix)
  return current
}
