export {
  atLeastText,
  atMostText,
  comparedText,
  countText,
  exactTexts,
  figureText,
  percentText,
  percentWithInterval,
  probabilityText,
  pValueText,
} from '../text/number-text.ts'
export type { BoundRow } from './bound-bars.ts'
export { type BoundPath, type BoundPaths, boundPathsFigure } from './bound-paths.ts'
export { type BudgetGauge, budgetGauge } from './budget-gauge.ts'
export { type DebatePath, debatePathFigure } from './debate-path.ts'
export { type DebateSteps, debateStepsFigure } from './debate-steps.ts'
export { type Drawing, inlineSvg } from './drawing.ts'
export { type Frontier, type FrontierPoint, type FrontierPolicy, frontierFigure } from './frontier.ts'
export { markupText } from './markup.ts'
export { linearScale, probabilitySpan } from './scale.ts'
export { type StoppingRounds, stoppingRoundsFigure } from './stopping-rounds.ts'
export { visibleText } from './visible-text.ts'
export { type ExplainedDebate, type Waterfall, waterfallFigure } from './waterfall.ts'
