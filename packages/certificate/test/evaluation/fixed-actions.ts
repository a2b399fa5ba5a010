import type { Debate } from '../../src/beliefs/debate.ts'
import type { Policy, PolicyName } from '../../src/policies/policy.ts'

/** A policy with given actions by the id of the debate. Debates that are not named are deferred. */
export function fixedPolicy(name: PolicyName, rounds: ReadonlyMap<string, number>): Policy {
  return {
    name,
    summary: 'acts where it is told',
    fit: () => ({
      kind: 'fitted',
      at: () => ({ ...TUNED, actsAt: ({ record }, round) => rounds.get(record.id) === round }),
      replay: ({ debates }) => ({
        at: ({ delta }) => ({
          ...TUNED,
          delta,
          actedAt: Uint8Array.from(debates, ({ record }) => rounds.get(record.id) ?? 0),
        }),
      }),
    }),
  }
}

export function unfitPolicy(name: PolicyName, reason: string): Policy {
  return { name, summary: 'cannot be fitted', fit: () => ({ kind: 'unfit', reason }) }
}

const TUNED = { delta: 0.03, epsilon: null, threshold: 0.9 } as const

export interface Outcome {
  readonly id: string
  readonly group: string | null
  /** Whether the panel's answer after each round is right. */
  readonly right: readonly boolean[]
  /** Agents asked in each round. */
  readonly agents: readonly number[]
}

/** A debate whose rounds are right and wrong as in the outcome. */
export function debateOf({ id, group, right, agents }: Outcome): Debate {
  return {
    id,
    group,
    options: ['A', 'B'],
    gold: 'A',
    rounds: right.map((isRight, round) =>
      Array.from({ length: agents[round]! }, (_, agent) => ({ agent: `agent ${agent}`, answer: isRight ? 'A' : 'B' })),
    ),
  }
}
