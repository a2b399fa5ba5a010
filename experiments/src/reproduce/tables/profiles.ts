import { ACTIONS_TO_JUDGE, judgedKinds, judgingFloor, kindFigures } from '@quorate/certificate'
import type { RecordedName } from '../../data/recorded.ts'
import { decimal, markdownTable, percent, signed } from '../../tables/markdown.ts'
import { FIVE_BUDGETS } from '../measure/budgets.ts'
import { meanOf } from '../measure/outcome.ts'
import { COMPARED_FILES, COMPARED_POLICIES } from '../measure/worlds.ts'
import type { RecordedMeasurements } from '../tasks.ts'
import { fiveBudgetPoint } from './recorded.ts'
import type { Table } from './table.ts'

type ComparedPolicy = (typeof COMPARED_POLICIES)[number]

const BETA_HEADER = FIVE_BUDGETS.map(({ beta }) => `beta ${decimal(beta)}`)

/** What a user chooses among, on every recorded set, judged by kind of debate. */
export const profilesTable: Table = {
  number: null,
  name: 'profiles',
  title: 'Total beside cells, tight and learn-then-test, judged by kind',
  text({ recorded }) {
    if (recorded.length === 0) return 'There are no recorded debates on this machine.'
    const rows = recorded.flatMap((file) =>
      COMPARED_POLICIES.map((policy) => [
        file.name,
        policy,
        ...FIVE_BUDGETS.map((_, at) => cellText(file, policy, at)),
      ]),
    )
    const means = COMPARED_POLICIES.map((policy) => [
      '**mean Act, all kinds**',
      policy,
      ...FIVE_BUDGETS.map((_, at) => meanText(recorded, policy, at)),
    ])
    return `Act % / Acc % / mean share of the budget used / kinds below the floor of kinds judged. A kind is the round, how far the panel agrees and whether its
answer ever changed. A kind is judged where a test half has at least ${ACTIONS_TO_JUDGE} actions of it, and is below where the 99 % upper limit of its share right
lies under the floor max(.70, 1 - 2 beta). Every policy is judged by that floor; only \`total\` promises it, and it promises it for classes of kinds.
\`total\` also promises that this one certificate keeps beta, with 97 % confidence. \`${COMPARED_FILES.join('`, `')}\` are
run with these four policies only. \`umass-judges-triviaqa\` has eight runs of each question: halves are drawn by question, \`cells\` and \`tight\` count one run of each.

${markdownTable(['recorded set', 'policy', ...BETA_HEADER], [...rows, ...means])}`
  },
}

function cellText(file: RecordedMeasurements, policy: ComparedPolicy, at: number): string {
  const point = fiveBudgetPoint(file.splits, policy, at)
  if (typeof point === 'string') return `unfit: ${point}`
  if (point.accuracy === null) return '0'
  const { below, judged } = kindsBelow(file, policy, at)
  return `${percent(point.act.mean)} / ${percent(point.accuracy.mean)} / ${decimal(point.budgetUsed.mean)} / ${below} of ${judged}`
}

function meanText(recorded: readonly RecordedMeasurements[], policy: ComparedPolicy, at: number): string {
  const acts = recorded.map((file) => {
    const point = fiveBudgetPoint(file.splits, policy, at)
    return typeof point === 'string' ? 0 : point.act.mean
  })
  const kinds = recorded.map((file) => kindsBelow(file, policy, at))
  const total = (key: 'below' | 'judged') => kinds.reduce((sum, counts) => sum + counts[key], 0)
  return `${percent(meanOf(acts))} / ${total('below')} of ${total('judged')}`
}

/** Of the kinds with enough actions in a test half, those that are right less often than the floor. */
export function kindsBelow(
  { splits }: RecordedMeasurements,
  name: ComparedPolicy,
  at: number,
): { readonly below: number; readonly judged: number } {
  const tallies = splits.flatMap(({ policies }) => {
    const found = policies.find((policy) => policy.name === name)
    if (found?.kind !== 'ran') return []
    return { kinds: new Map(found.five[at]!.kinds.map(([kind, acted, right]) => [kind, { acted, right }])) }
  })
  if (tallies.length === 0) return { below: 0, judged: 0 }
  const judged = judgedKinds(kindFigures(tallies, judgingFloor(FIVE_BUDGETS[at]!)))
  return { below: judged.filter(({ isBelow }) => isBelow).length, judged: judged.length }
}

/** Act, accuracy and share of the budget used; null where it never acted. */
type Printed = readonly [act: number, accuracy: number, used: number] | null

