import type { Decision } from '@quorate/certificate'
import type { OperatingPoint } from '../report/operating-point.ts'
import type { SimulatedDebate } from '../simulated/simulate-debate.ts'
import { majorityAnswer } from './majority.ts'

/** A test debate and what was decided about it. */
export interface Decided {
  readonly debate: SimulatedDebate
  readonly decision: Decision
}

export function measureDecisions(decided: readonly Decided[]): Measured {
  return measure(
    decided.map(({ debate, decision }) =>
      decision.kind === 'act'
        ? { debate, answer: decision.answer, rounds: decision.round }
        : { debate, answer: undefined, rounds: debate.rounds.length },
    ),
  )
}

/** Acting on everything: the majority's answer after `round` rounds. */
export function measureMajority(debates: readonly SimulatedDebate[], round: number): Measured {
  return measure(
    debates.map((debate) => ({ debate, answer: majorityAnswer(debate.rounds[round - 1] ?? []), rounds: round })),
  )
}

export type Measured = Omit<OperatingPoint, 'name'>

interface Outcome {
  readonly debate: SimulatedDebate
  /** Undefined where nothing was acted on. */
  readonly answer: string | undefined
  readonly rounds: number
}

function measure(outcomes: readonly Outcome[]): Measured {
  const acted = outcomes.filter(({ answer }) => answer !== undefined)
  return {
    questions: outcomes.length,
    acted: acted.length,
    wrong: acted.filter(({ answer, debate }) => answer !== debate.gold).length,
    rounds: outcomes.reduce((sum, { rounds }) => sum + rounds, 0),
  }
}
