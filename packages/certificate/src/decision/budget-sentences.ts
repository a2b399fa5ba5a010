import type { ResolvedBudget } from '../budget.ts'
import { type TotalClaimant, totalSentences } from './total-sentences.ts'

/** The parts of a certificate that its claim depends on. */
export type Claimant = TotalClaimant | BoundClaimant

export interface BoundClaimant {
  readonly kind: 'knn' | 'cells'
  readonly budget: ResolvedBudget
  readonly split?: { readonly pilot: readonly number[] }
  /** Whether each question is decided from the rows of its own group. */
  readonly groupConditional?: boolean
}

/** Below this many pilot rows, learned envelopes failed in simulation up to twice as often as delta allows. */
const PILOT_ROWS_TO_TRUST = 100

/** The sentences that are printed with every budget: what is promised, under which assumptions, and what is not. */
export function budgetSentences(claimant: Claimant): string[] {
  if (claimant.kind === 'total') return totalSentences(claimant)
  const { kind, budget, split, groupConditional = false } = claimant
  const claim =
    `${groupConditional ? BY_GROUP : POOLED}, the probability that quorate acts on a question and the answer is wrong is ` +
    `${selectedClaim(budget)} It assumes that questions are independent draws from the population you calibrated ` +
    'on, that labels are right, and that models, prompts and panel ' +
    'are unchanged. It is not a statement about any single answer, nor a promise that this one certificate stays below ' +
    'beta; spot checks estimate that.'
  if (kind === 'cells') {
    const cells =
      `A cell that is right less than ${percentDown(budget.threshold)} % of the time (1 - alpha) acts with probability at ` +
      `most ${Number(budget.level.toPrecision(3))} over calibration sets. Averaged over calibration sets, at most beta of ` +
      'the debates that reach a cell are acted on there and wrong.'
    return [claim, cells]
  }
  const assumptions =
    'It also assumes that correctness near a question does not exceed its own by more than the envelope, and that the ' +
    `state loses at most epsilon = ${budget.epsilon}. The audits can contradict these assumptions; they cannot prove them.`
  if (!split || split.pilot.length >= PILOT_ROWS_TO_TRUST) return [claim, assumptions]
  const caution =
    `The envelope was learned from ${split.pilot.length} pilot rows. With fewer than ${PILOT_ROWS_TO_TRUST}, simulation ` +
    'saw it too small up to twice as often as delta allows.'
  return [claim, assumptions, caution]
}

/**
 * L does not depend on the selected alpha, so a beta that depends on the labels is kept on average:
 * P(act and wrong) <= E[beta].
 */
function selectedClaim({ beta, selectedUpTo }: ResolvedBudget): string {
  if (selectedUpTo === undefined) return `at most beta = ${beta}.`
  return (
    `at most the mean of the betas that such sets select. This set selected beta = ${beta}; none could have selected more than ` +
    `${selectedUpTo}.`
  )
}

/**
 * Never rounds up: the statement about all cells below the threshold would otherwise also cover cells slightly above
 * it.
 */
function percentDown(share: number): string {
  return String(Math.floor(1e4 * share + 1e-9) / 100)
}

const POOLED = 'Averaged over calibration sets drawn like yours and over new questions drawn the same way'
const BY_GROUP =
  'Within each group, averaged over calibration sets drawn like yours and over new questions of that group drawn the ' +
  'same way'
