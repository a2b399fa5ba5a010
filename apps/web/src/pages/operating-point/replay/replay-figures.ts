import { clopperPearsonInterval } from '@quorate/certificate'
import type { Share } from 'quorate/contract'
import type { StoredDebates } from './stored-debates.ts'

/** A share of which not all is known: between `count` and `most`, and its interval holds for both. */
export interface SpannedShare extends Share {
  readonly most: number
}

/** What a budget would do to the stored debates. */
export interface ReplayFigures {
  /** Debates that stand for the population, with those that failed or stopped early: all shares are of these. */
  readonly draws: number
  readonly labelled: number
  /** Of the labelled draws, those whose reviewer could not tell what is right. */
  readonly unjudged: number
  readonly acted: SpannedShare | null
  /** Acted on and wrong, of the labelled draws; those that nobody could judge are wrong. */
  readonly wrong: SpannedShare | null
  /** Right, of the labelled draws acted on. */
  readonly right: SpannedShare | null
  /** Null also where some stopped early: nobody knows how long they would have gone on. */
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
  let unjudged = 0
  for (const [row, round] of actedAt.entries()) {
    if (stored.isRepresentative[row] !== 1) {
      others.debates += 1
      others.acted += round > 0 ? 1 : 0
      continue
    }
    acted[round] = (acted[round] ?? 0) + 1
    unjudged += stored.isUnjudged[row] ?? 0
    if (stored.isLabelled[row] !== 1) continue
    labelled[round] = (labelled[round] ?? 0) + 1
    if (round > 0 && stored.isRightAt(row, round)) right[round] = (right[round] ?? 0) + 1
  }
  const total = (counts: Float64Array) => counts.reduce((sum, count) => sum + count, 0)
  const { short, failed } = stored.unfinished
  const whole = total(acted)
  const draws = whole + short + failed
  const known = total(labelled)
  const knownActed = known - (labelled[0] ?? 0)
  const used = acted.reduce((sum, count, round) => sum + count * (round === 0 ? rounds : round), 0)
  return {
    draws,
    labelled: known,
    unjudged,
    // Who stopped early may have been acted on or not, and right or wrong; who failed was deferred.
    acted: spanOf(whole - (acted[0] ?? 0), short, draws),
    wrong: known === 0 ? null : spanOf(knownActed - total(right), short, known + short),
    right: knownActed === 0 ? null : spanOf(total(right), short, knownActed + short),
    meanRounds: whole === 0 || short > 0 ? null : used / whole,
    byRound: Array.from({ length: rounds }, (_, at) => ({
      round: at + 1,
      acted: acted[at + 1] ?? 0,
      labelled: labelled[at + 1] ?? 0,
      right: shareOf(right[at + 1] ?? 0, labelled[at + 1] ?? 0),
    })),
    others,
  }
}

/** With `unknown` more of the same at most. */
function spanOf(count: number, unknown: number, of: number): SpannedShare | null {
  const [least, most] = [shareOf(count, of), shareOf(count + unknown, of)]
  return least === null || most === null ? null : { ...least, upper: most.upper, most: most.count }
}

/** With its 95 % interval; of nothing there is no share. */
function shareOf(count: number, of: number): Share | null {
  if (of === 0) return null
  const { lower, upper } = clopperPearsonInterval(count, of, 0.95)
  return { count, of, share: count / of, lower, upper }
}
