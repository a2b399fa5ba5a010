import type { DecisionView, VerdictFigures } from '../contract/decisions.ts'
import type { DecisionRecord, DeferReason, StepRecord } from '../record/decision.ts'
import type { Question } from '../record/question.ts'
import { RunError } from '../run/run-plan.ts'
import type { Identity } from '../server/access/identity.ts'
import { ProblemError } from '../server/problem-response.ts'
import type { DecisionService } from '../server/services.ts'
import { joinSentences } from '../text/error-sentence.ts'
import { plainText } from '../text/plain-text.ts'
import { questionLine } from './panel-questions.ts'

/** Act on the answer, or let a person review the question. */
export type PanelDecision = PanelAction | PanelDeferral

export interface PanelAction extends DecidedAnswer {
  readonly kind: 'act'
  /** Name of the option or, for open answers, of the class. */
  readonly answer: string
  /** The answer itself if answers are open, otherwise the name of the option. */
  readonly answerText: string
  /** A lower bound on how often answers like this one are right. */
  readonly bound: number
}

export interface PanelDeferral extends DecidedAnswer {
  readonly kind: 'defer'
  readonly reason: DeferReason
  readonly reasonText: string
  /** More about the reason; null: nothing more is known. */
  readonly detail: string | null
  /** Id of the item of the review queue in which a person decides it; null: there is none. */
  readonly reviewId: string | null
}

interface DecidedAnswer extends Pick<DecisionRecord, 'id' | 'runId' | 'questionId' | 'round'> {
  readonly certificateId: string | null
  readonly threshold: number
  /** The arithmetic, round by round. */
  readonly path: readonly StepRecord[]
}

/** The identity of this program, which acts for the person who runs the process. */
const PROGRAM: Identity = Object.freeze({ name: 'program', role: 'admin', kind: 'machine', isLocal: true })
const WAIT_MS = 60_000

/** Asks a question and waits for its decision. The question is in the store, so it is not lost if the caller stops waiting. */
export async function askDecision(
  decisions: DecisionService,
  question: Question,
  signal: AbortSignal,
): Promise<PanelDecision> {
  signal.throwIfAborted()
  const { id, question: text, options, group } = questionLine(question)
  // Of columns with the same title, rules read the first. `fromEntries` would keep the last.
  const fields = question.columns && Object.fromEntries(question.columns.toReversed())
  const asked = { id, question: text, options, group, fields }
  let view = await decisions.ask(asked, { who: PROGRAM, idempotencyKey: null }).catch((error: unknown) => {
    throw error instanceof ProblemError ? refusalOf(error) : error
  })
  while (view.decision === null && view.status !== 'failed') {
    if (signal.aborted) throw stillPending(question, signal)
    const found = await decisions.find(view.id, { waitMs: WAIT_MS, signal })
    if (found === null)
      throw new Error(`panel.decide: decision ${view.id} is not in the store. This is a defect. Please report it`)
    view = found
  }
  if (view.decision !== null) return decisionOf(view, view.decision)
  throw new RunError(
    `the question ${named(question)} could not be decided. The reason was reported. It stays in the store, and the next ` +
      'panel with this config and certificate continues it',
  )
}

function decisionOf(view: DecisionView, verdict: VerdictFigures): PanelDecision {
  const { id, runId, questionId, certificate: certificateId, reviewId } = view
  const { kind, answer, answerText, bound, reason, reasonText, detail = null, round, threshold, path } = verdict
  const decided = { id, runId, questionId, certificateId, round, threshold, path }
  if (kind === 'act' && answer !== null && bound !== null)
    return { kind, answer, answerText: answerText ?? answer, bound, ...decided }
  if (kind === 'defer' && reason !== null) {
    return { kind, reason, reasonText: reasonText ?? reason, detail, reviewId, ...decided }
  }
  throw new Error(`panel.decide: expected an action or a deferral, got ${kind}. This is a defect. Please report it`)
}

/** The message of a server's refusal, without its HTTP parts. */
function refusalOf({ parts: { detail, next, errors = [] } }: ProblemError): RunError {
  const fields = errors.map(({ field, expected }) => `${field} must be ${expected}`).join(', ')
  return new RunError(joinSentences([detail, fields, next ?? '']))
}

function stillPending(question: Question, { reason }: AbortSignal): RunError {
  return new RunError(
    `Cancelled: no caller waits for the question ${named(question)}. It stays in the store, and asking it again continues it`,
    { cause: reason },
  )
}

function named({ id }: Question): string {
  return JSON.stringify(plainText(id))
}
