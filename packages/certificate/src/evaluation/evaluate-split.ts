import type { Budget } from '../budget.ts'
import type { ReadDebates } from '../certificate/read-debates.ts'
import type { Halves } from '../knn/split-halves.ts'
import type { Policy, PolicyActions, PolicyName, PolicyOptions } from '../policies/policy.ts'

export interface SplitTask extends PolicyOptions {
  readonly policies: readonly Policy[]
  readonly budgets: readonly Budget[]
  /** Called with the name of each policy before it is fitted. */
  readonly progress?: (name: PolicyName) => void
}

/** The actions of one policy on the test half, or why it could not be fitted on the training half. */
export type PolicyRun =
  | { readonly kind: 'ran'; readonly name: PolicyName; readonly actions: readonly PolicyActions[] }
  | { readonly kind: 'unfit'; readonly name: PolicyName; readonly reason: string }

/** Fits every policy on the training half and applies it to the test half, with one set of actions per budget. */
export function evaluateSplit(read: ReadDebates, { train, test }: Halves, task: SplitTask): PolicyRun[] {
  const { policies, budgets, progress, ...options } = task
  const training = rowsOf(read, train)
  const tested = rowsOf(read, test)
  return policies.map((policy): PolicyRun => {
    const { name } = policy
    progress?.(name)
    const fitted = policy.fit(training, options)
    if (fitted.kind === 'unfit') return { kind: 'unfit', name, reason: fitted.reason }
    const replay = fitted.replay(tested)
    return { kind: 'ran', name, actions: budgets.map((budget) => replay.at(budget)) }
  })
}

function rowsOf({ reading, debates }: ReadDebates, rows: Uint32Array): ReadDebates {
  return { reading, debates: Array.from(rows, (row) => debates[row]!) }
}
