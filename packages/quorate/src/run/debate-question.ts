import { type Decision, decide, hasLabel } from '@quorate/certificate'
import type { Ask, PauseReason } from '../debate/ask.ts'
import { type DebateSoFar, debateSoFar } from '../debate/debate-record.ts'
import { gradeByModel, missingGrades } from '../debate/judge.ts'
import { type DebateOutcome, runDebate } from '../debate/run-debate.ts'
import type { DecisionRecord, DeferReason } from '../record/decision.ts'
import { GRADER } from '../record/judge-settings.ts'
import type { Question } from '../record/question.ts'
import { isAlwaysReviewed } from '../record/review-rules.ts'
import { storableText } from '../store/checked-input.ts'
import type { Sleep } from '../traffic/traffic.ts'
import { unexpectedModels } from './calibration/served-models.ts'
import type { Notices } from './calls/notices.ts'
import { payForCalls } from './calls/pay-for-call.ts'
import type { Deciding } from './deciding.ts'
import type { QuestionContext } from './run-context.ts'

/** A decision of the certificate, or the reason why the question goes to a person without one. */
export type Verdict =
  | Extract<Decision, { kind: 'act' }>
  | { readonly kind: 'defer'; readonly reason: DeferReason; readonly path: Decision['path'] }

/** The fields of a decision's record that only the debate shows. */
export type Findings = Pick<DecisionRecord, 'mismatch'>

/** What is known before the first round, and about a debate of somebody else's panel. */
export const NO_FINDINGS: Findings = Object.freeze({ mismatch: [] })

/** The outcome of a debate. */
export type Debated = DebatedQuestion | PausedDebate

export interface DebatedQuestion {
  readonly kind: 'debated'
  readonly debate: DebateSoFar
  readonly status: 'done' | 'agent-failure' | 'time-out'
  readonly failure: { readonly agent: string | null; readonly round: number; readonly reason?: string } | null
  /** Null if the run only debates. */
  readonly verdict: Verdict | null
  /** How many rounds the verdict is based on. */
  readonly decidedOn: number
  readonly findings: Findings
}

/** A debate that stopped and is continued when the run is resumed. */
export interface PausedDebate extends Pick<DebatedQuestion, 'debate' | 'verdict' | 'decidedOn' | 'findings'> {
  readonly kind: 'paused'
  readonly reason: PauseReason
  readonly path: Decision['path']
}

export interface DebateQuestionOptions {
  readonly question: Question
  /** For a spot check all rounds are debated, even after the decision. */
  readonly isSpotCheck: boolean
  /** How agents are asked. Absent: with calls that the run pays for. */
  readonly ask?: Ask | undefined
  /** Called after each round with the debate and the decision so far. */
  readonly onRound?: ((debate: DebateSoFar, decision: Decision) => void) | undefined
  /** Fires when the debate must pause: no further call is sent, and calls in flight finish. Absent: only the run pauses it. */
  readonly pausing?: AbortSignal | undefined
}

/** Debates one question. The debate stops when the question is decided, unless it is sampled for a spot check. */
export async function debateQuestion(
  run: QuestionContext,
  { question, isSpotCheck, ask, onRound, pausing }: DebateQuestionOptions,
): Promise<Debated> {
  const { plan, deciding, calls, tools } = run
  let found: FoundSoFar = { verdict: null, path: [], decidedOn: 0, findings: NO_FINDINGS }
  // A rule of the config sends this question to a person. The panel is not asked, even for a spot check, because nothing is
  // acted on that a spot check could find wrong.
  const isRuled = deciding !== null && isAlwaysReviewed(plan.panel.alwaysReview, question)
  if (deciding !== null && (deciding.upFront !== null || isRuled)) {
    found = { ...found, verdict: { kind: 'defer', reason: deciding.upFront ?? 'always-review', path: [] } }
    if (!isSpotCheck || isRuled)
      return endedDebate(found, { debate: debateSoFar(question, []), status: 'done', failure: null })
  }
  const warned = tools.warning?.found() ?? null
  if (warned !== null) return { kind: 'paused', reason: warned.kind, debate: debateSoFar(question, []), ...found }
  const stopping = pausing === undefined ? tools.stopping : AbortSignal.any([tools.stopping, pausing])
  const deadline = startDeadline(plan.limits.debateTimeoutMs, tools)
  try {
    const asking = {
      question,
      panel: plan.panel,
      seed: plan.seed,
      ask: ask ?? payForCalls(pausing === undefined ? calls : { ...calls, stopping }, deadline.signal),
      onJudged: (turn: DebateSoFar['rounds'][number][number]) => tools.warning?.count([turn]),
    }
    const outcome = await runDebate({
      ...asking,
      signal: stopping,
      aroundTurn: run.telemetry?.agent,
      afterRound(debate) {
        tools.warning?.count(newTurns(debate))
        if (tools.warning?.found()?.kind === 'unreadable') return { kind: 'stop', reason: UNREADABLE }
        if (deciding === null || found.verdict !== null) return { kind: 'continue' }
        found = assess(found, debate, deciding, calls.notices, onRound)
        return found.verdict === null || isSpotCheck ? { kind: 'continue' } : { kind: 'stop', reason: 'decided' }
      },
    })
    const debated = outcomeOf(run, outcome, found)
    return await graded(run, debated, asking)
  } finally {
    deadline.end()
  }
}

