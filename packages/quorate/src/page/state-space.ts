import { type Certificate, isRightAt } from '@quorate/certificate'
import type { MarkKind } from '../figures/marks.ts'
import type { Span } from '../figures/scale.ts'
import type { LineRound, StateLine } from '../figures/state-line.ts'
import type { PlanePoint, PlaneRound, StatePlane } from '../figures/state-plane.ts'
import { boundedSteps, type DecidedDebate } from './decide-held-out.ts'
import { evenly } from './evenly.ts'

type Knn = Extract<Certificate, { kind: 'knn' }>

/** Number of grid steps along each coordinate. */
const GRID = 40
const CURVE_POINTS = 60
const UNIT: Span = { from: 0, to: 1 }

export type StateSpace =
  | { readonly kind: 'plane'; readonly plane: StatePlane }
  | { readonly kind: 'line'; readonly line: StateLine }

/** The states in which debates act. Null if states have neither one nor two coordinates. */
export function stateSpace(
  certificate: Knn,
  decided: readonly DecidedDebate[],
  groupConditional: boolean,
): StateSpace | null {
  const first = decided.flatMap((debate) => boundedSteps(debate).slice(0, 1))[0]?.state?.length
  const rounds = Array.from({ length: certificate.rounds }, (_, index) => index + 1)
  if (first === 1) {
    const { threshold } = certificate
    return {
      kind: 'line',
      line: {
        threshold,
        name: 'learned score, as a probability',
        rounds: rounds.map((round) => lineRound(decided, round, threshold)),
      },
    }
  }
  if (first !== 2) return null
  const isPaper = certificate.profile === 'paper'
  return {
    kind: 'plane',
    plane: {
      xName: 'top probability p1',
      yName: isPaper ? 'margin p1 − p2' : 'mean support so far',
      x: UNIT,
      y: UNIT,
      rounds: rounds.map((round) => planeRound(groupConditional ? null : certificate, decided, round)),
    },
  }
}

function lineRound(decided: readonly DecidedDebate[], round: number, threshold: number): LineRound {
  const points = decided
    .flatMap((debate) => boundedSteps(debate).filter((step) => step.round === round && step.state?.length === 1))
    .map(({ state, lower }) => ({ x: 1 / (1 + Math.exp(-(state?.[0] ?? 0))), lower }))
    .sort((a, b) => a.x - b.x)
  const acting = points.filter(({ lower }) => lower >= threshold).length
  return { round, points: evenly(points, CURVE_POINTS), acting, running: points.length }
}

/** Without a certificate no region is drawn. With group-conditional certificates each group would have its own region. */
function planeRound(certificate: Knn | null, decided: readonly DecidedDebate[], round: number): PlaneRound {
  const points = new Map<string, PlanePoint>()
  for (const { debate, steps, actedAt } of decided) {
    const state = steps[round - 1]?.state
    if (state?.length !== 2) continue
    const outcome: MarkKind = actedAt !== round ? 'defer' : isRightAt(debate, round) ? 'act' : 'wrong'
    const [x, y] = [snapped(state[0] ?? 0), snapped(state[1] ?? 0)]
    const key = `${outcome} ${x} ${y}`
    points.set(key, { x, y, outcome, count: (points.get(key)?.count ?? 0) + 1 })
  }
  return {
    round,
    region: certificate === null || points.size === 0 ? [] : actionRegion(certificate, round),
    points: [...points.values()].sort(byOutcome),
  }
}

/** Draws continued debates first, then actions, then wrong actions on top, because they are rare and must be visible. */
function byOutcome(a: PlanePoint, b: PlanePoint): number {
  const layers: readonly MarkKind[] = ['defer', 'act', 'wrong']
  return layers.indexOf(a.outcome) - layers.indexOf(b.outcome)
}

function snapped(value: number): number {
  return Math.round(value * GRID) / GRID
}

/** The states of a grid, including its ends, that reach the threshold. Neighbours in a row are merged into one rectangle. */
function actionRegion(certificate: Knn, round: number): PlaneRound['region'] {
  const nodes = GRID + 1
  const states = Array.from({ length: nodes * nodes }, (_, at) => [(at % nodes) / GRID, Math.floor(at / nodes) / GRID])
  const bounds = certificate.bounds(round, states)
  const around = (value: number): Span => ({ from: value - 0.5 / GRID, to: value + 0.5 / GRID })
  const region: { x: Span; y: Span }[] = []
  for (let at = 0; at < bounds.length; at++) {
    const [x = 0, y = 0] = states[at] ?? []
    if (!((bounds[at] ?? Number.NaN) >= certificate.threshold) || !canBe(certificate, x, y)) continue
    const [columns, rows] = [around(x), around(y)]
    const last = region.at(-1)
    const touches = last?.y.from === rows.from && Math.abs(last.x.to - columns.from) < 1e-9
    if (last !== undefined && touches) region[region.length - 1] = { x: { from: last.x.from, to: columns.to }, y: rows }
    else region.push({ x: columns, y: rows })
  }
  return region
}

/** Whether a state is possible: a margin is between p1 - (1 - p1) and p1. The grid adds a tolerance. */
function canBe({ profile }: Knn, p1: number, margin: number): boolean {
  return profile !== 'paper' || (margin <= p1 + 0.5 / GRID && margin >= 2 * p1 - 1 - 1 / GRID)
}
