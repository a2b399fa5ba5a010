import type { Debate } from '../beliefs/debate.ts'
import type { Budget } from '../budget.ts'
import { canonicalJson } from '../canonical/canonical-json.ts'
import { declaredInstead } from '../certificate/attempts.ts'
import type { Certificate } from '../certificate/calibrate.ts'
import type { CellsCertificate } from '../certificate/cells-certificate.ts'
import type { KnnCertificate } from '../certificate/knn-certificate.ts'
import {
  isReadDebates,
  type ReadDebate,
  type ReadDebates,
  type ResolvedReading,
  readDebate,
} from '../certificate/read-debates.ts'
import { type DebateStops, debateStops } from '../certificate/stopping-rule.ts'
import type { TotalCertificate } from '../certificate/total-certificate.ts'
import { CertificateError } from '../certificate-error.ts'
import { panelOf } from './panel-of.ts'

/** Stored debates as columns of numbers, which can be decided again under any budget without a model call. */
export interface Replay {
  readonly debates: number
  readonly rounds: number
  at(budget: Budget): ReplayedDecisions
}

export interface ReplayedDecisions {
  readonly threshold: number
  readonly feasible: boolean
  /** Row-major lower bounds; NaN where there is none. */
  readonly bounds: Float64Array
  /** Round of the action; 0 if there is none. */
  readonly actedAt: Uint8Array
}

/**
 * What a certificate would have done with stored debates. Each budget is replayed as if it had been declared in place
 * of the certificate's own, before any label was read.
 *
 * Every debate must have all calibrated rounds, since it is unknown what a debate that stopped early would have done
 * later. For `total`, a debate that its protocol ended has no later rounds.
 */
export function replay(certificate: Certificate, debates: readonly Debate[] | ReadDebates): Replay {
  const panel = panelOf('replay', certificate)
  const { rounds } = certificate
  const read = isReadDebates(debates) ? sameReading(panel, debates) : readStored(panel, debates)
  for (const [row, { rounds: summaries, record }] of read.entries()) {
    const isWhole = summaries.length >= rounds || (certificate.kind === 'total' && record.ended === 'protocol')
    if (!isWhole) {
      throw new CertificateError('replay', `debates[${row}].rounds`, `at least ${rounds} rounds`, summaries.length)
    }
  }
  if (certificate.kind === 'total') return totalReplay(certificate, read)
  const boundsAt = certificate.kind === 'knn' ? knnBounds(certificate, read) : cellBounds(certificate, read)
  return {
    debates: read.length,
    rounds,
    at(budget) {
      const { bounds, threshold, feasible } = boundsAt(budget)
      return {
        threshold,
        feasible,
        // A copy, since the caller may write to it and the next budget may reuse the bounds.
        bounds: bounds.slice(),
        actedAt: firstPassing(bounds, read.length, rounds, feasible ? threshold : Infinity),
      }
    },
  }
}

function readStored(reading: ResolvedReading, debates: readonly Debate[]): readonly ReadDebate[] {
  if (!Array.isArray(debates)) throw new CertificateError('replay', 'debates', 'an array of debates', debates)
  return Array.from(debates, (debate, row) => readDebate(reading, debate, 'replay', `debates[${row}]`))
}

function sameReading(calibrated: ResolvedReading, { reading, debates }: ReadDebates): readonly ReadDebate[] {
  if (canonicalJson(reading) === canonicalJson(calibrated)) return debates
  throw new CertificateError(
    'replay',
    'debates.reading',
    `${canonicalJson(calibrated)} as calibrated`,
    canonicalJson(reading),
  )
}

type BoundsAt = (budget: Budget) => Pick<ReplayedDecisions, 'bounds' | 'threshold' | 'feasible'>

function knnBounds(certificate: KnnCertificate, debates: readonly ReadDebate[]): BoundsAt {
  const evidence = certificate.evidence(debates)
  let known: { delta: number; deltaOmega: number; bounds: Float64Array } | null = null
  return (budget) => {
    const asked = certificate.withBudget(budget)
    const { delta, deltaOmega, threshold, feasible } = asked.budget
    // The bounds do not depend on beta or epsilon, which only move the threshold.
    if (known?.delta !== delta || known.deltaOmega !== deltaOmega) {
      known = { delta, deltaOmega, bounds: asked.boundsOf(evidence) }
    }
    return { bounds: known.bounds, threshold, feasible }
  }
}

function cellBounds(certificate: CellsCertificate, debates: readonly ReadDebate[]): BoundsAt {
  const { rounds } = certificate
  const stops = stopsOf(certificate, debates)
  let known: { asked: Budget; found: ReturnType<BoundsAt> } | null = null
  return (budget) => {
    if (known && isSameForCells(known.asked, budget)) return known.found
    const asked = certificate.withBudget(budget)
    const bounds = new Float64Array(debates.length * rounds).fill(Number.NaN)
    for (const [row, { record }] of debates.entries()) {
      asked.lowerAlong(stops[row]!, record.group, bounds, row * rounds)
    }
    const found = { bounds, threshold: asked.threshold, feasible: asked.feasible }
    known = { asked: { ...budget }, found }
    return found
  }
}

/** Scores, kinds and excluded rounds are computed once. Another promise only moves the cuts and counts again. */
function totalReplay(certificate: TotalCertificate, debates: readonly ReadDebate[]): Replay {
  const { rounds } = certificate
  const stops = stopsOf(certificate, debates)
  return {
    debates: debates.length,
    rounds,
    at(budget) {
      const asked = certificate.withBudget(declaredInstead(certificate, budget))
      const bounds = new Float64Array(debates.length * rounds).fill(Number.NaN)
      const actedAt = new Uint8Array(debates.length)
      for (const [row, debate] of stops.entries()) {
        const { group } = debates[row]!.record
        const stop = asked.stopAt(debate, group)
        if (stop.kind !== 'act') continue
        actedAt[row] = stop.round
        bounds[row * rounds + stop.round - 1] = asked.limitOf(debate.kinds[stop.round - 1]!, group).lower
      }
      return { threshold: asked.threshold, feasible: asked.feasible, bounds, actedAt }
    },
  }
}

function stopsOf(certificate: CellsCertificate | TotalCertificate, debates: readonly ReadDebate[]): DebateStops[] {
  return debates.map((debate) =>
    debateStops(debate, debate.rounds.slice(0, certificate.rounds), calibratedScores(certificate, debate)),
  )
}

/** Cells do not use epsilon. */
function isSameForCells(one: Budget, other: Budget): boolean {
  return one.beta === other.beta && one.delta === other.delta && one.selectedUpTo === other.selectedUpTo
}

/** Scores up to the first round of another panel, which is not included: `decide` assesses nothing from there on. */
function calibratedScores(certificate: CellsCertificate | TotalCertificate, debate: ReadDebate): Float64Array {
  for (let round = Math.min(certificate.rounds, debate.rounds.length); round > 0; round--) {
    const found = certificate.scoresOf(debate, round)
    if (found !== null) return found
  }
  return new Float64Array(0)
}

function firstPassing(bounds: Float64Array, rows: number, rounds: number, threshold: number): Uint8Array {
  const actedAt = new Uint8Array(rows)
  for (let row = 0; row < rows; row++) {
    for (let round = 0; round < rounds; round++) {
      if (bounds[row * rounds + round]! >= threshold) {
        actedAt[row] = round + 1
        break
      }
    }
  }
  return actedAt
}