/**
 * Adds the grades of the config's model. It grades only in runs that only debate, and only debates without a label. If the
 * grader fails, its grades count for nothing, and the question can be asked again. The grader is not asked about a debate that
 * timed out or failed.
 */
async function graded(
  run: QuestionContext,
  debated: Debated,
  asking: Parameters<typeof gradeByModel>[0],
): Promise<Debated> {
  const { plan, deciding, calls } = run
  if (debated.kind !== 'debated' || deciding !== null || plan.panel.grader === undefined) return debated
  if (debated.debate.rounds.length === 0 || hasLabel(debated.debate)) return debated
  // Without grades, calibration would leave out a debate that broke off, although its first rounds could have been acted on.
  if (debated.status !== 'done') {
    return { ...debated, debate: { ...debated.debate, grades: await missingGrades(plan.panel, debated.debate) } }
  }
  const { grades, failure } = await gradeByModel(asking, debated.debate)
  if (failure?.kind === 'halted' && failure.reason !== 'time-out') {
    const { debate, verdict, decidedOn, findings } = debated
    return { kind: 'paused', reason: failure.reason, path: [], debate, verdict, decidedOn, findings }
  }
  const debate = { ...debated.debate, grades }
  if (failure === null) return { ...debated, debate }
  const round = debate.rounds.length
  const words = failure.kind === 'down' ? failure.reason : 'the time of the debate was over'
  calls.notices.add(`the grader failed: ${words}`)
  const reason = storableText(words.slice(0, MOST_REASON))
  return { ...debated, debate, status: 'agent-failure', failure: { agent: GRADER, round, reason } }
}

const UNREADABLE = 'unreadable' satisfies PauseReason

/** The new turns of the last round. A growing panel repeats the turns of the round before. */
function newTurns({ rounds }: DebateSoFar): DebateSoFar['rounds'][number] {
  const [last = [], before = []] = [rounds.at(-1), rounds.at(-2)]
  return last.length > before.length ? last.slice(before.length) : last
}

/** The result after a round. */
type FoundSoFar = Pick<PausedDebate, 'verdict' | 'path' | 'decidedOn' | 'findings'>

/** Computes the bound after a round. The result has a verdict if the bound decides. */
function assess(
  found: FoundSoFar,
  debate: DebateSoFar,
  deciding: Deciding,
  notices: Notices,
  onRound: DebateQuestionOptions['onRound'],
): FoundSoFar {
  const decidedOn = debate.rounds.length
  const { path } = found
  const mismatch = hasUnexpectedModels(debate, deciding, notices) ? ['served'] : found.findings.mismatch
  const findings = { mismatch }
  if (mismatch.length > 0 && !deciding.allowMismatch) {
    return { verdict: { kind: 'defer', reason: 'uncalibrated', path }, path, decidedOn, findings }
  }
  const decision = decide(deciding.certified.certificate, debate)
  onRound?.(debate, decision)
  return { verdict: decision.kind === 'continue' ? null : decision, path: decision.path, decidedOn, findings }
}

/** Whether a model answered that did not answer during calibration. Adds a notice for each such model. */
function hasUnexpectedModels(debate: DebateSoFar, { certified, allowMismatch }: Deciding, notices: Notices): boolean {
  const unexpected = unexpectedModels(debate, certified.served)
  for (const { agent, id } of unexpected) {
    const known = [...(certified.served.get(agent) ?? [])].join(', ')
    const next = allowMismatch ? 'Decided anyway (--allow-mismatch)' : 'Deferred. Calibrate again with this model'
    notices.add(`agent ${agent} was answered by ${id}, but the certificate is about ${known}. ${next}`)
  }
  return unexpected.length > 0
}

function outcomeOf({ deciding, calls }: QuestionContext, outcome: DebateOutcome, found: FoundSoFar): Debated {
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
  if (deciding === null) return endedDebate(found, { debate, status, failure })
  // A verdict that was reached before the debate failed stays, because only the rest of a spot check is missing.
  if (found.verdict !== null) return endedDebate(found, { debate, status: 'done', failure })
  const verdict = { kind: 'defer', reason: status === 'done' ? 'bound-low' : status, path: found.path } as const
  return endedDebate({ ...found, verdict }, { debate, status, failure })
}

function endedDebate(
  { verdict, decidedOn, findings }: FoundSoFar,
  ended: Pick<DebatedQuestion, 'debate' | 'status' | 'failure'>,
): DebatedQuestion {
  return { kind: 'debated', ...ended, verdict, decidedOn, findings }
}

const MOST_REASON = 1000

/** The reason may quote the provider, so redaction erases it. */
function failureOf({ agent, round, reason }: Extract<DebateOutcome, { kind: 'agent-failure' }>) {
  return { agent, round, reason: storableText(reason.slice(0, MOST_REASON)) }
}

/** The time limit of one debate. Its signal fires when the time is over, or when all calls must end. */
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
    // The standard name of an error for a deadline.
    if (!done.signal.aborted) stop.abort(new DOMException('the debate took too long', 'TimeoutError'))
  })
  return {
    signal: stop.signal,
    end() {
      // Without a reason, an error object would be created for each debate.
      done.abort('done')
      aborting.removeEventListener('abort', pass)
    },
  }
}
