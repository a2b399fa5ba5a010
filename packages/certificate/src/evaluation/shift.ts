import { isRightAt } from '../beliefs/truth.ts'
import type { Budget } from '../budget.ts'
import { questionKeys, type ReadDebates } from '../certificate/read-debates.ts'
import { type Halves, halves } from '../knn/split-halves.ts'
import type { Policy, PolicyName } from '../policies/policy.ts'
import { evaluateSplit } from './evaluate-split.ts'
import type { EvaluatedFile } from './evaluated-file.ts'
import type { GroupShift, Shift } from './evaluation.ts'
import type { GroupTally } from './tally.ts'
import { rateFigures } from './tally-figures.ts'

/**
 * The policies that are tested under a shift: both kinds of our certificates, and the strongest rule that bounds the
 * total.
 */
export const SHIFTED_POLICIES = ['total', 'cells', 'learn-then-test'] as const satisfies readonly PolicyName[]

/** A smaller group shows little about a policy. */
const FEWEST_DEBATES = 20
/** Each group costs one calibration per policy. */
const MOST_GROUPS = 24

/**
 * The groups that are left out one by one: the largest ones, in listing order. Empty if there are fewer than two
 * groups.
 */
export function shiftedGroups({ groups }: Pick<EvaluatedFile, 'groups'>): readonly string[] {
  if (groups.size < 2) return []
  const largest = [...groups]
    .filter(([, count]) => count >= FEWEST_DEBATES)
    .sort(([, left], [, right]) => right - left)
    .slice(0, MOST_GROUPS)
    .map(([group]) => group)
  return [...groups.keys()].filter((group) => largest.includes(group))
}

export interface LeaveOutTask {
  readonly policies: readonly Policy[]
  readonly budgets: readonly Budget[]
  readonly seed: number
  readonly questionOf?: (id: string) => string
}

/** What policies fitted on the other groups did with one group. Small enough to send between processes. */
export interface LeftOutGroup {
  readonly group: string
  /** Whether questions are shared between groups, so that halves of the questions were used. */
  readonly isHalved: boolean
  /** Policies that could not be fitted are missing. */
  readonly policies: readonly {
    readonly name: PolicyName
    /** One for each budget. */
    readonly budgets: readonly GroupTally[]
  }[]
}

/** Fits policies on every group but one and applies them to that one. */
export function leaveGroupOut(read: ReadDebates, group: string, task: LeaveOutTask): LeftOutGroup {
  const { rows, isHalved } = rowsWithout(read, group, task)
  const tested = Array.from(rows.test, (row) => read.debates[row]!)
  const count = (actedAt: Uint8Array): GroupTally => {
    let acted = 0
    let right = 0
    for (const [row, round] of actedAt.entries()) {
      if (round === 0) continue
      acted++
      if (isRightAt(tested[row]!, round)) right++
    }
    return { debates: tested.length, acted, right }
  }
  const runs = rows.train.length === 0 || tested.length === 0 ? [] : evaluateSplit(read, rows, task)
  return {
    group,
    isHalved,
    policies: runs.flatMap((run) =>
      run.kind === 'unfit' ? [] : [{ name: run.name, budgets: run.actions.map(({ actedAt }) => count(actedAt)) }],
    ),
  }
}

/**
 * If a question is asked in several groups, training on the others would reveal it. Then one half of the questions is
 * for training and the other for testing.
 */
function rowsWithout({ debates }: ReadDebates, group: string, { seed, questionOf }: LeaveOutTask) {
  const questions = questionKeys(debates, questionOf)
  const isOwn = (row: number) => debates[row]!.record.group === group
  const all = Uint32Array.from(debates.keys())
  const own = new Set(Array.from(all.filter(isOwn), (row) => questions[row]!))
  const isHalved = all.some((row) => !isOwn(row) && own.has(questions[row]!))
  const { train, test } = isHalved ? halves(questions, seed) : { train: all, test: all }
  const rows: Halves = { train: train.filter((row) => !isOwn(row)), test: test.filter(isOwn) }
  return { rows, isHalved }
}

/** Null if no group was left out. */
export function summariseShift(
  groups: readonly LeftOutGroup[],
  { beta, place }: { readonly beta: number; readonly place: number },
): Shift | null {
  if (groups.length === 0) return null
  const policies = SHIFTED_POLICIES.flatMap((name) => {
    const own = groups.flatMap(({ group, policies }) => {
      const tally = policies.find((policy) => policy.name === name)?.budgets[place]
      return tally === undefined ? [] : [groupShift(group, tally, beta)]
    })
    if (own.length === 0) return []
    const worst = own.reduce((most, { budgetUsed }) => Math.max(most, budgetUsed), 0)
    return [{ name, groups: own, groupsOver: own.filter(({ isOver }) => isOver).length, worstBudgetUsed: worst }]
  })
  return { isHalved: groups.some(({ isHalved }) => isHalved), policies }
}

function groupShift(group: string, tally: GroupTally, beta: number): GroupShift {
  const { act, accuracy, wrongActions } = rateFigures([tally])
  const budgetUsed = wrongActions.mean / beta
  return {
    group,
    n: tally.debates,
    acted: tally.acted,
    right: tally.right,
    act: act.mean,
    accuracy: accuracy?.mean ?? null,
    wrongActions: wrongActions.mean,
    low: wrongActions.low,
    high: wrongActions.high,
    budgetUsed,
    isOver: budgetUsed > 1,
  }
}
