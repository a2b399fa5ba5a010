import { decimal, markdownTable, percent, signed } from '../../tables/markdown.ts'
import { meanOf } from '../measure/outcome.ts'
import { PROTOTYPE_BETAS, type PrototypeSplit } from '../measure/prototype-split.ts'
import type { Draws, PROTOTYPE_FILES } from '../measure/worlds.ts'
import type { PrototypeMeasurements } from '../tasks.ts'
import type { Table } from './table.ts'

type PrototypeName = (typeof PROTOTYPE_FILES)[number]

/** Act %, accuracy % and share of the budget used; null if it never acted. */
type Printed = readonly [act: number, accuracy: number, used: number] | null

/** Figures of the prototype of `total` (pac and floor, ten halves drawn by numpy), at .05, .10, .15 and .20. */
const PRINTED: Readonly<Record<PrototypeName, readonly Printed[]>> = {
  'mmlu-pro-conf-12models': [
    [46.2, 94.5, 0.51],
    [67.4, 91.7, 0.56],
    [74.1, 89.0, 0.55],
    [74.1, 89.0, 0.41],
  ],
  'mmlu-pro-14models': [
    [21.2, 93.3, 0.28],
    [46.2, 89.9, 0.47],
    [60.7, 86.0, 0.57],
    [60.7, 86.0, 0.42],
  ],
  'mmlu-pro-conf-trio-mid': [
    [22.0, 94.0, 0.26],
    [41.0, 89.8, 0.42],
    [51.1, 86.0, 0.48],
    [51.1, 86.0, 0.36],
  ],
  'dylan-mmlu-3agents': [null, [16.2, 86.8, 0.21], [48.2, 82.0, 0.58], [54.6, 81.9, 0.49]],
  'medagents-10models': [
    [52.5, 95.2, 0.51],
    [74.4, 92.5, 0.56],
    [79.9, 91.2, 0.47],
    [79.9, 91.2, 0.35],
  ],
  'medagents-10models-growing': [
    [46.5, 95.2, 0.45],
    [71.6, 91.8, 0.59],
    [81.8, 89.7, 0.56],
    [81.8, 89.7, 0.42],
  ],
  'umass-judges-triviaqa': [
    [8.6, 97.7, 0.04],
    [73.3, 97.0, 0.22],
    [86.9, 96.5, 0.2],
    [86.9, 96.5, 0.15],
  ],
  'mmlu-pro-paper-families': [
    [59.4, 94.8, 0.62],
    [74.4, 92.5, 0.56],
    [80.7, 90.9, 0.49],
    [80.7, 90.9, 0.37],
  ],
  'dylan-math-open-3agents': [null, [20.5, 90.1, 0.2], [22.3, 89.0, 0.16], [22.3, 89.0, 0.12]],
}

/**
 * Both implementations on a hundred halves of the prototype's kind, run once on 2026-11-17: mean Act % of the prototype
 * and of ours, and the standard error of the mean difference. At .05, .10, .15 and .20.
 */
const HUNDRED_HALVES: Readonly<Partial<Record<PrototypeName, readonly PairedMean[]>>> = {
  'mmlu-pro-14models': [
    [17.7, 16.4, 0.9],
    [47.6, 47.6, 0.5],
    [58.4, 58.1, 0.5],
    [58.4, 58.1, 0.5],
  ],
  'dylan-mmlu-3agents': [
    [0, 0, 0],
    [17.4, 17.5, 2],
    [50.7, 50.6, 2],
    [56.5, 55.8, 0.7],
  ],
  'medagents-10models-growing': [
    [49.2, 49.5, 0.9],
    [72.9, 72.6, 0.4],
    [81.1, 81.4, 0.4],
    [81.1, 81.4, 0.4],
  ],
  'dylan-math-open-3agents': [
    [0, 0, 0],
    [21.8, 21.3, 0.3],
    [23.3, 23.5, 0.2],
    [23.3, 23.5, 0.2],
  ],
}

/**
 * Mean Act % of the prototype on its ten halves with its features rounded to twelve decimals, as ours are. Run once on
 * 2026-11-18. At .05, .10, .15 and .20.
 */
