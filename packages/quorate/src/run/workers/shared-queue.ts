import { isEarlyStop } from '../../debate/ask.ts'
import { StoreError } from '../../record/store-error.ts'
import type { RunQuestion } from '../../store/store.ts'
import { errorSentence } from '../../text/error-sentence.ts'
import type { ClaimEnd, ClaimedQuestion, Queue } from '../queue.ts'
import { RunError } from '../run-plan.ts'
import { readDecisionId } from '../stored-question.ts'
import { barInStore } from '../suspension.ts'
import { messagesTo } from '../webhook-messages.ts'
import type { JobQueue, LeasedJob } from './job-queue.ts'
import type { OpenRuns } from './open-runs.ts'
import { isTemporary } from './retry.ts'
import { readOptions } from './run-options.ts'
import { NotOurs, type SharedRunContext, type SharedRunTools, underFence } from './shared-run.ts'

/** A job of pg-boss that this process leases, and the fence of its question. */
export interface SharedClaim {
  readonly job: LeasedJob
  readonly fence: string
  /** True once the fence is written. From then on, calls that other workers have open for the question are lost. */
  isTaken: boolean
}

export interface SharedQueueOptions {
  readonly jobs: JobQueue
  readonly runs: OpenRuns
  readonly tools: Pick<SharedRunTools, 'shared' | 'newId' | 'now' | 'sleep'>
  /** A line of the log. */
  readonly log: (words: string) => void
  /** The same for messages that would repeat often. */
  readonly logThrottled: (words: string) => void
  readonly onTaken: (claim: SharedClaim) => void
  /** Records which jobs this process leases, so that other workers can reassign them if it dies. */
  readonly keepJobs: (jobs: readonly LeasedJob[]) => Promise<void>
}

/** How long a worker without work waits before it polls again. */
export const IDLE_MS = 500
/** Debates end close together. Waiting this long completes and claims several at a time. */
const GATHER_MS = 25

/**
 * Questions of all runs with this config, which many workers share. pg-boss leases jobs, and redelivers those of a worker
 * without a heartbeat. Opening a question gives it a new fence, which makes the writes of a late worker fail.
 */
export function createSharedQueue(options: SharedQueueOptions): Queue<SharedClaim> {
  const { jobs, runs, tools, log, logThrottled, keepJobs } = options
  const { shared } = tools
  const claimed = new Set<LeasedJob>()
  const jobsOf = (claims: readonly SharedClaim[]) => claims.map(({ job }) => job)

  async function take({ job, fence }: SharedClaim): Promise<RunQuestion | null> {
    const taken = await shared.runs.take(job.runId, job.questionId, { fence, at: tools.now() })
    return taken?.question ?? null
  }

  /** Marks the question as failed. If even that cannot be written, the question stays in the queue. */
  async function failQuestion(claim: SharedClaim, error: unknown): Promise<ClaimEnd> {
    const { job, fence, isTaken } = claim
    const { runId, questionId } = job
    try {
      if (!isTaken && (await take(claim)) === null) return 'complete'
      log(`question ${JSON.stringify(questionId)} of run ${runId} failed: ${errorSentence(error)}`)
      await shared.runs.giveUp(runId, questionId, fence)
      return 'complete'
    } catch (unwritten) {
      log(`question ${JSON.stringify(questionId)} goes back to the queue: ${errorSentence(unwritten)}`)
      return 'release'
    }
  }

  return {
    async claim(limit) {
      const taken = await jobs.take(limit)
      for (const job of taken) claimed.add(job)
      // If this fails, the jobs of a dead worker wait until their heartbeats expire, which is only slower.
      if (taken.length > 0) await keepJobs([...claimed]).catch((error) => logThrottled(errorSentence(error)))
      return taken.map((job) => ({ job, fence: tools.newId(), isTaken: false }))
    },
    async wait(last, woken) {
      await tools.sleep(last.claimed === 0 ? IDLE_MS : GATHER_MS, woken)
      await tools.sleep(GATHER_MS)
    },
    idOf: ({ job }) => job.id,
    open: (claim, leaving, use) =>
      runs.within(claim.job.runId, async (run) => {
        const row = await take(claim)
        if (row === null) return null
        claim.isTaken = true
        options.onTaken(claim)
        return use(await claimedQuestion(underFence(run, claim.fence, leaving), row, tools))
      }),
    async renew(claims) {
      const ours = new Set(await jobs.renew(jobsOf(claims)))
      return claims.filter(({ job }) => ours.has(job))
    },
    async complete(claims) {
      await jobs.done(jobsOf(claims))
      for (const { job } of claims) claimed.delete(job)
    },
    async release(claims) {
      await jobs.release(jobsOf(claims))
      for (const { job } of claims) claimed.delete(job)
    },
    async pause({ job, fence }, reason) {
      // The process shuts down, so another worker may take the question. Every other reason halts the run.
      if (reason === 'interrupted') return 'release'
      const words = runs.warningOf(job.runId)?.words ?? null
      // Another question of this process has halted the run, which may be resumed by now. Only a run that is not halted is taken.
      if (isEarlyStop(reason) && words === null) return 'release'
      const isHalted = await shared.runs.halt(job.runId, reason, { questionId: job.questionId, fence, words })
      if (words !== null && isHalted) log(`run ${job.runId} stops: ${words}`)
      // The cause is fixed before the run is resumed, so the resumed run starts without the old warning.
      if (reason !== 'spend-cap') runs.forget(job.runId)
      return 'complete'
    },
    async giveUp(claim, error) {
      // If another worker owns the job by now, pg-boss ignores the release.
      if (isTemporary(error) || (error instanceof StoreError && error.kind === 'fenced')) return 'release'
      if (!(error instanceof NotOurs)) return failQuestion(claim, error)
      // A released job would be redelivered at once. An idle worker adds a job for the question again later.
      logThrottled(error.message)
      return 'complete'
    },
  }
}

/** A question of a server is decided as the server would do it: under the promised id, with its review and messages. */
export async function claimedQuestion(
  run: SharedRunContext,
  row: RunQuestion,
  { shared }: Pick<SharedRunTools, 'shared'>,
): Promise<ClaimedQuestion> {
  if (!run.isServed) return { run, row, terms: { kind: 'command' } }
  const { newId } = run.tools
  // The terms are read each time, because a restarted server may have other ones.
  const found = await shared.runs.find(row.runId)
  const options = found && readOptions(found.options)
  if (options === null || options.served === null || run.deciding === null) {
    throw new RunError(`run ${row.runId} no longer belongs to a server`)
  }
  const { served, allowMismatch } = options
  // The server suspends the policy for differences of its own panel. The panel of a worker may differ in more.
  const isOther = run.deciding.mismatch.length > 0 && !allowMismatch
  const deciding = { ...run.deciding, allowMismatch, upFront: isOther ? 'uncalibrated' : run.deciding.upFront } as const
  return {
    run: { ...run, deciding },
    row,
    terms: {
      kind: 'served',
      decisionId: readDecisionId(row.question) ?? newId(),
      messagesOf: messagesTo(served.targets, newId),
      allowSeen: served.allowSeen,
      bar: () => barInStore(run),
    },
  }
}
