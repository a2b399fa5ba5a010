import { type ReadDebates, readDebates } from '../../src/certificate/read-debates.ts'
import { clopperPearsonLower } from '../../src/concentration/clopper-pearson.ts'
import { seededRandom } from '../../src/random.ts'

/** Debates that all look alike and are right with one chance, so the truth about every bound is binomial. */
export function oneCellWorld(count: number, chance: number, seed: number): ReadDebates {
  const random = seededRandom(seed)
  return readDebates(
    Array.from({ length: count }, (_, row) => ({
      id: `alike-${row}`,
      options: ['A', 'B'],
      gold: random() < chance ? 'A' : 'B',
      rounds: [[{ agent: 'x', answer: 'A' }]],
    })),
  )
}

/** The smallest alpha of a certificate with as many successes as expected, a fifth of the labels being pilot. */
export function expectedAlpha(labels: number, chance: number, delta: number): number {
  const counted = labels - Math.floor(0.2 * labels)
  return 1 - clopperPearsonLower(Math.round(chance * counted), counted, delta)
}

/** Labels from which on that alpha is within reach. */
export function expectedLabels(alpha: number, chance: number, delta: number): number {
  let labels = 10
  while (expectedAlpha(labels, chance, delta) > alpha) labels = Math.ceil(labels * 1.02)
  return labels
}
