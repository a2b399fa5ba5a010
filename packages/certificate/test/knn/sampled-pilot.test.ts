import { expect, test } from 'vitest'
import { fitCertificate } from '../../src/certificate/fit-certificate.ts'
import { seededRandom } from '../../src/random.ts'

function fitted(rows: number, seed: number) {
  const random = seededRandom(1)
  const values = Float64Array.from({ length: rows }, () => random())
  const correct = Uint8Array.from(values, (state) => (random() < state ? 1 : 0))
  return fitCertificate(
    { rounds: [{ states: { values, dimension: 1 }, correct }] },
    { profile: 'paper', budget: { beta: 0.2, delta: 0.03, epsilon: 0.02 }, split: { pilotFraction: 0.5, seed } },
  )
}

test('a certificate says where the modulus looked at a sample of its pilot states, and repeats the draw', () => {
  expect(fitted(8_000, 7).sampledPilotStates).toEqual([null])
  const sampled = fitted(9_000, 7)
  expect(sampled.sampledPilotStates).toEqual([4000])
  expect(fitted(9_000, 7).bound(1, [0.9])).toEqual(sampled.bound(1, [0.9]))
})
