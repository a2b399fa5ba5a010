import {
  ACTIONS_TO_JUDGE,
  AGREEMENT_WORDS,
  type ComputeMatched,
  type EvaluatedPolicy,
  type Evaluation,
  type Figure,
  type GroupShift,
  type LabelFigures,
  PROMISE_WORDS,
  promiseOf,
  type Shift,
  standingOf,
  type TotalPromise,
} from '@quorate/certificate'
import { countText, percentText, percentWithInterval } from '../text/number-text.ts'
import type { PageFrame } from '../text/page-frame.ts'
import { plainText } from '../text/plain-text.ts'
import { MARKS, type Style } from '../text/style.ts'
import { type Alignment, tableLines } from '../text/table.ts'
import { shortenedText, textColumns } from '../text/text-columns.ts'

/** How often each policy acts, how often it is right when it acts, and how often it acts wrongly. */
export function rateTable(policies: readonly EvaluatedPolicy[], style: Style): string[] {
  const rows = policies.map(({ name, act, accuracy, wrongActions }) => [
    name,
    ...rateCells({ act, accuracy, wrongActions }),
  ])
  return titled([['Policy', 'Act %', 'Acc|Act %', 'Wrong actions %'], ...rows], style)
}

/** What each policy promises, how often it acts and is right, and how many kinds of debates it acts on below the floor. */
export function promiseTable(policies: readonly EvaluatedPolicy[], total: TotalPromise, style: Style): string[] {
  const rows = policies.map(({ name, act, accuracy, kindsJudged, kindsBelow }) => [
    name,
    PROMISE_WORDS[promiseOf(name, total)],
    percentText(act.mean),
    accuracy === null ? 'none' : percentText(accuracy.mean),
    kindsJudged === 0 ? 'none' : kindsBelowText(kindsBelow, kindsJudged, style),
  ])
  const header = ['Policy', 'Promise', 'Act %', 'Acc|Act %', 'Kinds below']
  return titled([header, ...rows], style, ['left', 'left', 'right', 'right', 'right'])
}

function kindsBelowText(below: number, judged: number, style: Style): string {
  const text = `${below} of ${judged}`
  return below === 0 ? text : style.wrong(text)
}

/** The kinds of debates that a policy acted on. A total can hide a kind that is wrong too often. */
export function kindTable({ perKind }: EvaluatedPolicy, style: Style): string[] {
  const rows = perKind.map(({ round, agreement, hasChanged, acted, rate, low, high, perSplit, isBelow }) => [
    String(round),
    AGREEMENT_WORDS[agreement],
    hasChanged ? 'yes' : 'no',
    countText(acted),
    low === null || high === null ? percentText(rate) : percentWithInterval(rate, { lower: low, upper: high }),
    isBelow && perSplit >= ACTIONS_TO_JUDGE ? style.wrong(`${MARKS.wrong} below`) : '',
  ])
  const header = ['Round', 'Agreement', 'Changed', 'Acted', 'Acc|Act %', '']
  return titled([header, ...rows], style, ['right', 'left', 'left', 'right', 'right', 'left'])
}

/** Budget used, rounds, calls and standing of each policy. The policies named in `marked` get an asterisk. */
export function effortTable({ policies, beta }: Evaluation, marked: readonly string[], style: Style): string[] {
  const rows = policies.map((policy) => [
    policy.name,
    usedText(policy.budgetUsed.mean),
    usedText(policy.worstBudgetUsed),
    policy.roundsUsed.mean.toFixed(2),
    policy.stoppingRound === null ? 'none' : policy.stoppingRound.mean.toFixed(2),
    policy.calls.mean.toFixed(1),
    `${standing(policy, beta, style)}${marked.includes(policy.name) ? ' *' : ''}`,
  ])
  const header = ['Policy', 'Used', 'Worst', 'Rounds', 'Stop', 'Calls', '']
  return titled([header, ...rows], style, [...RIGHT(6), 'left'])
}

/** Accuracy by the round of the action. Later agreement is weaker evidence, so each round is shown separately. */
export function roundTable(policies: readonly EvaluatedPolicy[], style: Style): string[] {
  const rows = policies.flatMap(({ name, threshold, perRound }) =>
    perRound.map(({ round, acted, accuracy, low, high }) => [
      round === 1 ? name : '',
      String(round),
      countText(acted),
      accuracy === null
        ? 'none'
        : low === null || high === null
          ? percentText(accuracy)
          : percentWithInterval(accuracy, { lower: low, upper: high }),
      round === 1 && threshold !== null ? percentText(threshold) : '',
    ]),
  )
  return titled([['Policy', 'Round', 'Acted', 'Acc|Act %', 'Threshold %'], ...rows], style)
}

const MOST_GROUPS = 60

export function groupTable({ perGroup }: EvaluatedPolicy, { style, width }: PageFrame): string[] {
  const shown = perGroup.slice(0, MOST_GROUPS)
  const figures = tableLines(
    [
      ['n', 'Act %', 'Acc|Act %', 'Wrong actions %'],
      ...shown.map(({ n, ...rates }) => [countText(n), ...rateCells(rates)]),
    ],
    ['right', 'right', 'right', 'right'],
  )
  const room = width - Math.max(...figures.map(textColumns)) - 2
  const names = ['Group', ...shown.map(({ group }) => shortenedText(plainText(group), room))]
  const table = titled(
    names.map((name, row) => [name, figures[row] ?? '']),
    style,
  )
  const left = perGroup.length - shown.length
  return left > 0 ? [...table, style.faint(`and ${left} more groups: see --json`)] : table
}

