import type { Policy, ReadDebates } from '@quorate/certificate'
import { fitPolicies, type PolicyCells, policyCells } from './policy-cells.ts'
import { splitInHalves } from './worlds.ts'

/** Some policies on one split of one recorded file. */
export interface RecordedSplit {
  readonly rounds: number
  /** Debates in the file. */
  readonly debates: number
  readonly policies: readonly PolicyCells[]
}

export function measureRecordedSplit(read: ReadDebates, policies: readonly Policy[], seed: number): RecordedSplit {
  const halves = splitInHalves(read, seed)
  return {
    rounds: read.debates[0]!.rounds.length,
    debates: read.debates.length,
    policies: policyCells(fitPolicies(halves.train, policies, seed), halves, { beta: null }),
  }
}
