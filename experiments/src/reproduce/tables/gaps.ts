import { decimal, markdownTable, percent, signed } from '../../tables/markdown.ts'
import { DITHERED_BETAS } from '../measure/dithered-split.ts'
import { meanOf, type Point, pointOf } from '../measure/outcome.ts'
import { ACTIVATED, type Activated } from '../paper/activated.ts'
import { FIXED_BUDGET_TABLE, FIXED_BUDGETS } from '../paper/fixed-budget.ts'
import { MAIN_TABLE } from '../paper/main-table.ts'
import { MATCHED_TABLE } from '../paper/matched.ts'
import type { TwinMeasurements } from '../tasks.ts'
import { comparePercent } from './compare.ts'
import { absolutePoint } from './fixed-budgets.ts'
import { oursPoint } from './main-table.ts'
import { measuredTwins, pointIn, type Table } from './table.ts'

/** Where the twins differ from the benchmarks in what no published aggregate says. */
export const gapsTable: Table = {
  number: null,
  name: 'gaps',
  title: 'What stands between the twins and the row "Ours"',
  text(measured) {
    const twins = measuredTwins(measured, ACTIVATED)
    return `Two things that the published aggregates do not say, and that Act hangs on.

*How right confident panels are.* The paper's row Confidence Threshold prints the accuracy over all questions, not over those with p1 >= .9, so no target
of the fit ties confidence to accuracy. The column *p1 at the paper's Act* moves a threshold on p1, no certificate, until it acts on as much as the paper's matched one (Table 2)
and compares the accuracy there: confident panels of the twins are right more or less often than the paper's by ${twins.map(({ name, title, twin }) => `${confidenceGap(name, twin)} points (${title})`).join(', ')}.

*How finely agents state confidence.* Rounded to 5 %, as the twins are, many debates share one state; with each stated confidence anywhere within its step, the
last two columns, the same debates give another Act, since radius and modulus are taken on ranks, where a crowded state is a jump.

${markdownTable(['twin', 'Act %', 'Acc %', "Acc % of p1 at the paper's Act", 'unrounded: Act %', 'unrounded: Acc %'], twins.map(operatingRow))}

Act % at a fixed budget, paper / rounded / unrounded:

${markdownTable(['twin', ...DITHERED_BETAS.map((beta) => `beta ${decimal(beta)}`)], twins.map(fixedRow))}

Mean multiplier unrounded: ${twins.map(({ title, twin }) => `${title} ${meanLambda(twin)}`).join(', ')}.`
  },
}

interface NamedTwin {
  readonly name: Activated
  readonly title: string
  readonly twin: TwinMeasurements
}

function operatingRow({ name, title, twin }: NamedTwin): string[] {
  const [act, accuracy] = MAIN_TABLE.paper[name]
  const [, printed] = MATCHED_TABLE[name]['confidence-threshold']
  const ours = oursPoint(twin)
  const unrounded = ditheredPoint(twin, ({ operating }) => operating)
  return [
    title,
    comparePercent(act, ours.act.mean),
    comparePercent(accuracy, ours.accuracy?.mean),
    comparePercent(printed, confidencePoint(twin).accuracy?.mean),
    unrounded ? comparePercent(act, unrounded.act.mean) : '–',
    unrounded ? comparePercent(accuracy, unrounded.accuracy?.mean) : '–',
  ]
}

function fixedRow({ name, title, twin }: NamedTwin): string[] {
  return [
    title,
    ...DITHERED_BETAS.map((beta, at) => {
      const printed = FIXED_BUDGET_TABLE[name][FIXED_BUDGETS.indexOf(beta)]?.[0] ?? 0
      const unrounded = ditheredPoint(twin, ({ absolute }) => absolute[at]!)
      const words = [absolutePoint(twin, beta), unrounded].map((point) => (point ? percent(point.act.mean) : '–'))
      return `${printed.toFixed(1)} / ${words.join(' / ')}`
    }),
  ]
}

function confidenceGap(name: Activated, twin: TwinMeasurements): string {
  const accuracy = confidencePoint(twin).accuracy?.mean
  return accuracy === undefined ? '–' : signed(100 * accuracy - MATCHED_TABLE[name]['confidence-threshold'][1])
}

/** The threshold on p1 that acts as often as the paper's. */
export function confidencePoint(twin: TwinMeasurements): Point {
  return pointIn(twin, ({ confidence }) => confidence)
}

/** Null where it was not measured. */
export function ditheredPoint(
  { dithered, splits }: TwinMeasurements,
  pick: (split: TwinMeasurements['dithered'][number]) => Parameters<typeof pointOf>[0][number],
): Point | null {
  return dithered.length === 0 ? null : pointOf(dithered.map(pick), splits[0]!.rounds)
}

function meanLambda({ dithered }: TwinMeasurements): string {
  const found = dithered.flatMap(({ lambda }) => lambda ?? [])
  return found.length === 0 ? 'none' : `${meanOf(found).toFixed(2)} (${dithered.length - found.length} splits defer)`
}
