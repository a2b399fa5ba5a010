import type { Panels, Policy } from '@quorate/certificate'
import { fitPolicies, type PolicyCells, policyCells } from './policy-cells.ts'
import { splitInHalves } from './worlds.ts'

/** Some policies on one split of one recorded file. */
export interface RecordedSplit {
  readonly rounds: number
  /** Debates in the file. */
  readonly debates: number
  readonly policies: readonly PolicyCells[]
}

export function measureRecordedSplit(panels: Panels, policies: readonly Policy[], seed: number): RecordedSplit {
  const halves = splitInHalves(panels, seed)
  return {
    rounds: panels.panels[0]!.rounds.length,
    debates: panels.panels.length,
    policies: policyCells(fitPolicies(halves.train, policies, seed), halves, { beta: null }),
  }
}
