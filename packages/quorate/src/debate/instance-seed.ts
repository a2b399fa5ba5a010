import { canonicalJson, sha256 } from '@quorate/certificate'

export interface Instance {
  readonly questionId: string
  readonly agent: string
  readonly round: number
  readonly repeat: number
}

/** A seed for one call, in [0, 2^31): the same in every run with the same seed, and another for every place. */
export function instanceSeed(seed: number, { questionId, agent, round, repeat }: Instance): number {
  const digest = sha256(canonicalJson([seed, questionId, agent, round, repeat]))
  return Number.parseInt(digest.slice(0, 8), 16) >>> 1
}