/** Rates by the panel's answer or by the right option. The denominator is the number of debates in the row. */
export function labelTable(labels: readonly LabelFigures[], title: string, { style, width }: PageFrame): string[] {
  const shown = labels.slice(0, MOST_GROUPS)
  const figures = tableLines(
    [
      ['n', 'Act %', 'Acc|Act %', 'Wrong actions %'],
      ...shown.map(({ n, ...rates }) => [countText(Math.round(n)), ...rateCells(rates)]),
    ],
    ['right', 'right', 'right', 'right'],
  )
  const room = width - Math.max(...figures.map(textColumns)) - 2
  const names = [title, ...shown.map(({ label }) => shortenedText(plainText(label), room))]
  const table = titled(
    names.map((name, row) => [name, figures[row] ?? '']),
    style,
  )
  const left = labels.length - shown.length
  return left > 0 ? [...table, style.faint(`and ${left} more: see --json`)] : table
}

/** For policies fitted on all groups but the one they decide: how many groups exceed the budget, and the worst of them. */
export function shiftTable({ policies }: Shift, style: Style): string[] {
  const rows = policies.map(({ name, groups, groupsOver, worstBudgetUsed }) => [
    name,
    groupsOver === 0 ? `0 of ${groups.length}` : style.wrong(`${groupsOver} of ${groups.length}`),
    usedText(worstBudgetUsed),
  ])
  return titled([['Policy', 'Groups over', 'Worst used'], ...rows], style)
}

/** The left-out groups of one policy. */
export function shiftGroupTable(groups: readonly GroupShift[], { style, width }: PageFrame): string[] {
  const figures = tableLines(
    [
      ['n', 'Act %', 'Acc|Act %', 'Wrong actions %', 'Used', ''],
      ...groups.map(({ n, act, accuracy, wrongActions, low, high, budgetUsed, isOver }) => [
        countText(n),
        percentText(act),
        accuracy === null ? 'none' : percentText(accuracy),
        rateText({ mean: wrongActions, low, high }),
        usedText(budgetUsed),
        isOver ? style.wrong(`${MARKS.wrong} over`) : '',
      ]),
    ],
    ['right', 'right', 'right', 'right', 'right', 'left'],
  )
  const room = width - Math.max(...figures.map(textColumns)) - 2
  const names = ['Group left out', ...groups.map(({ group }) => shortenedText(plainText(group), room))]
  return titled(
    names.map((name, row) => [name, figures[row] ?? '']),
    style,
    ['left', 'left'],
  )
}

/** How much the fit itself varies: the smallest and the largest value over the splits. */
export function spreadSentence({ name, act, wrongActions }: EvaluatedPolicy): string {
  const range = ({ min, max }: Figure) => `${percentText(min)}–${percentText(max)} %`
  return `${name}: Act ${range(act)}, wrong actions ${range(wrongActions)}.`
}

/** Rules without a bound at the round cap whose number of calls is nearest to ours. */
export function matchedTable(rows: readonly ComputeMatched[], style: Style): string[] {
  const cells = rows.map(({ name, cap, calls, ...rates }) => [
    name.replace('-final', ''),
    String(cap),
    ...rateCells(rates),
    calls.mean.toFixed(1),
  ])
  return titled([['Rule', 'Cap', 'Act %', 'Acc|Act %', 'Wrong %', 'Calls'], ...cells], style)
}

function rateCells(rates: {
  readonly act: Figure
  readonly accuracy: Figure | null
  readonly wrongActions: Figure
}): string[] {
  return [rates.act, rates.accuracy, rates.wrongActions].map((rate) => (rate === null ? 'none' : rateText(rate)))
}

function rateText({ mean, low, high }: Pick<Figure, 'mean' | 'low' | 'high'>): string {
  return low === null || high === null ? percentText(mean) : percentWithInterval(mean, { lower: low, upper: high })
}

function standing(policy: EvaluatedPolicy, beta: number, style: Style): string {
  const found = standingOf(policy, beta)
  if (found === 'within') return style.act(`${MARKS.act} within`)
  return found === 'over' ? style.wrong(`${MARKS.wrong} over`) : style.defer(`${MARKS.defer} ${found}`)
}

/** For example `0.39`, or `143` where hundredths no longer matter. */
function usedText(share: number): string {
  return share.toFixed(share < 10 ? 2 : 0)
}

const RIGHT = (columns: number): Alignment[] => ['left', ...new Array<Alignment>(columns - 1).fill('right')]

function titled(rows: readonly (readonly string[])[], style: Style, alignments?: readonly Alignment[]): string[] {
  const [header = '', ...lines] = tableLines(rows, alignments ?? RIGHT(rows[0]?.length ?? 1))
  return [style.faint(header), ...lines]
}
