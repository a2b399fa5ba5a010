import { canonicalJson } from '@quorate/certificate'
import { textDigest } from './text-digest.ts'

export interface Instance {
  readonly questionId: string
  readonly agent: string
  readonly round: number
  readonly repeat: number
}

/** A seed for one call, in [0, 2^31): the same in every run with the same seed, and another for every place. */
export function instanceSeed(seed: number, { questionId, agent, round, repeat }: Instance): number {
  const digest = textDigest(canonicalJson([seed, questionId, agent, round, repeat]))
  return Number.parseInt(digest.slice(0, 8), 16) >>> 1
}