const ROUNDED: Readonly<Record<PrototypeName, readonly number[]>> = {
  'mmlu-pro-conf-12models': [45.8, 68.1, 74.1, 74.1],
  'mmlu-pro-14models': [19.7, 47.1, 60.6, 60.6],
  'mmlu-pro-conf-trio-mid': [22, 40.6, 50.7, 50.7],
  'dylan-mmlu-3agents': [0, 20.1, 53.6, 53.9],
  'medagents-10models': [52.5, 74.4, 80, 80],
  'medagents-10models-growing': [46.9, 72.2, 81.7, 81.7],
  'umass-judges-triviaqa': [8.6, 73.3, 86.9, 86.9],
  'mmlu-pro-paper-families': [58.9, 74.4, 80.8, 80.8],
  'dylan-math-open-3agents': [0, 20.5, 22.3, 22.3],
}

type PairedMean = readonly [prototype: number, ours: number, error: number]

/** Ours beside the printed figures of the prototype, on the prototype's halves and pilots. */
export const totalPrototypeTable: Table = {
  number: null,
  name: 'total-prototype',
  title: 'Total against the prototype',
  text({ prototype }) {
    if (prototype.length === 0) return 'There are no recorded debates on this machine.'
    const hundred = Object.entries(HUNDRED_HALVES).map(([name, means]) => [name, ...means.map(pairedText)])
    const farthest = largestGap(Object.values(HUNDRED_HALVES).flat())
    return `Printed by the prototype / ours (difference in points): Act %; accuracy %; share of the budget used. Means over ${prototype[0]!.prototype.length} halves, accuracy over all
actions. Both make the same draws: halves, pilots and folds by numpy's generator, which this repository reproduces exactly, and the
answers of tied panels by the prototype's hash. What is left are
the two implementations and, where questions have several runs, the order in which they are bet on. ${withinText(prototype, 'prototype')}

${againstTable(prototype, 'prototype')}

Features are rounded to twelve decimals here. In the prototype some features that are equal on paper differ in their last bit, and its
trees split between them: on one of the ten halves of \`dylan-mmlu-3agents\` at .15 it then acts on nothing. With its features rounded too (run once on 2026-11-18), the
prototype acts as in the next table (Act % as printed / with rounded features / ours). Ours differs from the rounded one by at most
${roundedGap(prototype).toFixed(1)} points. Known differences that remain are splits of trees that are equally good, among which rounding chooses, logistic fits that the prototype
stops earlier, and agents that state no confidence. They count as abstentions here and as certain in the prototype.

${roundedTable(prototype)}

No promise depends on the draws, but Act of ten halves does. A group of equal votes either fits the budget or does not, so Act of one half jumps. The prototype
itself, on these ten halves of \`dylan-mmlu-3agents\` at .10, gives 16.2 with its folds and 22.8, 21.9, 19.0 and 24.2 with four other seeds of the
folds (run once on 2026-11-17). The next table has ours with folds and ties of our own, on the same halves and pilots. ${withinText(prototype, 'ours')}

${againstTable(prototype, 'ours')}

One draw of the folds is kept. With the mean loss of five draws, Act over a hundred halves changed by +2.3 ± 1.3, +1.1 ± 1.4 and -0.5 ± 0.5 points on
\`dylan-mmlu-3agents\` at .10, .15 and .20, and by at most 0.2 points on \`medagents-10models-growing\` and \`dylan-math-open-3agents\`.

Ten halves cannot show a difference of 3 points where two scores differ by 20 on one half. So both were run on a hundred halves of four sets with draws of
their own, once on 2026-11-17: Act % of the prototype / ours (difference ± its standard error, paired by half). The largest difference is ${farthest.toFixed(1)} points.

${markdownTable(HEADER, hundred)}`
  },
}

const HEADER = ['recorded set', ...PROTOTYPE_BETAS.map((beta) => `beta ${decimal(beta)}`)]

