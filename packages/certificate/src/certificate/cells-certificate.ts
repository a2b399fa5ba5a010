import { type Budget, declaredBudget, type ResolvedBudget, resolveBudget } from '../budget.ts'
import { type Cell, type CellFinder, cellName, countCells } from '../cells/cell-counts.ts'
import { type CellDesign, looksOf } from '../cells/cell-design.ts'
import { type CellVariant, chooseDesign } from '../cells/choose-design.ts'
import type { RoundScores } from '../cells/round-scores.ts'
import type { Split } from '../knn/split-rows.ts'
import { type LearnedScore, learnedLogOdds } from '../states/learned-state.ts'
import { cellsAlphaRule } from './alpha-rule.ts'
import { type CellsFile, cellsToJson } from './cells-file.ts'
import type { Fingerprint } from './fingerprint.ts'
import type { GroupLevel } from './fit-certificate.ts'
import { holderCheck, type PanelReading, type ReadPanel } from './panel.ts'
import { answerAt, hasVote, type Look, prefixOf } from './step.ts'

/**
 * A certificate without smoothness and without a representation gap: labelled debates that went the same way are
 * counted, and the count's exact bound decides for all debates of that cell.
 *
 * P(act and wrong) <= beta under independent rows alone (`resolveBudget`). It is an average over the cell, not a
 * statement about one state. Cells depend on pilot rows only; neighbour labels are counted and choose nothing.
 */
export interface CellsCertificate {
  readonly kind: 'cells'
  readonly profile: 'cells'
  /** With epsilon 0: cells forget nothing that the stopping rule uses. */
  readonly budget: ResolvedBudget
  readonly feasible: boolean
  readonly threshold: number
  readonly rounds: number
  readonly design: CellDesign
  readonly split: Split
  readonly fingerprint: Fingerprint
  readonly panel: PanelReading
  readonly ids: readonly string[]
  /** The cell after round t of a debate with these scores; null when it is not looked at in that round. */
  cell(scores: ArrayLike<number>, round: number, group: string | null): Cell | null
  /** Lower bounds of a debate in every round; what is not looked at is left as it is. */
  lowerAlong(scores: Float64Array, group: string | null, into: Float64Array, at: number): void
  /** Learned scores of rounds 1..t; null when the panel is not the one that was calibrated. */
  scoresOf(panel: ReadPanel, round: number): Float64Array | null
  /**
   * The same scores under another budget. The cells follow the line, so another beta means other cells: each beta has its
   * guarantee if it is declared before neighbour labels are looked at, and the best of many betas has none.
   */
  withBudget(budget: Budget): CellsCertificate
  look(panel: ReadPanel, round: number): Look
  /** False: no cell reaches the line, so that nothing is ever acted on, whatever a panel says. */
  canAct(): boolean
  toJSON(): CellsFile
}

export interface CellsParts {
  readonly budget: Budget
  readonly variant: CellVariant
  /** Of the stored budget; null: to be chosen. */
  readonly design: CellDesign | null
  /** Per round; null where the pilot's labels were of one kind. */
  readonly scores: readonly (LearnedScore | null)[]
  readonly split: Split
  /** Pilot rows with out-of-fold scores: what designs are chosen on. */
  readonly pilot: RoundScores
  readonly neighbours: RoundScores
  readonly neighbourGroups: readonly string[] | null
  readonly groupConditional: boolean
  readonly groupLevel: GroupLevel
  readonly panel: PanelReading
  readonly ids: readonly string[]
  readonly fingerprint: Fingerprint
}

