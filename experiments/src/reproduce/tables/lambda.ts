import { markdownTable } from '../../tables/markdown.ts'
import { TWIN_NAMES } from '../../twins/targets.ts'
import { meanOf, medianOf, type Point } from '../measure/outcome.ts'
import type { LimitName } from '../measure/sweep.ts'
import { ACTIVATED } from '../paper/activated.ts'
import { LAMBDA_ROBUSTNESS, LAMBDA_RULES, type LambdaRule } from '../paper/lambda-robustness.ts'
import { LAMBDA_STABILITY } from '../paper/lambda-stability.ts'
import type { MeasuredSplits } from '../tasks.ts'
import { compareDecimal, compareNumber, comparePercent } from './compare.ts'
import { measuredTwins, pointIn, type Table } from './table.ts'

/** Ours under one way to set the budget. Splits without a budget count as Act 0. */
export function rulePoint(twin: MeasuredSplits, rule: LambdaRule | 'pooled'): Point {
  return pointIn(twin, ({ paper }) => paper.operating[rule])
}

/** The multipliers that a limit chose, one per split that has one. */
export function chosenLambdas({ splits }: MeasuredSplits, limit: LimitName): number[] {
  return splits.flatMap(({ sweep }) => sweep.lambda[limit] ?? [])
}

export const lambdaRobustnessTable: Table = {
  number: 19,
  name: 'lambda-robustness',
  title: 'Robustness to how the multiplier is chosen',
  text(measured) {
    const twins = measuredTwins(measured, ACTIVATED)
    const rows = LAMBDA_RULES.flatMap((rule) => {
      const { title: ruleTitle, range, cells } = LAMBDA_ROBUSTNESS[rule]
      const chosen = rule in LIMITS ? twins.flatMap(({ twin }) => chosenLambdas(twin, LIMITS[rule]!)) : []
      const ours = chosen.length === 0 ? '' : ` / ${Math.min(...chosen).toFixed(2)}-${Math.max(...chosen).toFixed(2)}`
      return twins.map(({ name, title, twin }) => {
        const [act, accuracy, budgetUsed] = cells[name]
        const point = rulePoint(twin, rule)
        return [
          ruleTitle,
          `${range[0].toFixed(2)}-${range[1].toFixed(2)}${ours}`,
          title,
          comparePercent(act, point.act.mean),
          comparePercent(accuracy, point.accuracy?.mean),
          compareDecimal(budgetUsed, point.budgetUsed.mean, 3),
          `${point.splits - point.budgeted}`,
        ]
      })
    })
    return `Accuracy is over the splits that acted; the paper's 64.5 and 9.9 for BBH count splits without an action as accuracy 0.

${markdownTable(['rule', 'lambda: paper / ours', 'twin', 'Act %', 'Acc %', 'WA / beta', 'our splits without a budget'], rows)}`
  },
}

const LIMITS: Partial<Record<LambdaRule, LimitName>> = { strict: 'strict', usual: 'usual', loose: 'loose' }

export const lambdaStabilityTable: Table = {
  number: 20,
  name: 'lambda-stability',
  title: 'Stability of the multiplier over splits',
  text(measured) {
    const rows = measuredTwins(measured, TWIN_NAMES).map(({ name, title, twin }) => {
      const printed = LAMBDA_STABILITY[name]
      const chosen = chosenLambdas(twin, 'usual')
      const larger = twin.splits.flatMap(({ sweep }) => sweep.largerLambda ?? [])
      const ofLarger = (figure: (values: number[]) => number) => (larger.length === 0 ? null : figure(larger))
      const of = (figure: (values: number[]) => number) => (chosen.length === 0 ? null : figure(chosen))
      return [
        title,
        compareNumber(printed.mean, of(meanOf), 2),
        compareNumber(printed.median, of(medianOf), 2),
        compareNumber(printed.mean, ofLarger(meanOf), 2),
        compareNumber(printed.median, ofLarger(medianOf), 2),
        compareNumber(
          printed.min,
          of((values) => Math.min(...values)),
          2,
        ),
        compareNumber(
          printed.max,
          of((values) => Math.max(...values)),
          2,
        ),
        `${printed.defers}/10 / ${twin.splits.length - chosen.length}/${twin.splits.length}`,
      ]
    })
    return `Several multipliers may act on the same questions. The paper does not say which of them is chosen; ours takes the smallest. The columns
*ties to the larger* take the largest, as the paper's median of 5.00 for BBH suggests.

${markdownTable(['twin', 'mean', 'median', 'mean, ties to the larger', 'median, ties to the larger', 'min', 'max', 'splits that defer'], rows)}`
  },
}
