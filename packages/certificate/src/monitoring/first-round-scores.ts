import type { Debate } from '../beliefs/debate.ts'
import type { Certificate } from '../certificate/calibrate.ts'
import { readDebate } from '../certificate/read-debates.ts'
import { panelOf } from '../decision/panel-of.ts'
import { type EmpiricalCdf, empiricalCdf, readCdf } from '../states/empirical-cdf.ts'

/** Scores for `driftMonitor`, from a certificate's view of round 1. */
export interface FirstRoundScores {
  /** Scores of the neighbour rows. */
  readonly reference: readonly number[]
  /** Null if the debate has no round 1, its panel is not the calibrated one, or the certificate has no score there. */
  scoreOf(debate: Debate): number | null
}

/**
 * The learned score, or the first coordinate of the state, after round 1, as the share of pilot rows at or below it.
 * The map depends on pilot rows alone, so neighbour rows and new debates are exchangeable under it if they were drawn
 * the same way. Several runs of one question are not exchangeable with new questions: with such rows the test takes the
 * reference for more evidence than it is.
 */
export function firstRoundScores(certificate: Certificate): FirstRoundScores {
  const reading = panelOf('firstRoundScores', certificate)
  const { pilot, neighbours } = firstColumn(certificate)
  if (pilot.length === 0) return { reference: [], scoreOf: () => null }
  const cdf = empiricalCdf(Float64Array.from(pilot), 1, 0)
  return {
    reference: neighbours.map((value) => place(cdf, value)),
    scoreOf(debate) {
      const read = readDebate(reading, debate, 'firstRoundScores')
      if (read.rounds.length === 0) return null
      const value = certificate.kind === 'knn' ? firstState(certificate, read) : certificate.scoresOf(read, 1)?.[0]
      return value === undefined || Number.isNaN(value) ? null : place(cdf, value)
    },
  }
}

function place(cdf: EmpiricalCdf, value: number): number {
  return readCdf(cdf, value, 'interpolated')
}

function firstState(certificate: Certificate, debate: Parameters<Certificate['assess']>[0]): number | undefined {
  const assessed = certificate.assess(debate, 1)
  return assessed.kind === 'step' ? assessed.step.state?.[0] : undefined
}

function firstColumn(certificate: Certificate): {
  readonly pilot: readonly number[]
  readonly neighbours: readonly number[]
} {
  const file = certificate.toJSON()
  if (file.method !== 'knn') {
    const known = ({ scores, rounds }: { scores: readonly (number | null)[]; rounds: number }) =>
      scores.filter((score, at): score is number => at % rounds === 0 && score !== null)
    return { pilot: known(file.pilot), neighbours: known(file.neighbours) }
  }
  const { states, dimension } = file.data[0]!
  const pick = (rows: readonly number[]) => Array.from(rows, (row) => states[row * dimension]!)
  return { pilot: pick(file.split.pilot), neighbours: pick(file.split.neighbours) }
}
