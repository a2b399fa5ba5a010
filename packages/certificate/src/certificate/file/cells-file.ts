import type { CellDesign } from '../../cells/cell-design.ts'
import type { CellVariant } from '../../cells/choose-design.ts'
import type { Split } from '../../knn/split-rows.ts'
import type { Score } from '../../scores/score.ts'
import type { CellsParts } from '../cells-certificate.ts'
import type { GroupLevel } from '../fit-certificate.ts'
import type { ResolvedReading } from '../read-debates.ts'
import { type CertificateFile, sealed } from './certificate-file.ts'
import { type RowsFile, rowsToJson } from './total-file.ts'

/** A cells certificate as JSON: the learned score, the design, and the scored rows that are counted. */
export interface CellsFile extends CertificateFile {
  readonly method: 'cells'
  readonly profile: 'cells'
  readonly variant: CellVariant
  readonly design: CellDesign
  readonly panel: ResolvedReading
  readonly ids: readonly string[]
  readonly score: Score
  readonly split: Split
  readonly pilot: RowsFile
  readonly neighbours: RowsFile
  readonly neighbourGroups: readonly string[] | null
  readonly groupConditional: boolean
  readonly groupLevel: GroupLevel
}

export function cellsToJson({ pilot, neighbours, ...kept }: CellsParts & { readonly design: CellDesign }): CellsFile {
  return sealed({
    method: 'cells',
    profile: 'cells',
    ...kept,
    pilot: rowsToJson(pilot),
    neighbours: rowsToJson(neighbours),
  })
}
