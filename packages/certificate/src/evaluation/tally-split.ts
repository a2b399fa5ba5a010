import type { ReadDebate, ReadDebates } from '../certificate/read-debates.ts'
import type { Halves } from '../knn/split-halves.ts'
import { consensusPolicy } from '../policies/fixed-rules.ts'
import type { Policy, PolicyActions, PolicyName } from '../policies/policy.ts'
import { evaluateSplit, type PolicyRun, type SplitTask } from './evaluate-split.ts'
import type { ComputeMatched } from './evaluation.ts'
import { type Protocol, type Tally, tallyActions } from './tally.ts'

/** The counts of one split, small enough to send between threads. */
export interface SplitTally {
  readonly seed: number
  readonly policies: readonly PolicyTally[]
  /** Rules without a promise that end every debate at a round cap. */
  readonly capped: readonly CappedTallies[]
}

export type PolicyTally =
  | { readonly kind: 'ran'; readonly name: PolicyName; readonly budgets: readonly BudgetTally[] }
  | { readonly kind: 'unfit'; readonly name: PolicyName; readonly reason: string }

/** What a policy did under one budget. */
export interface BudgetTally extends Omit<PolicyActions, 'actedAt'> {
  readonly tally: Tally
}

export interface CappedTallies {
  readonly name: ComputeMatched['name']
  /** One per round cap, from round 1. */
  readonly tallies: readonly Tally[]
}

export interface TallyTask extends SplitTask {
  readonly protocol: Protocol
  /** The rule that is evaluated at every round cap in addition to the majority; `consensus` by default. */
  readonly consensus?: Policy
  /** Called with the decisions of every fitted policy under every budget, debate by debate. */
  readonly decided?: (decisions: HalfDecisions) => void
}

/** What one policy did under one budget with the debates of a test half. */
export interface HalfDecisions {
  readonly policy: PolicyName
  readonly beta: number
  readonly debates: readonly ReadDebate[]
  /** Round of the action of each debate; 0 for a deferral. */
  readonly actedAt: Uint8Array
}

/** Evaluates one split and counts what every policy did. */
export function tallySplit(read: ReadDebates, halves: Halves, tallyTask: TallyTask): SplitTally {
  const { protocol, consensus = consensusPolicy, decided, ...task } = tallyTask
  const debates = Array.from(halves.test, (row) => read.debates[row]!)
  const runs = evaluateSplit(read, halves, task)
  for (const run of runs) {
    if (run.kind === 'unfit') continue
    for (const [place, { actedAt }] of run.actions.entries()) {
      decided?.({ policy: run.name, beta: task.budgets[place]!.beta, debates, actedAt })
    }
  }
  const isListed = task.policies.some(({ name }) => name === consensus.name)
  const [consenting] = isListed
    ? runs.filter(({ name }) => name === consensus.name)
    : evaluateSplit(read, halves, { ...task, policies: [consensus] })
  const capped = (name: CappedTallies['name'], actedAt: (cap: number) => ArrayLike<number>): CappedTallies => ({
    name,
    tallies: (debates[0]?.rounds ?? []).map((_, index) =>
      tallyActions(debates, actedAt(index + 1), { protocol, cap: index + 1 }),
    ),
  })
  const agreed = consenting?.kind === 'ran' ? consenting.actions[0]?.actedAt : undefined
  return {
    seed: task.seed,
    policies: runs.map((run) => policyTally(run, (actedAt) => tallyActions(debates, actedAt, { protocol }))),
    capped: [
      capped('majority-final', (cap) => new Uint8Array(debates.length).fill(cap)),
      ...(agreed === undefined ? [] : [capped('consensus', () => agreed)]),
    ],
  }
}

function policyTally(run: PolicyRun, count: (actedAt: Uint8Array) => Tally): PolicyTally {
  if (run.kind === 'unfit') return run
  const budgets = run.actions.map(({ actedAt, ...tuned }) => ({ ...tuned, tally: count(actedAt) }))
  return { kind: 'ran', name: run.name, budgets }
}
