import { decimal, markdownTable } from '../../tables/markdown.ts'
import { TWIN_NAMES, type TwinName } from '../../twins/targets.ts'
import type { Point } from '../measure/outcome.ts'
import type { PolicyCells } from '../measure/policy-cells.ts'
import type { TwinSplit } from '../measure/twin-split.ts'
import { INDUCED_BUDGETS, MAIN_TABLE, type MainCell } from '../paper/main-table.ts'
import { PRINTED_NAMES, PRINTED_POLICIES, type PrintedPolicy } from '../paper/printed.ts'
import type { MeasuredSplits, TwinMeasurements } from '../tasks.ts'
import { compareDecimal, compareNumber, comparePercent } from './compare.ts'
import { measuredTwins, pointIn, type Table } from './table.ts'

export const mainTable: Table = {
  number: 1,
  name: 'main',
  title: 'Training-selected budgets',
  text: (measured) =>
    [
      'A split on which no multiplier keeps the training constraint has no budget: ours defers on it and counts as Act 0; the',
      'other rules are averaged over the splits that have one. *Ours, pooled* is the mean multiplier on every split (Table 21).',
      'The last row counts only splits with a budget: the paper prints 73.1 for ARC with 3 of 10 splits deferring (Tables 19 and',
      '20), which no average over ten can be.',
      ...measuredTwins(measured, TWIN_NAMES).map(({ name, title, twin }) => twinText(name, title, twin)),
    ].join('\n'),
}

/** The paper's row "Ours" under the training-selected budget. */
export function oursPoint(twin: MeasuredSplits): Point {
  return pointIn(twin, ({ paper }) => paper.operating.usual)
}

/** A policy under the budgets of the splits that have one. Ours defers on the others. */
export function operatingPoint(twin: MeasuredSplits, name: PrintedPolicy): Point | null {
  if (name === 'paper') return oursPoint(twin)
  const ran = twin.splits.flatMap((split) => operatingOf(split, name) ?? [])
  if (ran.length === 0) return null
  return pointIn({ ...twin, splits: ran.map(({ split }) => split) }, (split) => operatingOf(split, name)?.cell)
}

function operatingOf(split: TwinSplit, name: PrintedPolicy) {
  const found = split.policies.find((policy) => policy.name === name)
  return found?.kind === 'ran' && found.operating ? { split, cell: found.operating } : null
}

function twinText(name: TwinName, title: string, twin: TwinMeasurements): string {
  const printed = INDUCED_BUDGETS[name]
  const ours = oursPoint(twin)
  const errors = twin.splits.map(({ sweep }) => sweep.trainError)
  const error = errors.reduce((sum, value) => sum + value, 0) / errors.length
  const deferring = twin.splits.length - ours.budgeted
  const rows = PRINTED_POLICIES.map((policy) => [
    PRINTED_NAMES[policy],
    ...cells(MAIN_TABLE[policy][name], operatingPoint(twin, policy)),
  ])
  const extra = [
    [
      'Ours, pooled',
      ...cells(
        NONE,
        pointIn(twin, ({ paper }) => paper.operating.pooled),
      ),
    ],
    ['Ours, splits with a budget', ...cells(NONE, budgetedOnly(twin))],
  ]
  return `
### ${title}

e_T ${compareDecimal(printed.lastError, error)}, lambda* ${compareNumber(printed.lambda, twin.pooledLambda, 2)}, beta ${compareDecimal(printed.beta, ours.beta)}; ${deferring} of ${twin.splits.length} splits defer${unfitNote(twin)}.

${markdownTable(['rule', 'Act %', 'Acc %', 'WA %', 'WA / beta', 'Rnd', 'stopping round', 'worst WA / beta'], [...rows, ...extra])}`
}

const NONE: MainCell = [null, null, null, null, null]

function budgetedOnly(twin: TwinMeasurements): Point | null {
  const splits = twin.splits.filter(({ paper }) => paper.operating.usual)
  return splits.length === 0 ? null : oursPoint({ ...twin, splits })
}

function cells([act, accuracy, wrong, budgetUsed, rounds]: MainCell, point: Point | null): string[] {
  return [
    comparePercent(act, point?.act.mean),
    comparePercent(accuracy, point?.accuracy?.mean),
    comparePercent(wrong, point?.wrong.mean),
    compareDecimal(budgetUsed, point?.budgetUsed.mean),
    compareNumber(rounds, point?.rounds),
    point?.stopping?.toFixed(1) ?? '–',
    point ? decimal(point.budgetUsed.max) : '–',
  ]
}

function unfitNote({ splits }: TwinMeasurements): string {
  const unfit = splits.flatMap(({ policies }) =>
    policies.flatMap((policy: PolicyCells) => (policy.kind === 'unfit' ? `${policy.name}: ${policy.reason}` : [])),
  )
  return unfit.length === 0 ? '' : `; could not be fitted: ${[...new Set(unfit)].join('; ')}`
}
