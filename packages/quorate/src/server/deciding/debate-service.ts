import type { Certified } from '../../run/calibration/certified.ts'
import { reviewOf } from '../../run/decision-record.ts'
import { createEarlyWarning, type EarlyWarning, servedWarning } from '../../run/early-warning.ts'
import { openRun } from '../../run/open-run.ts'
import { type ClaimedQuestion, createLocalQueue } from '../../run/queue.ts'
import { createRunContext, type RunContext } from '../../run/run-context.ts'
import { Interrupted, type SettledDecision } from '../../run/settle.ts'
import { debatesAtOnce, startWork } from '../../run/work.ts'
import type { AddedQuestion } from '../../store/decisions/settlement.ts'
import type { NewQuestion } from '../../store/store.ts'
import { ProblemError } from '../problem-response.ts'
import { untilAssessed } from './monitor/until-assessed.ts'
import { arrivedAs, notify, type PendingQuestion, type ServedRun } from './pending-question.ts'
import { servingOptions } from './server-runs.ts'
import type { ServiceContext } from './service-context.ts'
import { decidedView } from './views/decision-view.ts'
import { roundFigures, verdictFigures } from './views/verdict-figures.ts'

/** Debates accepted questions, in this process or in workers. */
export interface DebateService {
  /** Starts or resumes the run of the certificate's questions. */
  open(certified: Certified): Promise<ServedRun>
  /** Resolves when the question is stored. */
  accept(served: ServedRun, question: NewQuestion): Promise<AddedQuestion>
  /** Schedules an accepted question, which `find` returns from now on. Does nothing if it is already there. */
  add(question: PendingQuestion): void
  find(id: string): PendingQuestion | null
  /**
   * Registers a client that waits for it, which resumes a paused debate. Returns the function to call when the client leaves.
   * When the last client has left, an attended question is paused, unless it is a spot check: slow spot checks must not be
   * lost.
   */
  attend(question: PendingQuestion): () => void
  /** From now on the question is decided whether or not a client waits. */
  keep(question: PendingQuestion): void
  /** Runs that spend in this process. */
  runs(): readonly RunContext[]
  /** Resolves when no debate is in progress in this process. None starts after `stopping`. */
  idle(): Promise<void>
}

/** Debates questions in this process, several at a time, oldest first. */
export function createDebates(context: ServiceContext): DebateService {
  const { stopping, report, store, panel } = context.tools
  const runs = new Map<string, RunContext>()
  const known = new Map<string, PendingQuestion>()
  const queue = createLocalQueue<PendingQuestion>({
    idOf: ({ id }) => id,
    open: (question) => claimed(context, question, runs.get(question.row.runId)),
    paused(question) {
      question.status = 'pending'
      if (question.leaving.signal.aborted) park(question)
      notify(question)
    },
    failed(question, error) {
      // It stays pending in the store, so the process that resumes the run debates it again.
      question.status = 'failed'
      context.watch.score(arrivedAs(question), null)
      report(`decision ${question.id} could not be made`, error)
      notify(question)
    },
  })
  const work = startWork({
    queue,
    room: () => ('plan' in panel ? debatesAtOnce(panel.plan) : 0),
    stopping,
    onBegin(question) {
      question.status = 'running'
      notify(question)
    },
    onSettled(question, { decision }) {
      if (decision === null) question.status = 'failed'
      else {
        recordDecision(context, question, decision)
        known.delete(question.id)
      }
      notify(question)
    },
  })

  function park(question: PendingQuestion): void {
    question.isParked = true
    // The monitor reads first rounds in order of arrival, so it must not wait for this one.
    if (question.rounds === 0) context.watch.score(arrivedAs(question), null)
    // A client came back while the debate was being paused.
    if (question.attendants > 0 || !question.isAttended) unpark(question)
  }

  function unpark(question: PendingQuestion): void {
    if (!question.isParked) return
    question.isParked = false
    question.leaving = new AbortController()
    queue.add(question)
  }

  return {
    async open(certified) {
      const run = await openServingRun(context, certified)
      runs.set(run.opened.run.id, run)
      return { run: run.opened.run, deciding: run.deciding }
    },
    accept: ({ run }, question) => store.runs.addQuestion(run.id, question),
    add(question) {
      if (known.has(question.id)) return
      known.set(question.id, question)
      if (!question.isParked) queue.add(question)
    },
    find: (id) => known.get(id) ?? null,
    attend(question) {
      question.attendants += 1
      unpark(question)
      return () => {
        question.attendants -= 1
        if (question.attendants === 0 && question.isAttended && !question.row.isSpotCheck) question.leaving.abort()
      }
    },
    keep(question) {
      question.isAttended = false
      unpark(question)
    },
    runs: () => [...runs.values()],
    async idle() {
      while (work.inProgress().length > 0) await Promise.all(work.inProgress().map(({ ended }) => ended))
    },
  }
}

