import { clopperPearsonInterval } from '@quorate/certificate'
import type { Share } from 'quorate/contract'
import type { StoredDebates } from './stored-debates.ts'

/** What a budget would do to the stored debates. */
export interface ReplayFigures {
  /** Debates that stand for the population: all shares are of these. */
  readonly draws: number
  readonly labelled: number
  readonly acted: Share | null
  /** Acted on and wrong, of the labelled draws. */
  readonly wrong: Share | null
  /** Right, of the labelled draws acted on. */
  readonly right: Share | null
  readonly meanRounds: number | null
  readonly byRound: readonly RoundActions[]
  /** Debates that are here because they were deferred. */
  readonly others: { readonly debates: number; readonly acted: number }
}

export interface RoundActions {
  readonly round: number
  readonly acted: number
  /** Of the labelled ones among them. */
  readonly labelled: number
  readonly right: Share | null
}

export function replayFigures(stored: StoredDebates, actedAt: Uint8Array): ReplayFigures {
  const { rounds } = stored
  const acted = new Float64Array(rounds + 1)
  const labelled = new Float64Array(rounds + 1)
  const right = new Float64Array(rounds + 1)
  const others = { debates: 0, acted: 0 }
  for (const [row, round] of actedAt.entries()) {
    if (stored.isDraw[row] !== 1) {
      others.debates += 1
      others.acted += round > 0 ? 1 : 0
      continue
    }
    acted[round] = (acted[round] ?? 0) + 1
    if (stored.isLabelled[row] !== 1) continue
    labelled[round] = (labelled[round] ?? 0) + 1
    if (round > 0 && stored.isRightAt(row, round)) right[round] = (right[round] ?? 0) + 1
  }
  const total = (counts: Float64Array) => counts.reduce((sum, count) => sum + count, 0)
  const draws = total(acted)
  const known = total(labelled)
  const knownActed = known - (labelled[0] ?? 0)
  const used = acted.reduce((sum, count, round) => sum + count * (round === 0 ? rounds : round), 0)
  return {
    draws,
    labelled: known,
    acted: shareOf(draws - (acted[0] ?? 0), draws),
    wrong: shareOf(knownActed - total(right), known),
    right: shareOf(total(right), knownActed),
    meanRounds: draws === 0 ? null : used / draws,
    byRound: Array.from({ length: rounds }, (_, at) => ({
      round: at + 1,
      acted: acted[at + 1] ?? 0,
      labelled: labelled[at + 1] ?? 0,
      right: shareOf(right[at + 1] ?? 0, labelled[at + 1] ?? 0),
    })),
    others,
  }
}

/** With its 95 % interval; of nothing there is no share. */
function shareOf(count: number, of: number): Share | null {
  if (of === 0) return null
  const { lower, upper } = clopperPearsonInterval(count, of, 0.95)
  return { count, of, share: count / of, lower, upper }
}
