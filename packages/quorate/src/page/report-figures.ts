import type { EvaluatedPolicy, Evaluation } from '@quorate/certificate'
import { boundPathsFigure } from '../figures/bound-paths.ts'
import { budgetGauge } from '../figures/budget-gauge.ts'
import { cellBarsFigure } from '../figures/cell-bars.ts'
import { certifiedFigure } from '../figures/certified-bins.ts'
import { type Drawing, emptyDrawing } from '../figures/drawing.ts'
import { type FrontierPolicy, frontierFigure } from '../figures/frontier.ts'
import { groupsFigure } from '../figures/groups.ts'
import { stateLineFigure } from '../figures/state-line.ts'
import { statePlaneFigure } from '../figures/state-plane.ts'
import { stoppingRoundsFigure } from '../figures/stopping-rounds.ts'
import { waterfallFigure } from '../figures/waterfall.ts'
import { rateOf } from './figure-text.ts'
import type { ReportData } from './report-data.ts'

/** Draws a figure for a width in pixels. */
export type Draw = (width: number) => Drawing

export interface ReportFigures {
  readonly budget: Draw
  readonly frontier: Draw
  readonly waterfall: Draw
  readonly certified: Draw
  readonly paths: Draw
  readonly space: Draw
  readonly stopping: Draw
  readonly kinds: Draw
  readonly groups: Draw
}

/** The policy that the report is about. Undefined if it could not be fitted. */
export function oursOf({ evaluation, profile }: ReportData): EvaluatedPolicy | undefined {
  return evaluation.policies.find(({ name }) => name === profile)
}

/** Every figure of the report, in the order of the page. */
export function reportFigures(data: ReportData): ReportFigures {
  const { budget, heldOut, evaluation, path } = data
  const ours = oursOf(data)
  const { beta, alpha, epsilon, threshold } = budget
  return {
    budget: (width) => budgetGauge({ beta, alpha, epsilon, wrongActions: rateOf(ours?.wrongActions ?? null) }, width),
    frontier: frontierOf(evaluation, ours, path),
    waterfall: (width) => waterfallFigure(heldOut.waterfall, width),
    certified: (width) => certifiedFigure(heldOut.certified, width),
    paths: (width) => boundPathsFigure(heldOut.paths, width),
    space: spaceOf(heldOut.space),
    stopping: (width) => stoppingRoundsFigure(stoppingOf(evaluation, ours, threshold), width),
    kinds: (width) =>
      groupsFigure(
        {
          threshold: evaluation.floor,
          of: 'kinds',
          groups: (ours?.perKind ?? []).map(({ kind, perSplit, rate, low, high }) => ({
            name: kind,
            n: Math.round(perSplit),
            act: perSplit / (evaluation.n / 2),
            accuracy: low === null || high === null ? null : { value: rate, low, high },
          })),
        },
        width,
      ),
    groups: (width) =>
      groupsFigure(
        {
          threshold,
          groups: (ours?.perGroup ?? []).map(({ group, n, act, accuracy }) => ({
            name: group,
            n,
            act: act.mean,
            accuracy: rateOf(accuracy),
          })),
        },
        width,
      ),
  }
}

function frontierOf(evaluation: Evaluation, ours: EvaluatedPolicy | undefined, path: ReportData['path']): Draw {
  return (width) => {
    if (ours === undefined) {
      const head = { name: 'frontier', title: 'What each policy does with the budget', width }
      return emptyDrawing(head, 'The certificate could not be fitted on half of these debates.')
    }
    const others = evaluation.policies.filter(({ name }) => name !== ours.name).map(frontierPolicy)
    return frontierFigure({ beta: evaluation.beta, ours: frontierPolicy(ours), path, others }, width)
  }
}

function frontierPolicy({ name, act, wrongActions }: EvaluatedPolicy): FrontierPolicy {
  return { name, act: act.mean, wrongActions: wrongActions.mean }
}

function spaceOf(space: ReportData['heldOut']['space']): Draw {
  return (width) => {
    if (space?.kind === 'cells') return cellBarsFigure(space.cells, width)
    if (space?.kind === 'plane') return statePlaneFigure(space.plane, width)
    if (space?.kind === 'line') return stateLineFigure(space.line, width)
    const head = { name: 'state-plane', title: 'States that act, round by round', width }
    return emptyDrawing(head, 'No held-out debate has a state of one or two coordinates to draw.')
  }
}

/** The counts of one test half, averaged over the splits. */
function stoppingOf({ n, seeds }: Evaluation, ours: EvaluatedPolicy | undefined, threshold: number) {
  const debates = ours === undefined ? 0 : n / 2
  const rounds = (ours?.perRound ?? []).map(({ round, acted, accuracy, low, high }) => ({
    round,
    acted: acted / seeds.length,
    accuracy: accuracy === null ? null : { value: accuracy, low: low ?? 0, high: high ?? 1 },
  }))
  const acted = rounds.reduce((sum, round) => sum + round.acted, 0)
  return { threshold, debates, rounds, deferred: Math.max(0, debates - acted) }
}
