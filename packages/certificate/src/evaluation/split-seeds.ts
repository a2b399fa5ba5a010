import { CertificateError } from '../certificate-error.ts'

const FIRST = 7

/** Seeds of the first `count` splits: 7, 11, 13, 17, 19, 23, 29, 31, 37, 41 as in the paper, then the next primes. */
export function splitSeeds(count: number): number[] {
  if (!(Number.isInteger(count) && count >= 1 && count <= 1000)) {
    throw new CertificateError('splitSeeds', 'count', 'an integer from 1 to 1000', count)
  }
  const seeds: number[] = []
  for (let candidate = FIRST; seeds.length < count; candidate++) if (isPrime(candidate)) seeds.push(candidate)
  return seeds
}

function isPrime(candidate: number): boolean {
  for (let divisor = 2; divisor * divisor <= candidate; divisor++) if (candidate % divisor === 0) return false
  return true
}
