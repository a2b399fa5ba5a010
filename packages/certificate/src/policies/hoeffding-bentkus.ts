import { CertificateError } from '../certificate-error.ts'
import { incompleteBetaComplement } from '../special/incomplete-beta.ts'

/**
 * p-value of "the risk exceeds `beta`" after `wrong` losses of 1 among `count` independent losses in {0, 1}:
 * min(exp(-n h1(min(R, beta), beta)), e P(Bin(n, beta) <= ceil(n R))) with R = wrong / n
 * (Bates et al. 2021; Angelopoulos et al. 2022, Learn then Test). Here n R is a whole number.
 */
export function hoeffdingBentkus(wrong: number, count: number, beta: number): number {
  const where = 'hoeffdingBentkus'
  if (!(Number.isInteger(count) && count >= 1)) throw new CertificateError(where, 'count', 'an integer from 1', count)
  if (!(Number.isInteger(wrong) && wrong >= 0 && wrong <= count)) {
    throw new CertificateError(where, 'wrong', `an integer from 0 to ${count}`, wrong)
  }
  if (!(beta > 0 && beta < 1)) throw new CertificateError(where, 'beta', 'in (0, 1)', beta)
  const hoeffding = Math.exp(-count * relativeEntropy(Math.min(wrong / count, beta), beta))
  const atMost = wrong === count ? 1 : incompleteBetaComplement(beta, wrong + 1, count - wrong)
  return Math.min(hoeffding, Math.E * atMost)
}

/** h1(a, b) = a log(a / b) + (1 - a) log((1 - a) / (1 - b)), in nats. */
function relativeEntropy(a: number, b: number): number {
  const first = a === 0 ? 0 : a * Math.log(a / b)
  return first + (1 - a) * Math.log((1 - a) / (1 - b))
}
