import { fingerprintDifferences } from '@quorate/certificate'
import type { DecisionView } from '../../contract/decisions.ts'
import { commonAnswers, readQuestion } from '../../questions/read-question.ts'
import type { Caller } from '../../record/decision.ts'
import { type Question, withFields } from '../../record/question.ts'
import { comparedFingerprint, isSeen } from '../../run/deciding.ts'
import { questionRows } from '../../run/pages.ts'
import type { RunContext } from '../../run/run-context.ts'
import type { RunPlan } from '../../run/run-plan.ts'
import {
  fieldsText,
  readDecisionId,
  readStoredQuestion,
  writeIntake,
  writeQuestion,
} from '../../run/stored-question.ts'
import type { RunQuestion } from '../../store/store.ts'
import { callerOf } from '../access/identity.ts'
import { ProblemError, serverStopping } from '../problem-response.ts'
import type { DecisionEvent, DecisionService, QuestionRequest, ServiceTools } from '../services.ts'
import type { CertificateCache } from './certificate-cache.ts'
import { createDebates, type DebateService } from './debate-service.ts'
import { nextChange, type PendingQuestion, pendingQuestion, type ServedRun } from './pending-question.ts'
import { createRemoteDebates } from './remote-debate-service.ts'
import { createRequestKeys, requestKeyOf } from './request-keys.ts'
import { findServingRun } from './server-runs.ts'
import type { ServiceContext } from './service-context.ts'
import { pendingView, type StoredView, storedView } from './views/decision-view.ts'
import { roundFigures } from './views/verdict-figures.ts'

/** The service behind the routes, and what its server needs to start and stop it. */
export interface RunningDecisionService extends DecisionService {
  /** Resumes questions that earlier processes accepted. */
  resume(): Promise<void>
  /** Runs that this process works on, including that of the active certificate. */
  runs(): readonly RunContext[]
  stop(): Promise<void>
}

/** Fields in which the server's panel differs from the calibrated one; empty if there is no panel. */
export function mismatchOf(
  { panel }: ServiceTools,
  { certificates }: { readonly certificates: CertificateCache },
  id: string | null,
): readonly string[] {
  const cached = id === null ? null : certificates.known(id)
  if (cached === null || 'missing' in panel) return []
  const { certificate } = cached.certified
  return fingerprintDifferences(certificate.fingerprint, comparedFingerprint(certificate, panel.plan.panel))
}

export function createDecisions(context: ServiceContext): RunningDecisionService {
  const { tools } = context
  const debates = 'elsewhere' in tools.panel ? createRemoteDebates(context, tools.panel) : createDebates(context)
  const open = new Map<string, Promise<ServedRun>>()
  const keys = createRequestKeys()

  function runOf(certificateId: string): Promise<ServedRun> {
    const known = open.get(certificateId) ?? begin(certificateId)
    open.set(certificateId, known)
    known.catch(() => open.delete(certificateId))
    return known
  }

  async function begin(certificateId: string): Promise<ServedRun> {
    const cached = await context.certificates.open(certificateId)
    if (cached === null) throw new Error(`the certificate ${certificateId} is not in the store`)
    const served = await debates.open(cached.certified)
    keys.learnFrom(tools.store.runs, served.run.id)
    await resumePending(context, debates, served)
    return served
  }

  return {
    runs: debates.runs,
    async resume() {
      const { panel } = tools
      if ('missing' in panel) return
      for (const certificateId of servedCertificates(context)) {
        const run = await findServingRun(tools, panel, certificateId)
        const isActive = certificateId === context.policy.activeId()
        if (isActive || (run !== null && (await tools.store.runs.counts(run.id)).pending > 0))
          await runOf(certificateId)
      }
    },
    async ask(input, { who, idempotencyKey, isAttended = false, beforeNew }) {
      const { panel } = tools
      if ('missing' in panel) throw new ProblemError({ status: 503, detail: panel.missing })
      if (tools.stopping.aborted) throw serverStopping()
      const requestKey = idempotencyKey === null ? null : requestKeyOf(who, idempotencyKey)
      const askAs = async (questionId: string) => {
        const question = questionOf(input, questionId, panel.plan)
        const served = await runOf(activeOf(context))
        const known = await earlier(context, panel, question.id)
        if (known !== null) return same(context, debates, { served, known, question, isAttended })
        await beforeNew?.()
        return accept(context, debates, { served, question, requestKey, caller: callerOf(who), isAttended })
      }
      if (requestKey === null) return askAs(input.id ?? tools.newId())
      // Opening the run makes the keys of earlier processes known.
      await runOf(activeOf(context))
      return keys.inTurn({ key: requestKey, id: input.id }, askAs)
    },
    async find(id, { waitMs, signal }) {
      const question = debates.find(id)
      if (question === null) return (await storedView(context, id))?.view ?? null
      if (waitMs > 0) await settled(question, waitMs, signal, tools.sleep)
      return pendingView(question)
    },
    async attend(id, signal) {
      const question = debates.find(id)
      if (question === null) return (await storedView(context, id))?.view ?? null
      const leave = debates.attend(question)
      try {
        while (question.decided === null && question.status !== 'failed' && !signal.aborted) {
          await nextChange(question, signal)
        }
        return pendingView(question)
      } finally {
        leave()
      }
    },
    async events(id, signal) {
      const question = debates.find(id)
      if (question !== null) return liveEvents(question, signal)
      const stored = await storedView(context, id)
      return stored === null ? null : pastEvents(stored)
    },
    stop: () => debates.idle(),
  }
}

