import { CertificateError } from '../certificate-error.ts'
import { seededHash } from './seeded-hash.ts'
import { tiedMaxima } from './tied-maxima.ts'

/**
 * Index of the panel's answer: the option with the largest social probability.
 *
 * Equal options are settled by a hash of the question's id and the round (from 1), each with the same chance. The paper
 * breaks ties at random; a decision must come out the same when it is recomputed, alone or among other questions.
 */
export function predict(social: ArrayLike<number>, id: string, round: number, seed: number): number {
  checkWord('round', round)
  checkWord('seed', seed)
  const tied = tiedMaxima(social)
  const chosen = tied.length === 1 ? tied[0] : tied[Math.floor((seededHash(id, round, seed) / 2 ** 32) * tied.length)]
  if (chosen === undefined) throw new CertificateError('predict', 'social', 'one probability or more', social)
  return chosen
}

function checkWord(parameter: string, value: number): void {
  if (!(Number.isInteger(value) && value >= 0 && value < 2 ** 32)) {
    throw new CertificateError('predict', parameter, 'an integer in [0, 2^32)', value)
  }
}