function againstTable(prototype: readonly PrototypeMeasurements[], draws: Draws): string {
  const rows = prototype.map((file) => [
    file.name,
    ...PRINTED[file.name].map((printed, at) => againstText(file[draws], printed, at)),
  ])
  return markdownTable(HEADER, rows)
}

function roundedTable(prototype: readonly PrototypeMeasurements[]): string {
  const rows = prototype.map(({ name, prototype: splits }) => [
    name,
    ...ROUNDED[name].map((rounded, at) =>
      [PRINTED[name][at]?.[0] ?? 0, rounded, actOf(splits, at)].map((act) => act.toFixed(1)).join(' / '),
    ),
  ])
  return markdownTable(HEADER, rows)
}

function roundedGap(prototype: readonly PrototypeMeasurements[]): number {
  return largestGap(
    prototype.flatMap(({ name, prototype: splits }) =>
      ROUNDED[name].map((rounded, at) => [rounded, actOf(splits, at)] as const),
    ),
  )
}

/** Percentage points of Act by which ours may differ. */
const USUAL_TOLERANCE = 3
const WIDER: Readonly<Partial<Record<PrototypeName, readonly [at: number, points: number]>>> = {
  'dylan-mmlu-3agents': [1, 6],
  'umass-judges-triviaqa': [0, 6],
}

/** Every printed figure, and whether ours is close enough to it. */
function cellsOf(prototype: readonly PrototypeMeasurements[], draws: Draws) {
  return prototype.flatMap(({ name, [draws]: splits }) =>
    PRINTED[name].map((printed, at) => {
      const [wideAt, points] = WIDER[name] ?? []
      const difference = actOf(splits, at) - (printed?.[0] ?? 0)
      const tolerance = at === wideAt ? points! : USUAL_TOLERANCE
      return { difference, isWithin: Math.abs(difference) <= tolerance }
    }),
  )
}

function withinText(prototype: readonly PrototypeMeasurements[], draws: Draws): string {
  const cells = cellsOf(prototype, draws)
  const within = cells.filter(({ isWithin }) => isWithin).length
  const largest = cells.reduce((most, { difference }) => Math.max(most, Math.abs(difference)), 0)
  return `Act is within ${USUAL_TOLERANCE} points (6 on \`dylan-mmlu-3agents\` at .10 and \`umass-judges-triviaqa\` at .05) in ${within} of ${cells.length} cells;
the largest difference is ${largest.toFixed(1)} points.`
}

function largestGap(pairs: readonly (readonly [prototype: number, ours: number, ...rest: number[]])[]): number {
  return pairs.reduce((most, [act, ours]) => Math.max(most, Math.abs(ours - act)), 0)
}

function pairedText([act, ours, error]: PairedMean): string {
  return `${act.toFixed(1)} / ${ours.toFixed(1)} (${signed(ours - act)} ± ${error.toFixed(1)})`
}

function againstText(splits: readonly PrototypeSplit[], printed: Printed, at: number): string {
  const beta = PROTOTYPE_BETAS[at]!
  const [act, accuracy, used] = printed ?? [0, null, 0]
  const ours = actOf(splits, at)
  const oursUsed = meanOf(splits.map(({ points, debates }) => points[at]!.wrong / debates / beta))
  const right = accuracyOf(splits, at)
  return [
    `${act.toFixed(1)} / ${ours.toFixed(1)} (${signed(ours - act)})`,
    `${accuracy === null ? '–' : accuracy.toFixed(1)} / ${right === null ? '–' : percent(right)}`,
    `${decimal(used)} / ${decimal(oursUsed)}`,
  ].join('; ')
}

/** Mean Act %. */
function actOf(splits: readonly PrototypeSplit[], at: number): number {
  return 100 * meanOf(splits.map(({ points, debates }) => points[at]!.acted / debates))
}

/** Accuracy over all actions of all halves, as in the prototype; null without an action. */
function accuracyOf(splits: readonly PrototypeSplit[], at: number): number | null {
  const sum = (key: 'acted' | 'wrong') => splits.reduce((total, { points }) => total + points[at]![key], 0)
  return sum('acted') === 0 ? null : 1 - sum('wrong') / sum('acted')
}