export function cellsCertificate(input: CellsParts): CellsCertificate {
  const design = input.design ?? designFor(input)
  const budget = budgetUnder(input, design.kind)
  const parts = { ...input, design }
  const { neighbours, neighbourGroups, scores } = parts
  const finders = new Map<string, CellFinder>()
  const groups = new Set(neighbourGroups)
  const level = budget.delta / looksOf(design)
  const groupLevel = parts.groupLevel === 'simultaneous' ? level / Math.max(1, groups.size) : level
  const all = countCells(design, neighbours, level)

  function finderOf(group: string): CellFinder {
    const known = finders.get(group)
    if (known) return known
    const own = countCells(
      design,
      rowsOf(neighbours, (row) => neighbourGroups?.[row] === group),
      groupLevel,
    )
    if (groups.has(group)) finders.set(group, own)
    return own
  }

  const scoresOf = scorer(parts)
  const cellsFor = (group: string | null) => (parts.groupConditional ? finderOf(group ?? '') : all)

  const certificate: CellsCertificate = {
    kind: 'cells',
    profile: 'cells',
    budget,
    feasible: budget.feasible,
    threshold: budget.threshold,
    rounds: scores.length,
    design,
    split: parts.split,
    fingerprint: parts.fingerprint,
    panel: parts.panel,
    ids: parts.ids,
    cell: (found, round, group) => cellsFor(group).find(found, round),
    lowerAlong: (found, group, into, at) => cellsFor(group).lowerAlong(found, into, at),
    scoresOf,
    withBudget: (other) => cellsCertificate({ ...input, budget: other, design: null }),
    look(panel, round) {
      const found = scoresOf(panel, round)
      if (found === null) return { kind: 'uncalibrated' }
      const base = { round, answer: answerAt(panel, round), threshold: budget.threshold }
      const score = found[round - 1]!
      if (!hasVote(panel, round)) return open({ ...base, lower: null, reason: 'no-vote' })
      if (Number.isNaN(score)) return open({ ...base, lower: null, reason: 'too-few-labels' })
      const cell = certificate.cell(found, round, panel.record.group)
      if (cell === null) return open({ ...base, score, lower: null, reason: 'not-nominated' })
      const isFinal = design.kind === 'nominate'
      const placed = { ...base, score, cell: cellName(design, found, round) }
      if (cell.rows === 0) return { kind: 'step', step: { ...placed, lower: null, reason: 'too-few-labels' }, isFinal }
      const { lower, rows, successes } = cell
      const mean = successes / rows
      const step = { ...placed, lower, neighbours: rows, successes, mean, envelope: 0, slack: mean - lower }
      return { kind: 'step', step, isFinal }
    },
    canAct() {
      if (!budget.feasible) return false
      const looked = parts.groupConditional ? [...groups].map(finderOf) : [all]
      const reaches = (cells: CellFinder) => (score: LearnedScore | null, at: number) =>
        score !== null && cells.largestAt(at + 1) >= budget.threshold
      return looked.some((cells) => scores.some(reaches(cells)))
    },
    toJSON: () => cellsToJson({ ...parts, budget: declaredBudget(budget) }),
  }
  return Object.freeze(certificate)
}

function open(step: Extract<Look, { kind: 'step' }>['step']): Look {
  return { kind: 'step', step, isFinal: false }
}

/** A beta that was selected by looking must not select cells as well: the design is that of the largest beta. */
function designFor(parts: CellsParts): CellDesign {
  const { variant, pilot, neighbours, budget } = parts
  const beta = budget.selectedUpTo ?? budget.beta
  return chooseDesign(variant, pilot, (kind) => {
    const { threshold: line, delta } = budgetUnder({ ...parts, budget: { ...budget, beta } }, kind)
    return { line, delta, neighbours: neighbours.rows }
  })
}

function budgetUnder(
  { budget, scores }: Pick<CellsParts, 'budget' | 'scores'>,
  kind: CellDesign['kind'],
): ResolvedBudget {
  return resolveBudget('certificate', budget, cellsAlphaRule({ kind }, scores.length))
}

/** NaN in a round that has no score; null when the panel is not the one that was calibrated. */
function scorer({ scores, fingerprint }: CellsParts): CellsCertificate['scoresOf'] {
  const isHeld = holderCheck(fingerprint)
  return (panel, round) => {
    const found = new Float64Array(round).fill(Number.NaN)
    for (let at = 0; at < round; at++) {
      if (!isHeld(panel, at + 1)) return null
      const score = scores[at]
      if (!score) continue
      const logOdds = learnedLogOdds(score, prefixOf(panel, at + 1), panel.record.group)
      if (logOdds === null) return null
      found[at] = 1 / (1 + Math.exp(-logOdds))
    }
    return found
  }
}

function rowsOf({ rows, rounds, scores, correct }: RoundScores, isMember: (row: number) => boolean): RoundScores {
  const members = Array.from({ length: rows }, (_, row) => row).filter(isMember)
  const pick = (row: number) => [row * rounds, (row + 1) * rounds] as const
  const picked = new Float64Array(members.length * rounds)
  const labels = new Uint8Array(members.length * rounds)
  for (const [at, row] of members.entries()) {
    picked.set(scores.subarray(...pick(row)), at * rounds)
    labels.set(correct.subarray(...pick(row)), at * rounds)
  }
  return { rows: members.length, rounds, scores: picked, correct: labels }
}
