import type { CellDesign } from '../cells/cell-design.ts'
import type { CellVariant } from '../cells/choose-design.ts'
import type { RoundScores } from '../cells/round-scores.ts'
import type { Split } from '../knn/split-rows.ts'
import type { LearnedScore } from '../states/learned-state.ts'
import type { CellsParts } from './cells-certificate.ts'
import { type CertificateFile, sealed } from './certificate-file.ts'
import type { GroupLevel } from './fit-certificate.ts'
import type { PanelReading } from './panel.ts'

/** A cells certificate as JSON: the learned scores, the design, and the scored rows that are counted. */
export interface CellsFile extends CertificateFile {
  readonly method: 'cells'
  readonly profile: 'cells'
  readonly variant: CellVariant
  readonly design: CellDesign
  readonly panel: PanelReading
  readonly ids: readonly string[]
  readonly scores: readonly (LearnedScore | null)[]
  readonly split: Split
  readonly pilot: ScoresFile
  readonly neighbours: ScoresFile
  readonly neighbourGroups: readonly string[] | null
  readonly groupConditional: boolean
  readonly groupLevel: GroupLevel
}

export interface ScoresFile {
  readonly rounds: number
  /** Row-major probabilities; null in a round that has no score. */
  readonly scores: readonly (number | null)[]
  /** Row-major, one digit each. */
  readonly correct: string
}

export function cellsToJson({ pilot, neighbours, ...kept }: CellsParts & { readonly design: CellDesign }): CellsFile {
  const rows = { pilot: scoresToJson(pilot), neighbours: scoresToJson(neighbours) }
  return sealed({ method: 'cells', profile: 'cells', ...kept, ...rows })
}

function scoresToJson({ rounds, scores, correct }: RoundScores): ScoresFile {
  return {
    rounds,
    scores: Array.from(scores, (score) => (Number.isNaN(score) ? null : score)),
    correct: correct.join(''),
  }
}
