import { canonicalJson, sha256 } from '@quorate/certificate'
import type { Slot } from '../store/reviews.ts'

/**
 * Where spot checks and blind deferrals stand among the hand-outs: of every `every` one place each, drawn from the seed.
 * Which of the two comes first is chance, so that being blind does not tell them apart.
 */
export function queuePlan(seed: number, every: number): (number: number) => Slot {
  if (!(Number.isInteger(every) && every >= 2)) {
    throw new Error(`queuePlan: every: expected an integer of at least 2, got ${every}`)
  }
  return (number) => {
    const block = Math.floor(number / every)
    const spotCheck = draw(['spot check', seed, block], every)
    const blind = (spotCheck + 1 + draw(['blind deferral', seed, block], every - 1)) % every
    const place = number % every
    if (place === spotCheck) return 'spot-check'
    return place === blind ? 'blind-deferral' : 'deferral'
  }
}

/** An integer from 0 to below `below`; 48 bits leave no bias that anybody could see. */
function draw(of: readonly (string | number)[], below: number): number {
  return Number.parseInt(sha256(canonicalJson(of)).slice(0, 12), 16) % below
}
