import type { CountedShare } from 'quorate/contract'
import { shareOf } from '../../../parts/number-text.ts'
import type { StoredDebates } from './stored-debates.ts'

/** A share with unknown outcomes: the true count is between `count` and `most`, and the interval covers both. */
export interface SpannedShare extends CountedShare {
  readonly most: number
}

/** What a budget would do with the stored debates. */
export interface ReplayFigures {
  /** Debates that represent the population, including failed ones and those that stopped early. The base of all shares. */
  readonly representative: number
  readonly labelled: number
  /** Labelled representative debates whose reviewer could not tell what is right. */
  readonly unjudged: number
  readonly acted: SpannedShare | null
  /** Acted on and wrong, of the labelled representative debates. Unjudged ones count as wrong. */
  readonly wrong: SpannedShare | null
  /** Right, of the labelled representative debates that are acted on. */
  readonly right: SpannedShare | null
  /** Null if there are none, or if some stopped early, because their number of rounds is unknown. */
  readonly meanRounds: number | null
  readonly byRound: readonly RoundActions[]
  /** Debates that are stored because they were deferred. They do not represent the population. */
  readonly others: { readonly debates: number; readonly acted: number }
}

export interface RoundActions {
  readonly round: number
  readonly acted: number
  /** How many of them are labelled. */
  readonly labelled: number
  readonly right: CountedShare | null
}

/** `actedAt` has the round in which each debate is acted on, from 1; 0 if it is deferred. */
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
  const representative = whole + short + failed
  const known = total(labelled)
  const knownActed = known - (labelled[0] ?? 0)
  const used = acted.reduce((sum, count, round) => sum + count * (round === 0 ? rounds : round), 0)
  return {
    representative,
    labelled: known,
    unjudged,
    // A debate that stopped early may have been acted on or not, and be right or wrong. A failed one was deferred.
    acted: spanOf(whole - (acted[0] ?? 0), short, representative),
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

/** `unknown` outcomes may or may not add to the count. */
function spanOf(count: number, unknown: number, of: number): SpannedShare | null {
  const [least, most] = [shareOf(count, of), shareOf(count + unknown, of)]
  return least === null || most === null ? null : { ...least, upper: most.upper, most: most.count }
}
