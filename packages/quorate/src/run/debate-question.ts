import { type Decision, type DeferReason, decide } from '@quorate/certificate'
import type { Ask, PauseReason } from '../debate/ask.ts'
import { type DebateSoFar, debateSoFar } from '../debate/debate-record.ts'
import { type DebateOutcome, runDebate } from '../debate/run-debate.ts'
import type { Question } from '../record/question.ts'
import { storableText } from '../store/checked-input.ts'
import type { Sleep } from '../traffic/traffic.ts'
import { unexpectedModels } from './calibration/served-models.ts'
import type { Notices } from './calls/notices.ts'
import { payForCalls } from './calls/pay-for-call.ts'
import type { Deciding } from './deciding.ts'
import type { RunContext } from './run-context.ts'

/** `agent-failure`, `time-out` and `spend-cap` say what went wrong, `held` that the policy is suspended: no judgements. */
export type Verdict =
  | Exclude<Decision, { kind: 'continue' | 'defer' }>
  | {
      readonly kind: 'defer'
      readonly reason: DeferReason | 'agent-failure' | 'time-out' | 'spend-cap' | 'suspended'
      readonly path: Decision['path']
    }

/** What a debate came to. */
export type Debated = DebatedQuestion | PausedDebate

export interface DebatedQuestion {
  readonly kind: 'debated'
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

/** A debate that the process which resumes the run continues. */
export interface PausedDebate extends Pick<DebatedQuestion, 'debate' | 'verdict' | 'decidedOn' | 'mismatch'> {
  readonly kind: 'paused'
  readonly reason: PauseReason
  readonly path: Decision['path']
}

export interface DebateQuestionOptions {
  readonly question: Question
  /** True: all rounds are debated, whatever is decided, for a spot check. */
  readonly isSampled: boolean
  /** How agents are asked. Absent: by calls that the run pays for. */
  readonly ask?: Ask | undefined
  /** Called after each round with what the rounds so far come to. */
  readonly onRound?: ((debate: DebateSoFar, decision: Decision) => void) | undefined
  /** Fires when the debate is to pause: no further call is sent, and calls in flight finish. Absent: only with the run. */
  readonly pausing?: AbortSignal | undefined
}

/** One question through its debate. A question that is decided stops there, unless it is sampled for a spot check. */
export async function debateQuestion(
  run: RunContext,
  { question, isSampled, ask, onRound, pausing }: DebateQuestionOptions,
): Promise<Debated> {
  const { plan, deciding, calls, tools } = run
  const found: Found = { verdict: null, path: [], decidedOn: 0, mismatch: [] }
  if (deciding !== null && deciding.upFront !== null) {
    found.verdict = { kind: 'defer', reason: deciding.upFront, path: [] }
    if (!isSampled) return debated(found, { debate: debateSoFar(question, []), status: 'done', failure: null })
  }
  const stopping = pausing === undefined ? tools.stopping : AbortSignal.any([tools.stopping, pausing])
  const deadline = startDeadline(plan.limits.debateTimeoutMs, tools)
  try {
    const outcome = await runDebate({
      question,
      panel: plan.panel,
      seed: plan.seed,
      ask: ask ?? payForCalls(pausing === undefined ? calls : { ...calls, stopping }, deadline.signal),
      signal: stopping,
      aroundTurn: run.telemetry?.agent,
      afterRound(debate) {
        tools.warning?.count(newTurns(debate))
        if (tools.warning?.found()?.kind === 'unreadable') return { kind: 'stop', reason: UNREADABLE }
        if (deciding === null || found.verdict !== null) return { kind: 'continue' }
        assess(found, { debate, deciding, notices: calls.notices, onRound })
        return found.verdict === null || isSampled ? { kind: 'continue' } : { kind: 'stop', reason: 'decided' }
      },
    })
    return outcomeOf(run, outcome, found)
  } finally {
    deadline.end()
  }
}

const UNREADABLE = 'unreadable' satisfies PauseReason

/** Those of the last round; a growing panel repeats the turns of the rounds before. */
function newTurns({ rounds }: DebateSoFar): DebateSoFar['rounds'][number] {
  const [last = [], before = []] = [rounds.at(-1), rounds.at(-2)]
  return last.length > before.length ? last.slice(before.length) : last
}

/** What the rounds so far came to; changes from round to round. */
interface Found {
  verdict: Verdict | null
  path: Decision['path']
  decidedOn: number
  mismatch: readonly string[]
}

interface Assessed extends Pick<DebateQuestionOptions, 'onRound'> {
  readonly debate: DebateSoFar
  readonly deciding: Deciding
  readonly notices: Notices
}

/** The bound after a round, and the verdict where it decides. */
function assess(found: Found, { debate, deciding, notices, onRound }: Assessed): void {
  found.decidedOn = debate.rounds.length
  if (hasUnexpectedModels(debate, deciding, notices)) found.mismatch = ['served']
  if (found.mismatch.length > 0 && !deciding.allowMismatch) {
    found.verdict = { kind: 'defer', reason: 'uncalibrated', path: found.path }
    return
  }
  const decision = decide(deciding.certified.certificate, debate)
  found.path = decision.path
  onRound?.(debate, decision)
  if (decision.kind !== 'continue') found.verdict = decision
}

/** Whether a model answered that did not in the calibration. The notice is reported once. */
function hasUnexpectedModels(debate: DebateSoFar, { certified, allowMismatch }: Deciding, notices: Notices): boolean {
  const unexpected = unexpectedModels(debate, certified.served)
  for (const { agent, id } of unexpected) {
    const known = [...(certified.served.get(agent) ?? [])].join(', ')
    const next = allowMismatch ? 'decided all the same (--allow-mismatch)' : 'deferred: calibrate again with it'
    notices.add(`agent ${agent} was answered by ${id}, the certificate is about ${known}; ${next}`)
  }
  return unexpected.length > 0
}

function outcomeOf({ deciding, calls }: RunContext, outcome: DebateOutcome, found: Found): Debated {
  const { debate } = outcome
  if (outcome.kind === 'stopped' && outcome.reason === UNREADABLE) {
    return { kind: 'paused', reason: UNREADABLE, debate, ...found }
  }
  if (outcome.kind === 'halted' && outcome.reason !== 'time-out') {
    return { kind: 'paused', reason: outcome.reason, debate, ...found }
  }
  const status = outcome.kind === 'agent-failure' ? outcome.kind : outcome.kind === 'halted' ? 'time-out' : 'done'
  if (outcome.kind === 'agent-failure') calls.notices.add(`agent ${outcome.agent} failed: ${outcome.reason}`)
  const failure = outcome.kind === 'agent-failure' ? failureOf(outcome) : null
  if (deciding === null) return debated(found, { debate, status, failure })
  // A verdict that was reached before the debate failed stays: only the rest of a spot check is missing.
  if (found.verdict !== null) return debated(found, { debate, status: 'done', failure })
  found.verdict = { kind: 'defer', reason: status === 'done' ? 'bound-low' : status, path: found.path }
  return debated(found, { debate, status, failure })
}

function debated(
  { verdict, decidedOn, mismatch }: Found,
  ended: Pick<DebatedQuestion, 'debate' | 'status' | 'failure'>,
): DebatedQuestion {
  return { kind: 'debated', ...ended, verdict, decidedOn, mismatch }
}

const MOST_REASON = 1000

/** With the words of the provider, which redaction takes out again. */
function failureOf({ agent, round, reason }: Extract<DebateOutcome, { kind: 'agent-failure' }>) {
  return { agent, round, reason: storableText(reason.slice(0, MOST_REASON)) }
}

/** The time limit of one debate. Its signal fires when the time is over, or when all calls are to end. */
function startDeadline(
  milliseconds: number,
  { sleep, aborting }: { readonly sleep: Sleep; readonly aborting: AbortSignal },
): { readonly signal: AbortSignal; end(): void } {
  const stop = new AbortController()
  const done = new AbortController()
  const pass = () => stop.abort(aborting.reason)
  if (aborting.aborted) pass()
  else aborting.addEventListener('abort', pass, { once: true })
  void sleep(milliseconds, done.signal).then(() => {
    // The name that everybody knows a deadline by.
    if (!done.signal.aborted) stop.abort(new DOMException('the debate took too long', 'TimeoutError'))
  })
  return {
    signal: stop.signal,
    end() {
      done.abort()
      aborting.removeEventListener('abort', pass)
    },
  }
}
