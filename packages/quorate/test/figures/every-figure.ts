import { boundPathsFigure } from '../../src/figures/bound-paths.ts'
import { budgetGauge } from '../../src/figures/budget-gauge.ts'
import { cellBarsFigure } from '../../src/figures/cell-bars.ts'
import { certifiedFigure } from '../../src/figures/certified-bins.ts'
import { debatePathFigure } from '../../src/figures/debate-path.ts'
import { debateStepsFigure } from '../../src/figures/debate-steps.ts'
import type { Drawing } from '../../src/figures/drawing.ts'
import { frontierFigure } from '../../src/figures/frontier.ts'
import { groupsFigure } from '../../src/figures/groups.ts'
import { stateLineFigure } from '../../src/figures/state-line.ts'
import { statePlaneFigure } from '../../src/figures/state-plane.ts'
import { stoppingRoundsFigure } from '../../src/figures/stopping-rounds.ts'
import { waterfallFigure } from '../../src/figures/waterfall.ts'
import * as example from './example-data.ts'

/** Every figure of the package on its example. */
export const EVERY_FIGURE: readonly (readonly [string, (width: number) => Drawing])[] = [
  ['budget', (width) => budgetGauge(example.gauge, width)],
  ['frontier', (width) => frontierFigure(example.frontier, width)],
  ['waterfall', (width) => waterfallFigure(example.waterfall, width)],
  ['cells', (width) => cellBarsFigure(example.cells, width)],
  ['certified', (width) => certifiedFigure(example.certified, width)],
  ['bound-paths', (width) => boundPathsFigure(example.paths, width)],
  ['stopping-rounds', (width) => stoppingRoundsFigure(example.stopping, width)],
  ['groups', (width) => groupsFigure(example.groups, width)],
  ['state-plane', (width) => statePlaneFigure(example.plane, width)],
  ['debate-path', (width) => debatePathFigure(example.path, width)],
  ['debate-steps', (width) => debateStepsFigure(example.steps, width)],
  ['state-line', (width) => stateLineFigure(example.line, width)],
]