/** Printed by the method's prototype of `total` (pac and floor, ten halves that numpy draws), at .05, .10, .15 and .20. */
const PROTOTYPE: readonly (readonly [RecordedName, readonly Printed[]])[] = [
  [
    'mmlu-pro-conf-12models',
    [
      [46.2, 94.5, 0.51],
      [67.4, 91.7, 0.56],
      [74.1, 89.0, 0.55],
      [74.1, 89.0, 0.41],
    ],
  ],
  [
    'mmlu-pro-14models',
    [
      [21.2, 93.3, 0.28],
      [46.2, 89.9, 0.47],
      [60.7, 86.0, 0.57],
      [60.7, 86.0, 0.42],
    ],
  ],
  [
    'mmlu-pro-conf-trio-mid',
    [
      [22.0, 94.0, 0.26],
      [41.0, 89.8, 0.42],
      [51.1, 86.0, 0.48],
      [51.1, 86.0, 0.36],
    ],
  ],
  ['dylan-mmlu-3agents', [null, [16.2, 86.8, 0.21], [48.2, 82.0, 0.58], [54.6, 81.9, 0.49]]],
  [
    'medagents-10models',
    [
      [52.5, 95.2, 0.51],
      [74.4, 92.5, 0.56],
      [79.9, 91.2, 0.47],
      [79.9, 91.2, 0.35],
    ],
  ],
  [
    'medagents-10models-growing',
    [
      [46.5, 95.2, 0.45],
      [71.6, 91.8, 0.59],
      [81.8, 89.7, 0.56],
      [81.8, 89.7, 0.42],
    ],
  ],
  [
    'umass-judges-triviaqa',
    [
      [8.6, 97.7, 0.04],
      [73.3, 97.0, 0.22],
      [86.9, 96.5, 0.2],
      [86.9, 96.5, 0.15],
    ],
  ],
  [
    'mmlu-pro-paper-families',
    [
      [59.4, 94.8, 0.62],
      [74.4, 92.5, 0.56],
      [80.7, 90.9, 0.49],
      [80.7, 90.9, 0.37],
    ],
  ],
  ['dylan-math-open-3agents', [null, [20.5, 90.1, 0.2], [22.3, 89.0, 0.16], [22.3, 89.0, 0.12]]],
]

/** Ours beside the printed figures of the prototype. */
export const totalPrototypeTable: Table = {
  number: null,
  name: 'total-prototype',
  title: 'Total against the prototype',
  text({ recorded, seeds }) {
    const files = PROTOTYPE.flatMap(([name, printed]) => {
      const file = recorded.find((found) => found.name === name)
      return file ? [{ file, printed }] : []
    })
    if (files.length === 0) return 'There are no recorded debates on this machine.'
    const rows = files.map(({ file, printed }) => [
      file.name,
      ...printed.map((cell, at) => againstText(file, cell, at)),
    ])
    return `Prototype / ours (difference in points): Act %; accuracy %; share of the budget used. Ours are the means over ${seeds.length} halves, accuracy over all actions;
the prototype draws ten halves of its own. Act of one set jumps between halves, because a lump of equal votes fits the budget or does not. Two more things differ:
the folds on which candidate scores compete are drawn differently, so another score may win; and an agent that states no confidence counts here as an
abstention, which the prototype counts as certain.

${markdownTable(['recorded set', ...BETA_HEADER.slice(0, 4)], rows)}`
  },
}

function againstText(file: RecordedMeasurements, printed: Printed, at: number): string {
  const point = fiveBudgetPoint(file.splits, 'total', at)
  if (typeof point === 'string') return `unfit: ${point}`
  const [act, accuracy, used] = printed ?? [0, null, 0]
  const ours = 100 * point.act.mean
  const right = pooledAccuracy(file, at)
  return [
    `${act.toFixed(1)} / ${ours.toFixed(1)} (${signed(ours - act)})`,
    `${accuracy === null ? '–' : accuracy.toFixed(1)} / ${right === null ? '–' : percent(right)}`,
    `${decimal(used)} / ${decimal(point.budgetUsed.mean)}`,
  ].join('; ')
}

/** Over all actions of all halves, as the prototype counts; null without an action. */
function pooledAccuracy({ splits }: RecordedMeasurements, at: number): number | null {
  let acted = 0
  let right = 0
  for (const { policies } of splits) {
    const found = policies.find(({ name }) => name === 'total')
    for (const [, ofKind, rightOfKind] of found?.kind === 'ran' ? found.five[at]!.kinds : []) {
      acted += ofKind
      right += rightOfKind
    }
  }
  return acted === 0 ? null : right / acted
}
