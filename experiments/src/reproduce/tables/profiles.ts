import { ACTIONS_TO_JUDGE, judgedKinds, judgingFloor, kindFigures } from '@quorate/certificate'
import { decimal, markdownTable, percent } from '../../tables/markdown.ts'
import { FIVE_BUDGETS } from '../measure/budgets.ts'
import { meanOf } from '../measure/outcome.ts'
import { COMPARED_FILES, COMPARED_POLICIES } from '../measure/worlds.ts'
import type { RecordedMeasurements } from '../tasks.ts'
import { fiveBudgetPoint } from './recorded.ts'
import type { Table } from './table.ts'

type ComparedPolicy = (typeof COMPARED_POLICIES)[number]

const BETA_HEADER = FIVE_BUDGETS.map(({ beta }) => `beta ${decimal(beta)}`)

/** The profiles that a user chooses from, on every recorded set, judged by kind of debate. */
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

/** Among the kinds with enough actions in a test half, those that are right less often than the floor. */
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
