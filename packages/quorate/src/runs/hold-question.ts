import { type Decision, type DeferReason, decide } from '@quorate/certificate'
import type { Ask } from '../debate/ask.ts'
import { type DebateSoFar, debateSoFar } from '../debate/debate-record.ts'
import { type DebateOutcome, runDebate } from '../debate/run-debate.ts'
import type { Question } from '../questions/question.ts'
import type { Deciding } from './deciding.ts'
import type { RunPlan } from './run-plan.ts'

/** `agent-failure`, `time-out` and `spend-cap` say what went wrong, `held` that nothing may act: no judgements. */
export type Verdict =
  | Exclude<Decision, { kind: 'continue' | 'defer' }>
  | {
      readonly kind: 'defer'
      readonly reason: DeferReason | 'agent-failure' | 'time-out' | 'spend-cap' | 'held'
      readonly path: Decision['path']
    }

export type Held =
  /** To be gone on with by whoever resumes the run. */
  | ({ readonly kind: 'paused'; readonly reason: 'spend-cap' | 'interrupted' } & SoFar)
  | {
      readonly kind: 'held'
      readonly debate: DebateSoFar
      readonly status: 'done' | 'agent-failure' | 'time-out'
      readonly failure: { readonly agent: string; readonly round: number } | null
      /** Null where nothing is to be decided. */
      readonly verdict: Verdict | null
      /** Rounds that the verdict was reached on. */
      readonly decidedOn: number
    }

/** Where a paused debate stands. */
export interface SoFar {
  readonly debate: DebateSoFar
  readonly verdict: Verdict | null
  readonly path: Decision['path']
  readonly decidedOn: number
}

export interface Holding {
  readonly plan: Pick<RunPlan, 'panel' | 'seed'>
  readonly deciding: Deciding | null
  readonly ask: Ask
  /** No further round is begun once it has fired. */
  readonly stopping: AbortSignal
  /** Whether the debate's own time is over. */
  readonly isLate: () => boolean
  /** Told after each round what the rounds so far come to. */
  readonly tell?: (debate: DebateSoFar, decision: Decision) => void
}

/** One question through its debate; where it is decided, only as far as the decision or a spot check needs. */
export async function holdQuestion(holding: Holding, question: Question, isDrawn: boolean): Promise<Held> {
  const { plan, deciding, ask, stopping } = holding
  let verdict: Verdict | null = null
  let path: Decision['path'] = []
  let decidedOn = 0
  if (deciding !== null && deciding.upFront !== null) verdict = { kind: 'defer', reason: deciding.upFront, path }
  if (verdict !== null && !isDrawn) {
    return { kind: 'held', debate: debateSoFar(question, []), status: 'done', failure: null, verdict, decidedOn: 0 }
  }
  const outcome = await runDebate({
    ...{ question, panel: plan.panel, seed: plan.seed, ask, signal: stopping },
    afterRound(debate) {
      if (deciding === null || verdict !== null) return { kind: 'continue' }
      const decision = decide(deciding.certified.certificate, debate)
      path = decision.path
      decidedOn = debate.rounds.length
      holding.tell?.(debate, decision)
      if (decision.kind === 'continue') return { kind: 'continue' }
      verdict = decision
      return isDrawn ? { kind: 'continue' } : { kind: 'stop', reason: 'decided' }
    },
  })
  return heldOf(outcome, { holding, verdict, path, decidedOn })
}

interface Reached {
  readonly holding: Holding
  readonly verdict: Verdict | null
  readonly path: Decision['path']
  readonly decidedOn: number
}

function heldOf(outcome: DebateOutcome, { holding, verdict, path, decidedOn }: Reached): Held {
  const { debate } = outcome
  const isLate = outcome.kind === 'halted' && holding.isLate()
  if (outcome.kind === 'halted' && outcome.reason !== 'time-out' && !isLate) {
    return { kind: 'paused', reason: outcome.reason, debate, verdict, path, decidedOn }
  }
  const status = outcome.kind === 'agent-failure' ? outcome.kind : outcome.kind === 'halted' ? 'time-out' : 'done'
  const failure = outcome.kind === 'agent-failure' ? { agent: outcome.agent, round: outcome.round } : null
  if (holding.deciding === null) return { kind: 'held', debate, status, failure, verdict: null, decidedOn }
  // What was decided before the debate failed stays decided: only the rest of a spot check is missing.
  if (verdict !== null) return { kind: 'held', debate, status: 'done', failure, verdict, decidedOn }
  const reason = status === 'done' ? 'bound-low' : status
  return { kind: 'held', debate, status, failure, verdict: { kind: 'defer', reason, path }, decidedOn }
}
