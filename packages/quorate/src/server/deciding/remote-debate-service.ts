import type { Debate } from '@quorate/certificate'
import { pagesOf } from '../../run/pages.ts'
import type { QuestionsElsewhere } from '../../run/workers/served-questions.ts'
import type { QuestionProgress } from '../../store/shared-store.ts'
import { countOf } from '../../text/number-text.ts'
import type { ServiceTools } from '../services.ts'
import type { DebateService } from './debate-service.ts'
import { arrivedAs, notify, type PendingQuestion } from './pending-question.ts'
import { servingOptions } from './server-runs.ts'
import type { ServiceContext } from './service-context.ts'
import { type StoredView, storedView } from './views/decision-view.ts'
import { roundFigures } from './views/verdict-figures.ts'

/** How often the store is polled for the progress of questions while any is waiting. */
const POLL_MS = 250
/** The wait after a poll failed. */
const RETRY_MS = 2000
/** After this many polls in a row without a change, check whether any worker is alive. */
const QUIET_POLLS = 40
/** More questions take several queries. */
const MOST_AT_ONCE = 1000

/** Leaves the debates to workers: stores the questions, and reads their progress and decisions from the store. */
export function createRemoteDebates(
  context: ServiceContext,
  { plan, elsewhere }: Extract<ServiceTools['panel'], { readonly elsewhere: QuestionsElsewhere }>,
): DebateService {
  const { tools } = context
  /** Waiting and failed questions. */
  const known = new Map<string, PendingQuestion>()
  const waiting = new Map<string, PendingQuestion>()
  const ending = new AbortController()
  let polling: Promise<void> | null = null
  let quietPolls = 0
  let isReported = false

  async function keepPolling(): Promise<void> {
    quietPolls = 0
    for (let failures = 0; waiting.size > 0 && !ending.signal.aborted; ) {
      await tools.sleep(failures === 0 ? POLL_MS : RETRY_MS, ending.signal)
      try {
        for (const some of pagesOf([...waiting.values()], MOST_AT_ONCE)) await poll(some)
        quietPolls += 1
        if (quietPolls >= QUIET_POLLS) await checkForWorkers()
        failures = 0
      } catch (error) {
        // Reported once, because the database may be unavailable for a while.
        if (++failures === 1) tools.report('the results of questions cannot be read and will be read again', error)
      }
    }
    polling = null
  }

  /** Reports once until there is progress again. */
  async function checkForWorkers(): Promise<void> {
    quietPolls = 0
    if (isReported || waiting.size === 0 || (await elsewhere.hasWorkers())) return
    isReported = true
    tools.report(
      `${countOf(waiting.size, 'waiting question')}, and no worker with this config is alive: start "quorate worker"`,
    )
  }

  async function poll(questions: readonly PendingQuestion[]): Promise<void> {
    const named = (status: PendingQuestion['status']) =>
      questions.filter((question) => question.status === status).map(({ row }) => row.questionId)
    const runIds = [...new Set(questions.map(({ row }) => row.runId))]
    const changes = await elsewhere.progress({ runIds, pending: named('pending'), begun: named('running') })
    const byPlace = new Map(changes.map((change) => [placeOf(change), change]))
    await Promise.all(questions.map((question) => follow(question, byPlace.get(placeOf(question.row)))))
  }

  async function follow(question: PendingQuestion, change: QuestionProgress | undefined): Promise<void> {
    if (change === undefined) return
    quietPolls = 0
    isReported = false
    if (change.status === 'pending') question.status = 'running'
    else {
      const stored = await storedView(context, question.id)
      waiting.delete(question.id)
      if (stored === null) giveUp(context, question)
      else {
        known.delete(question.id)
        recordView(context, question, stored)
      }
    }
    notify(question)
  }

  return {
    async open(certified) {
      const options = await servingOptions(tools, { plan }, certified)
      return { run: await elsewhere.open(options), deciding: options.deciding }
    },
    accept: ({ run }, question) => elsewhere.add(run.id, question),
    add(question) {
      if (known.has(question.id)) return
      known.set(question.id, question)
      waiting.set(question.id, question)
      polling ??= keepPolling()
    },
    find: (id) => known.get(id) ?? null,
    // Workers finish the questions that they claimed, even if no client waits.
    attend: () => () => {},
    keep: () => {},
    runs: () => [],
    async idle() {
      ending.abort()
      await polling
    },
  }
}

function placeOf({ runId, questionId }: QuestionProgress): string {
  return `${runId} ${questionId}`
}

function giveUp({ tools, watch }: ServiceContext, question: PendingQuestion): void {
  question.status = 'failed'
  watch.score(arrivedAs(question), null)
  tools.report(`decision ${question.id} could not be made: its worker gave the question up`)
}

function recordView({ tools, watch }: ServiceContext, question: PendingQuestion, { record, view }: StoredView): void {
  const { isSpotCheck, reason, debate } = record
  const { runId, questionId } = question.row
  question.rounds = view.rounds ?? 0
  question.figures.push(...roundFigures(view.decision))
  question.decided = view
  tools.wakeSender()
  watch.settled({ runId, questionId, isSpotCheck, reason })
  const isDebated = debate.rounds.length > 0
  watch.score(arrivedAs(question), isDebated ? (debate as unknown as Debate) : null) // the certificate reads it as it reads any debate
}
