import { type Decision, type DeferReason, decide } from '@quorate/certificate'
import type { Ask } from '../debate/ask.ts'
import { type DebateSoFar, debateSoFar } from '../debate/debate-record.ts'
import { type DebateOutcome, runDebate } from '../debate/run-debate.ts'
import type { Question } from '../record/question.ts'
import { storableText } from '../store/checked-input.ts'
import { strangersIn } from './calibration/served-models.ts'
import type { Notices } from './calls/notices.ts'
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
      readonly failure: { readonly agent: string; readonly round: number; readonly reason?: string } | null
      /** Null where nothing is to be decided. */
      readonly verdict: Verdict | null
      /** Rounds that the verdict was reached on. */
      readonly decidedOn: number
      /** Fields of the fingerprint that turned out to differ during the debate. */
      readonly mismatch: readonly string[]
    }

/** Where a paused debate stands. */
export interface SoFar {
  readonly debate: DebateSoFar
  readonly verdict: Verdict | null
  readonly path: Decision['path']
  readonly decidedOn: number
  readonly mismatch: readonly string[]
}

export interface Holding {
  readonly plan: Pick<RunPlan, 'panel' | 'seed'>
  readonly deciding: Deciding | null
  readonly ask: Ask
  /** No further round is begun once it has fired. */
  readonly stopping: AbortSignal
  readonly notices: Notices
  /** Told after each round what the rounds so far come to. */
  readonly tell?: (debate: DebateSoFar, decision: Decision) => void
}

/** One question through its debate; where it is decided, only as far as the decision or a spot check needs. */
export async function holdQuestion(holding: Holding, question: Question, isDrawn: boolean): Promise<Held> {
  const { plan, deciding, ask, stopping } = holding
  let verdict: Verdict | null = null
  let path: Decision['path'] = []
  let decidedOn = 0
  let mismatch: readonly string[] = []
  if (deciding !== null && deciding.upFront !== null) verdict = { kind: 'defer', reason: deciding.upFront, path }
  if (verdict !== null && !isDrawn) {
    const debate = debateSoFar(question, [])
    return { kind: 'held', debate, status: 'done', failure: null, verdict, decidedOn: 0, mismatch: [] }
  }
  const outcome = await runDebate({
    ...{ question, panel: plan.panel, seed: plan.seed, ask, signal: stopping },
    afterRound(debate) {
      if (deciding === null || verdict !== null) return { kind: 'continue' }
      decidedOn = debate.rounds.length
      if (hasStrangers(debate, deciding, holding.notices)) mismatch = ['served']
      if (mismatch.length > 0 && !deciding.allowMismatch) {
        verdict = { kind: 'defer', reason: 'uncalibrated', path }
        return isDrawn ? { kind: 'continue' } : { kind: 'stop', reason: 'decided' }
      }
      const decision = decide(deciding.certified.certificate, debate)
      path = decision.path
      holding.tell?.(debate, decision)
      if (decision.kind === 'continue') return { kind: 'continue' }
      verdict = decision
      return isDrawn ? { kind: 'continue' } : { kind: 'stop', reason: 'decided' }
    },
  })
  return heldOf(outcome, { holding, verdict, path, decidedOn, mismatch })
}

interface Reached {
  readonly holding: Holding
  readonly verdict: Verdict | null
  readonly path: Decision['path']
  readonly decidedOn: number
  readonly mismatch: readonly string[]
}

/** Whether somebody answered who did not in the calibration; a person is told once. */
function hasStrangers(debate: DebateSoFar, { certified, allowMismatch }: Deciding, notices: Notices): boolean {
  const strangers = strangersIn(debate, certified.served)
  for (const { agent, id } of strangers) {
    const known = [...(certified.served.get(agent) ?? [])].join(', ')
    const next = allowMismatch ? 'decided all the same (--allow-mismatch)' : 'deferred: calibrate again with it'
    notices.tell(`agent ${agent} was answered by ${id}, the certificate is about ${known}; ${next}`)
  }
  return strangers.length > 0
}

function heldOf(outcome: DebateOutcome, { holding, verdict, path, decidedOn, mismatch }: Reached): Held {
  const { debate } = outcome
  if (outcome.kind === 'halted' && outcome.reason !== 'time-out') {
    return { kind: 'paused', reason: outcome.reason, debate, verdict, path, decidedOn, mismatch }
  }
  const status = outcome.kind === 'agent-failure' ? outcome.kind : outcome.kind === 'halted' ? 'time-out' : 'done'
  if (outcome.kind === 'agent-failure') holding.notices.tell(`agent ${outcome.agent} failed: ${outcome.reason}`)
  const failure = outcome.kind === 'agent-failure' ? failureOf(outcome) : null
  if (holding.deciding === null) return { kind: 'held', debate, status, failure, verdict: null, decidedOn, mismatch }
  // What was decided before the debate failed stays decided: only the rest of a spot check is missing.
  if (verdict !== null) return { kind: 'held', debate, status: 'done', failure, verdict, decidedOn, mismatch }
  const reason = status === 'done' ? 'bound-low' : status
  return { kind: 'held', debate, status, failure, verdict: { kind: 'defer', reason, path }, decidedOn, mismatch }
}

const MOST_REASON = 1000

/** With the words of the provider, which redaction takes out again. */
function failureOf({ agent, round, reason }: Extract<DebateOutcome, { kind: 'agent-failure' }>) {
  return { agent, round, reason: storableText(reason.slice(0, MOST_REASON)) }
}