/** The id of the certificate to decide with. Without one nothing can be promised, so the request is refused. */
export function activeOf({ policy }: ServiceContext): string {
  const active = policy.activeId()
  if (active !== null) return active
  const next = 'Calibrate on labelled debates (POST /v1/certificates), then activate the certificate.'
  throw new ProblemError({
    status: 503,
    detail: 'There is no certificate: questions are refused, not deferred, until one is active.',
    next,
  })
}

/** The ids of all certificates that were ever active, latest first. */
function servedCertificates({ policy }: ServiceContext): readonly string[] {
  const ids = policy.events().flatMap(({ kind, certificateId }) => (kind === 'activate' ? (certificateId ?? []) : []))
  return [...new Set(ids.reverse())]
}

/** Schedules the questions of the run that are still pending. */
async function resumePending({ tools }: ServiceContext, debates: DebateService, served: ServedRun): Promise<void> {
  for await (const row of questionRows(tools.store, served.run.id, 'pending')) {
    const id = readDecisionId(row.question) ?? tools.newId()
    const question = pendingQuestion({ id, row, served, arrival: null })
    // Its client was disconnected from the earlier process. A spot check continues anyway.
    question.isParked = question.isAttended && !row.isSpotCheck
    debates.add(question)
  }
}

function questionOf(input: QuestionRequest, id: string, plan: RunPlan): Question {
  const { fields, ...asked } = input
  return withFields(readQuestion({ ...asked, id }, 'the question', commonAnswers(plan)), fields)
}

/** The question if it was asked before, even under an earlier certificate. */
async function earlier(
  context: ServiceContext,
  panel: Parameters<typeof findServingRun>[1],
  questionId: string,
): Promise<RunQuestion | null> {
  for (const certificateId of servedCertificates(context).slice(0, MOST_RUNS)) {
    const run = await findServingRun(context.tools, panel, certificateId)
    const found = run === null ? null : await context.tools.store.runs.findQuestion(run.id, questionId)
    if (found !== null) return found
  }
  return null
}

const MOST_RUNS = 10

interface AskedDecision {
  readonly served: ServedRun
  readonly question: Question
  readonly requestKey: string | null
  readonly caller: Caller
  readonly isAttended: boolean
}

async function accept(
  context: ServiceContext,
  debates: DebateService,
  { served, question, requestKey, caller, isAttended }: AskedDecision,
): Promise<DecisionView> {
  const { tools } = context
  const { certified, mismatch } = served.deciding
  const seen = isSeen(certified, { questionId: question.id, question: writeQuestion(question) })
  if (seen && !tools.allowSeen) throw seenProblem('id')
  const isCounted = !seen && mismatch.length === 0 && !context.policy.isSuspended()
  const { spotCheckRate } = tools.settings
  const id = tools.newId()
  const added = await debates.accept(served, {
    questionId: question.id,
    question: writeIntake(question, { decisionId: id, requestKey, caller, isAttended }),
    ...(await context.sampler.sample(served.run.id, question.id)),
    counted: isCounted ? { spotCheckRate, at: tools.now() } : null,
  })
  if (added.kind === 'exists') return same(context, debates, { served, known: added.question, question, isAttended })
  const pending = pendingQuestion({ id, row: added.question, served, arrival: added.arrival })
  const view = pendingView(pending)
  debates.add(pending)
  return view
}

