import type { CellDesign } from '../cells/cell-design.ts'
import { type CellsCertificate, cellsCertificate } from './cells-certificate.ts'
import type { FileReader } from './file-reader.ts'
import { loadBudget, loadFingerprint, loadPanel, loadSplit } from './load-parts.ts'
import { loadRows, loadScore } from './load-total.ts'

export function loadCells(file: FileReader): CellsCertificate {
  const ids = file.at('ids').textList()
  const score = loadScore(file.at('score'))
  const rounds = score.layout.agents.length
  const split = loadSplit(file.at('split'), ids.length)
  const neighbourGroups = file.at('neighbourGroups').optional((list) => list.textList())
  if (neighbourGroups !== null && neighbourGroups.length !== split.neighbours.length) {
    throw file.at('neighbourGroups').refusal(`of ${split.neighbours.length} rows`)
  }
  return cellsCertificate({
    budget: loadBudget(file.at('budget')),
    variant: file.at('variant').oneOf(['auto', 'path', 'nominate']),
    design: loadDesign(file.at('design'), rounds),
    score,
    split,
    pilot: loadRows(file.at('pilot'), split.pilot.length, rounds),
    neighbours: loadRows(file.at('neighbours'), split.neighbours.length, rounds),
    neighbourGroups,
    groupConditional: file.at('groupConditional').flag(),
    groupLevel: file.at('groupLevel').oneOf(['ordinary', 'simultaneous']),
    panel: loadPanel(file.at('panel')),
    ids,
    fingerprint: loadFingerprint(file.at('fingerprint')),
  })
}

function loadDesign(file: FileReader, rounds: number): CellDesign {
  const cuts = file.at('cuts').list()
  if (cuts.length !== rounds) throw file.at('cuts').refusal(`of ${rounds} rounds`)
  return { kind: file.at('kind').oneOf(['path', 'nominate']), cuts: cuts.map(loadCuts) }
}

const MOST_CUTS = 16

function loadCuts(file: FileReader): number[] {
  const cuts = file.finiteList()
  if (cuts.length > MOST_CUTS) throw file.refusal(`of at most ${MOST_CUTS} cuts`)
  if (cuts.some((cut, at) => at > 0 && !(cut > cuts[at - 1]!))) throw file.refusal('in ascending order')
  return cuts
}
