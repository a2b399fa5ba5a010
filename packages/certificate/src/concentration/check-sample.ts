import { CertificateError } from '../certificate-error.ts'

/** The common contract of all bounds of this layer: integer counts, and a level strictly between 0 and 1. */
export function checkSample(where: string, successes: number, count: number, level: number): void {
  if (!(Number.isInteger(count) && count >= 1)) {
    throw new CertificateError(where, 'count', 'an integer of at least 1', count)
  }
  if (!(Number.isInteger(successes) && successes >= 0 && successes <= count)) {
    throw new CertificateError(where, 'successes', `an integer in [0, ${count}]`, successes)
  }
  if (!(level > 0 && level < 1)) throw new CertificateError(where, 'level', 'in (0, 1)', level)
}
