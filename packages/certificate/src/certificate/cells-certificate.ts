import { type Budget, declaredBudget, type ResolvedBudget, resolveBudget } from '../budget.ts'
import { type CellFinder, cellName, countCells, type FoundCell, type VetoedKind } from '../cells/cell-counts.ts'
import { type CellDesign, looksOf } from '../cells/cell-design.ts'
import type { CellPath } from '../cells/cell-rows.ts'
import { type CellVariant, chooseDesign } from '../cells/choose-design.ts'
import { exclusionOf, kindOf } from '../kinds/kind.ts'
import type { Split } from '../knn/split-rows.ts'
import { featureRows } from '../scores/features.ts'
import { type Score, scoreRows } from '../scores/score.ts'
import { pickStoppingRows, type StoppingRows } from '../total/stopping-rows.ts'
import { cellsAlphaRule } from './alpha-rule.ts'
import { type CellsFile, cellsToJson } from './file/cells-file.ts'
import type { Fingerprint } from './fingerprint.ts'
import type { GroupLevel } from './fit-certificate.ts'
import { panelCheck, type ReadDebate, type ResolvedReading } from './read-debates.ts'
import { type Assessment, answerAt, type OpenReason } from './step.ts'

/**
 * A certificate that assumes neither smoothness nor a bound on the representation gap. It counts labelled debates that
 * went the same way, and the exact bound of the count decides for all debates of that cell.
 *
 * P(act and wrong) <= beta under independent rows alone, averaged over calibration sets (`resolveBudget`). It is an
 * average over the cell, not a statement about one state. Cells depend on pilot rows only; neighbour labels are counted
 * and choose nothing but final deferrals (`vetoed`).
 */
export interface CellsCertificate {
  readonly kind: 'cells'
  readonly profile: 'cells'
  /** With epsilon 0, since cells keep everything that the stopping rule uses. */
  readonly budget: ResolvedBudget
  readonly feasible: boolean
  readonly threshold: number
  readonly rounds: number
  readonly design: CellDesign
  readonly split: Split
  readonly fingerprint: Fingerprint
  readonly panel: ResolvedReading
  readonly ids: readonly string[]
  readonly score: Score
  /**
   * Kinds of debates that are deferred for good although their cell passes, over all questions or in the named group.
   * The printed rows, share right and bound of a cell are those before this veto.
   */
  vetoed(group?: string | null): readonly VetoedKind[]
  /** The cell of a debate after round t. */
  cell(path: CellPath, round: number, group: string | null): FoundCell
  /**
   * Writes the lower bounds of a debate in every round. Entries of rounds that are not tested, or vetoed, stay
   * unchanged.
   */
  lowerAlong(path: CellPath, group: string | null, into: Float64Array, at: number): void
  /** Learned scores of rounds 1..t; null if the panel is not the calibrated one. */
  scoresOf(debate: ReadDebate, round: number): Float64Array | null
  /**
   * Scores, kinds and excluded rounds 1..t, which determine a debate's cells; null if the panel is not the calibrated
   * one.
   */
  pathOf(debate: ReadDebate, round: number): CellPath | null
  /**
   * The same scores under another budget. Cells depend on the threshold, so another beta means other cells. A beta has
   * its guarantee if it is declared before neighbour labels are seen. The best of many betas has none.
   */
  withBudget(budget: Budget): CellsCertificate
  assess(debate: ReadDebate, round: number): Assessment
  /** False if no cell reaches the threshold, so no debate can ever be acted on. */
  canAct(): boolean
  toJSON(): CellsFile
}

export interface CellsParts {
  readonly budget: Budget
  readonly variant: CellVariant
  /** The design for the stored budget; null if it is still to be chosen. */
  readonly design: CellDesign | null
  readonly score: Score
  readonly split: Split
  /** Pilot rows with out-of-fold scores, on which designs are chosen. */
  readonly pilot: StoppingRows
  readonly neighbours: StoppingRows
  readonly neighbourGroups: readonly string[] | null
  readonly groupConditional: boolean
  readonly groupLevel: GroupLevel
  readonly panel: ResolvedReading
  readonly ids: readonly string[]
  readonly fingerprint: Fingerprint
}

