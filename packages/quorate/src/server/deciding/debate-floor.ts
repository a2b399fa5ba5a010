import type { Certified } from '../../run/calibration/certified.ts'
import { reviewOf } from '../../run/decision-record.ts'
import { holdServed, type ServedDecision } from '../../run/hold-served.ts'
import { openRun } from '../../run/open-run.ts'
import { createJob, type Job } from '../../run/run-job.ts'
import { debatesAtOnce } from '../../run/run-questions.ts'
import type { AddedQuestion } from '../../store/settlement.ts'
import type { NewQuestion } from '../../store/store.ts'
import { ProblemError } from '../problem-response.ts'
import type { Deck } from './deck.ts'
import { withDetail } from './deferral-detail.ts'
import { arrivedAs, type PendingQuestion, pendingView, type ServedRun, tell } from './pending-question.ts'
import { servingOptions } from './server-runs.ts'
import { verdictFigures } from './verdict-figures.ts'

/** Where accepted questions are debated, here or elsewhere. */
export interface DebateFloor {
  /** Begins the run of the certificate's questions, or goes on with it. */
  open(certified: Certified): Promise<ServedRun>
  /** Stored when it resolves. */
  accept(served: ServedRun, question: NewQuestion): Promise<AddedQuestion>
  /** It is accepted and will be debated; from now on it is found. One that is there is left as it is. */
  add(question: PendingQuestion): void
  find(id: string): PendingQuestion | null
  /** Runs that spend in this process. */
  jobs(): readonly Job[]
  /** Resolves when nothing is being debated here any more; nothing is begun after the tools said `stopping`. */
  idle(): Promise<void>
}

/** In this process, some at a time, oldest first. */
export function createFloor(deck: Deck): DebateFloor {
  const { stopping, report, store } = deck.tools
  const jobs = new Map<string, Job>()
  const known = new Map<string, PendingQuestion>()
  const waiting: PendingQuestion[] = []
  const running = new Set<Promise<void>>()

  function begin(): void {
    while (!stopping.aborted) {
      const [next] = waiting
      const job = jobs.get(next?.row.runId ?? '')
      if (next === undefined || job === undefined || running.size >= debatesAtOnce(job)) return
      waiting.shift()
      const work = debate(next, job).finally(() => {
        running.delete(work)
        begin()
      })
      running.add(work)
    }
  }

  async function debate(question: PendingQuestion, job: Job): Promise<void> {
    question.status = 'running'
    tell(question)
    try {
      const ended = await debateOne(deck, question, job)
      if (ended === 'decided') known.delete(question.id)
      else question.status = ended
    } catch (error) {
      // It stays pending in the store: whoever goes on with the run asks again.
      question.status = 'failed'
      deck.watch.score(arrivedAs(question), null)
      report(`decision ${question.id} could not be made`, error)
    }
    tell(question)
  }

  return {
    async open(certified) {
      const { job, deciding } = await openJob(deck, certified)
      const { run } = job.opened
      jobs.set(run.id, job)
      return { run, deciding }
    },
    accept: ({ run }, question) => store.runs.addQuestion(run.id, question),
    add(question) {
      if (known.has(question.id)) return
      known.set(question.id, question)
      waiting.push(question)
      begin()
    },
    find: (id) => known.get(id) ?? null,
    jobs: () => [...jobs.values()],
    async idle() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

async function openJob({ tools }: Deck, certified: Certified) {
  const { panel, store } = tools
  if ('missing' in panel) throw new ProblemError({ status: 503, detail: panel.missing })
  if ('elsewhere' in panel) throw new Error('createFloor: the questions are debated elsewhere')
  const { plan, models, traffic } = panel
  const options = await servingOptions(tools, { plan }, certified)
  const { deciding } = options
  const opened = await openRun(store, options)
  return { job: await createJob(options.plan, { ...tools, models, traffic }, { opened, deciding }), deciding }
}

async function debateOne(deck: Deck, question: PendingQuestion, job: Job): Promise<'decided' | 'pending' | 'failed'> {
  const { policy, watch, tools } = deck
  const { id, row, served } = question
  const { announce, allowSeen } = tools
  const ended = await holdServed(job, row, {
    ...{ id, announce, allowSeen, isHeld: () => policy.isHeld() },
    tell(debate, decision) {
      question.rounds = debate.rounds.length
      if (question.rounds === 1) watch.score(arrivedAs(question), debate)
      // Nobody is told of an action before it is committed: a hold may still forbid it.
      if (decision.kind === 'act') return
      question.figures.push(verdictFigures(decision, served.deciding.certified.certificate.threshold))
      tell(question)
    },
  })
  if (ended.kind === 'decided') hearDecision(deck, question, ended)
  return ended.kind
}

function hearDecision({ tools, watch }: Deck, question: PendingQuestion, decision: ServedDecision): void {
  const { record, verdict, held, mismatch, messages } = decision
  const { debate, failure } = held
  const { certificate } = question.served.deciding.certified
  if (messages > 0) tools.wakeCourier()
  question.rounds = record.debate.rounds.length
  const figures = verdictFigures(verdict, certificate.threshold)
  if (figures.path.length > question.figures.length) question.figures.push(figures)
  question.decided = {
    ...{ ...pendingView(question), status: 'decided' },
    // An action has an item only if it is a spot check.
    reviewId: verdict.kind === 'act' ? null : (reviewOf(record)?.id ?? null),
    decision: withDetail(figures, {
      ...{ fingerprint: certificate.fingerprint, mismatch, failure },
      agents: debate.rounds.map((turns) => turns.map(({ agent }) => agent)),
    }),
  }
  const { runId, questionId, isDrawn, reason } = record
  watch.settled({ runId, questionId, isDrawn, reason })
  // One that had a first round was told before.
  watch.score(arrivedAs(question), null)
}