async function openServingRun({ tools }: ServiceContext, certified: Certified) {
  const { panel, store } = tools
  if ('missing' in panel) throw new ProblemError({ status: 503, detail: panel.missing })
  if ('elsewhere' in panel) throw new Error('createDebates: the questions are debated elsewhere')
  const { plan, models, traffic } = panel
  const options = await servingOptions(tools, { plan }, certified)
  const { deciding } = options
  const opened = await openRun(store, options)
  const warning = reported(createEarlyWarning({ ...options.plan, ...servedWarning(tools) }), tools.report)
  const run = await createRunContext(options.plan, { ...tools, models, traffic, warning }, { opened, deciding })
  return { ...run, deciding }
}

/** Logs a warning once, because nobody reads every answer. */
function reported(warning: EarlyWarning, report: ServiceContext['tools']['report']): EarlyWarning {
  const watched = (note: () => void) => {
    const before = warning.found()
    note()
    const found = warning.found()
    if (before === null && found !== null) report(`questions are deferred without a call: ${found.words}`)
  }
  return {
    refused: (reason) => watched(() => warning.refused(reason)),
    attempted: warning.attempted,
    failed: warning.failed,
    count: (turns) => watched(() => warning.count(turns)),
    found: warning.found,
  }
}

function claimed(context: ServiceContext, question: PendingQuestion, run: RunContext | undefined): ClaimedQuestion {
  const { policy, watch, tools } = context
  const { id, row, served } = question
  if (run === undefined) throw new Error(`createDebates: run ${row.runId} is not open`)
  const { messagesOf, allowSeen } = tools
  const bar = async () => {
    if (await untilAssessed(watch, tools.stopping)) return policy.bar()
    throw new Interrupted()
  }
  return {
    run,
    row,
    pausing: question.leaving.signal,
    terms: { kind: 'served', decisionId: id, messagesOf, allowSeen, bar },
    onRound(debate, decision) {
      question.rounds = debate.rounds.length
      if (question.rounds === 1) watch.score(arrivedAs(question), debate)
      // What ends the debate is shown once it is committed, because a suspension may still prevent an action.
      // A debate that was paused is replayed, and its first rounds were shown before.
      if (decision.kind !== 'continue' || question.rounds <= question.figures.length) return
      question.figures.push(verdictFigures(decision, served.deciding.certified.certificate.threshold))
      notify(question)
    },
  }
}

function recordDecision({ tools, watch }: ServiceContext, question: PendingQuestion, decision: SettledDecision): void {
  const { record, debate, failure, messages } = decision
  const { certificate } = question.served.deciding.certified
  if (messages > 0) tools.wakeSender()
  question.rounds = record.debate.rounds.length
  // An action has a review item only if it is a spot check, which must not be revealed.
  const reviewId = record.kind === 'act' ? null : (reviewOf(record)?.id ?? null)
  question.decided = decidedView(record, { certificate, rounds: debate.rounds, failure, reviewId })
  question.figures.push(...roundFigures(question.decided.decision).slice(question.figures.length))
  const { runId, questionId, isSpotCheck, reason } = record
  watch.settled({ runId, questionId, isSpotCheck, reason })
  // Has no effect if the first round was scored before.
  watch.score(arrivedAs(question), null)
}