export function cellsCertificate(input: CellsParts): CellsCertificate {
  const design = input.design ?? chosenCells(input)
  const budget = budgetUnder(input, design.kind)
  const parts = { ...input, design }
  const { neighbours, neighbourGroups, score } = parts
  const rounds = score.layout.agents.length
  const finders = new Map<string, CellFinder>()
  const groups = new Set(neighbourGroups)
  const level = budget.delta / looksOf(design)
  const groupLevel = parts.groupLevel === 'simultaneous' ? level / Math.max(1, groups.size) : level
  const all = countCells(design, neighbours, level, budget.threshold)

  function finderOf(group: string): CellFinder {
    const known = finders.get(group)
    if (known) return known
    const members = Array.from({ length: neighbours.rows }, (_, row) => row).filter(
      (row) => neighbourGroups?.[row] === group,
    )
    const own = countCells(design, pickStoppingRows(neighbours, members), groupLevel, budget.threshold)
    if (groups.has(group)) finders.set(group, own)
    return own
  }

  const isCalibrated = panelCheck(parts.fingerprint)
  const cellsFor = (group: string | null) => (parts.groupConditional ? finderOf(group ?? '') : all)

  const certificate: CellsCertificate = {
    kind: 'cells',
    profile: 'cells',
    budget,
    feasible: budget.feasible,
    threshold: budget.threshold,
    rounds,
    score,
    design,
    split: parts.split,
    fingerprint: parts.fingerprint,
    panel: parts.panel,
    ids: parts.ids,
    vetoed: (group = null) => cellsFor(group).vetoed,
    cell: (path, round, group) => cellsFor(group).find(path, round),
    lowerAlong: (path, group, into, at) => cellsFor(group).lowerAlong(path, into, at),
    scoresOf(debate, round) {
      for (let earlier = 1; earlier <= round; earlier++) if (!isCalibrated(debate, earlier)) return null
      const features = featureRows(score.layout, [{ rounds: debate.rounds, group: debate.record.group }], round)
      return features && scoreRows(score, features)
    },
    pathOf(debate, round) {
      const found = certificate.scoresOf(debate, round)
      if (found === null) return null
      const summaries = debate.rounds.slice(0, round)
      const kinds = summaries.map((summary, at) => kindOf(summary, at + 1))
      return { scores: found, kinds, excluded: summaries.map((summary) => Number(exclusionOf(summary) !== null)) }
    },
    withBudget: (other) => cellsCertificate({ ...input, budget: other, design: null }),
    assess(debate, round) {
      const path = certificate.pathOf(debate, round)
      if (path === null) return { kind: 'uncalibrated' }
      const base = {
        round,
        answer: answerAt(debate, round),
        threshold: budget.threshold,
        score: path.scores[round - 1]!,
        kind: path.kinds[round - 1]!,
        cell: cellName(design, path, round),
      }
      const open = (reason: OpenReason, isFinal = false): Assessment => ({
        kind: 'step',
        step: { ...base, lower: null, reason },
        isFinal,
      })
      if (parts.pilot.rows === 0) return open('too-few-labels')
      const found = certificate.cell(path, round, debate.record.group)
      if (found.kind === 'vetoed-before') return open('stopped-before', true)
      if (found.kind === 'open') {
        const below = design.kind === 'nominate' ? 'not-nominated' : 'score-low'
        return open(exclusionOf(debate.rounds[round - 1]!) ?? below)
      }
      if (found.isVetoed) return open('kind-vetoed', true)
      const isFinal = design.kind === 'nominate'
      const { lower, rows, successes } = found.cell
      if (rows === 0) return open('too-few-labels', isFinal)
      const mean = successes / rows
      const step = { ...base, lower, neighbours: rows, successes, mean, envelope: 0, slack: mean - lower }
      return { kind: 'step', step, isFinal }
    },
    canAct() {
      if (!budget.feasible) return false
      const assessed = parts.groupConditional ? [...groups].map(finderOf) : [all]
      return assessed.some((cells) =>
        Array.from({ length: rounds }, (_, at) => at + 1).some((round) => cells.largestAt(round) >= budget.threshold),
      )
    },
    toJSON: () => cellsToJson({ ...parts, budget: declaredBudget(budget) }),
  }
  return Object.freeze(certificate)
}

/**
 * The design that pilot rows choose. A beta selected by looking at labels must not select cells as well, so the design
 * is that of the largest beta.
 */
export function chosenCells(parts: CellsParts): CellDesign {
  const { variant, pilot, neighbours, budget } = parts
  const beta = budget.selectedUpTo ?? budget.beta
  return chooseDesign(variant, pilot, (kind) => {
    const { threshold, delta } = budgetUnder({ ...parts, budget: { ...budget, beta } }, kind)
    return { threshold, delta, neighbours: neighbours.rows }
  })
}

function budgetUnder({ budget, score }: CellsParts, kind: CellDesign['kind']): ResolvedBudget {
  return resolveBudget('certificate', budget, cellsAlphaRule({ kind }, score.layout.agents.length))
}