export function seenProblem(field: string): ProblemError {
  const detail = 'The question was used for calibration, so the guarantee does not cover it.'
  const expected = 'a question that is new to the certificate'
  return new ProblemError({ status: 409, detail, next: 'Ask another one.', errors: [{ field, expected }] })
}

/** The decision on a question that was asked before. Another question under the same id is refused, naming what differs. */
async function same(
  context: ServiceContext,
  debates: DebateService,
  {
    served,
    known,
    question,
    isAttended,
  }: Omit<AskedDecision, 'requestKey' | 'caller'> & { readonly known: RunQuestion },
): Promise<DecisionView> {
  // Nothing is left to compare with, and the decision on an erased question may not be acted on for another one.
  if (known.question === null) throw erasedProblem()
  const errors = differencesOf(known.question, question)
  if (errors.length > 0) {
    const detail = `The id ${JSON.stringify(question.id)} was used before for another question.`
    throw new ProblemError({ status: 409, detail, errors })
  }
  const { runId, questionId } = known
  const id = readDecisionId(known.question)
  const pending = id === null ? null : debates.find(id)
  if (pending !== null) {
    if (!isAttended) debates.keep(pending)
    return pendingView(pending)
  }
  const stored = await context.tools.store.decisions.find(runId, questionId)
  const decided = stored === null ? null : await storedView(context, stored.id)
  if (decided !== null) return decided.view
  // It was accepted a moment ago, by this server or by another server of the same run.
  if (id !== null && known.status === 'pending' && runId === served.run.id) {
    const waited = pendingQuestion({ id, row: known, served, arrival: null })
    if (!isAttended) waited.isAttended = false
    debates.add(waited)
    return pendingView(waited)
  }
  // A worker of another server of the same run gave it up.
  if (id !== null && known.status === 'error' && runId === served.run.id) {
    return { ...pendingView(pendingQuestion({ id, row: known, served, arrival: null })), status: 'failed' }
  }
  const detail = 'The question was asked before, and no decision on it is stored.'
  throw new ProblemError({ status: 409, detail, next: 'Ask it under another id.' })
}

function erasedProblem(): ProblemError {
  return new ProblemError({ status: 409, detail: 'The question was asked before, and its text was erased.' })
}

function differencesOf(stored: string, question: Question) {
  const before = readStoredQuestion(stored)
  const parts = ['question', 'options', 'group'] as const
  const different: string[] = parts.filter((part) => JSON.stringify(before[part]) !== JSON.stringify(question[part]))
  // Rules read the fields, so a decision holds only for the fields that it was made with.
  if (fieldsText(before.columns) !== fieldsText(question.columns)) different.push('fields')
  return different.map((field) => ({ field, expected: 'the same as before under this id' }))
}

async function settled(
  question: PendingQuestion,
  waitMs: number,
  signal: AbortSignal,
  sleep: ServiceTools['sleep'],
): Promise<void> {
  const over = new AbortController()
  const done = AbortSignal.any([over.signal, signal])
  void sleep(waitMs, done).then(() => over.abort())
  while (question.decided === null && question.status !== 'failed' && !done.aborted) await nextChange(question, done)
  over.abort()
}

async function* liveEvents(question: PendingQuestion, signal: AbortSignal): AsyncGenerator<DecisionEvent> {
  for (let sent = 0; !signal.aborted; ) {
    const verdict = question.figures[sent]
    if (verdict !== undefined) {
      sent += 1
      yield { event: 'round', data: { round: sent, verdict } }
    } else if (question.decided !== null || question.status === 'failed') {
      yield { event: 'decided', data: pendingView(question) }
      return
    } else await nextChange(question, signal)
  }
}

async function* pastEvents({ view }: StoredView): AsyncGenerator<DecisionEvent> {
  for (const verdict of roundFigures(view.decision)) {
    yield { event: 'round', data: { round: verdict.path.length, verdict } }
  }
  yield { event: 'decided', data: view }
}
