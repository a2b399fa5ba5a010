import { betOnRank, ENOUGH_CAPITAL, FULL_STAKES, type Stakes } from '../audits/conformal-martingale.ts'
import { CertificateError } from '../certificate-error.ts'

/** The complete state of the monitor. A state restored from JSON continues bit for bit. */
export interface DriftState {
  /** Scores so far by bin, including those of the reference rows. */
  readonly counts: readonly number[]
  /** Debates of the stream so far, without the reference rows. */
  readonly arrivals: number
  readonly stakes: Stakes
  /** Capital from betting that the next score differs from those before. It starts at 1. */
  readonly capital: number
  readonly largestCapital: number
  /** The arrival at which the capital first reached 1 / eta; null before that. */
  readonly alarm: number | null
}

export interface DriftMonitor {
  /**
   * `reference` has scores in [0, 1] of rows that the stream should resemble. Without them, only changes within the
   * stream can be detected.
   */
  start(reference?: readonly number[]): DriftState
  /** Adds the next debate in order of arrival. `draw` is uniform in [0, 1), independent of all scores, and breaks ties. */
  observe(state: DriftState, score: number, draw: number): DriftState
}

/**
 * Tests in order of arrival whether scores still come from the distribution of the reference rows. Under
 * exchangeability the rank of each score among those before it is uniform and independent of the past, bets on it win
 * nothing on average, and the capital ever reaches 1 / eta with probability at most eta (Vovk et al. 2021, Ville 1939).
 *
 * Scores are counted in equal bins of [0, 1] that are fixed beforehand, so memory is constant. Scores in one bin are
 * ranked at random, which costs power but not validity. Assumptions: the score does not depend on the reference rows (a
 * map fitted on pilot rows may have other rows as reference), and it exists for every debate. Take it from round 1,
 * because only debates that were not acted on reach later rounds.
 */
export function driftMonitor({ eta, bins = BINS }: { readonly eta: number; readonly bins?: number }): DriftMonitor {
  if (!(typeof eta === 'number' && eta > 0 && eta < 1)) {
    throw new CertificateError('driftMonitor', 'eta', 'a number in (0, 1)', eta)
  }
  if (!(Number.isSafeInteger(bins) && bins >= 2 && bins <= MOST_BINS)) {
    throw new CertificateError('driftMonitor', 'bins', `a whole number in [2, ${MOST_BINS}]`, bins)
  }

  return {
    start(reference = []) {
      const counts = new Array<number>(bins).fill(0)
      for (const [at, score] of reference.entries()) counts[binOf(score, bins, `reference[${at}]`)]!++
      return { counts, arrivals: 0, stakes: FULL_STAKES, capital: 1, largestCapital: 1, alarm: null }
    },
    observe(state, score, draw) {
      const bin = binOf(score, bins, 'score')
      if (!(draw >= 0 && draw < 1)) throw new CertificateError('driftMonitor', 'draw', 'a number in [0, 1)', draw)
      if (state.counts.length !== bins) {
        throw new CertificateError('driftMonitor', 'state.counts', `${bins} counts`, state.counts)
      }
      const counts = state.counts.with(bin, state.counts[bin]! + 1)
      const arrivals = state.arrivals + 1
      // The test is settled, and the product may overflow.
      if (state.largestCapital >= ENOUGH_CAPITAL) return { ...state, counts, arrivals }
      const stakes = state.stakes.map((stake) => [...stake])
      const capital = betOnRank(stakes, rankOf(counts, bin, draw))
      const largestCapital = Math.min(ENOUGH_CAPITAL, Math.max(state.largestCapital, capital))
      return { counts, arrivals, stakes, capital, largestCapital, alarm: state.alarm ?? alarmAt(capital, arrivals) }
    },
  }

  function alarmAt(capital: number, arrivals: number): number | null {
    return capital >= 1 / eta ? arrivals : null
  }
}

const BINS = 64
const MOST_BINS = 4096

/**
 * Share of all scores so far that are larger, plus a randomly drawn part of the share that is equal (including the new
 * score).
 */
function rankOf(counts: readonly number[], bin: number, draw: number): number {
  let larger = 0
  let all = 0
  for (let at = 0; at < counts.length; at++) {
    all += counts[at]!
    if (at > bin) larger += counts[at]!
  }
  return (larger + draw * counts[bin]!) / all
}

function binOf(score: number, bins: number, parameter: string): number {
  if (!(typeof score === 'number' && score >= 0 && score <= 1)) {
    throw new CertificateError('driftMonitor', parameter, 'a number in [0, 1]', score)
  }
  return Math.min(bins - 1, Math.floor(score * bins))
}
