import type { PauseReason } from '../debate/ask.ts'
import type { PanelPlan } from '../debate/panel.ts'
import { StoreError } from '../record/store-error.ts'
import type { RunQuestion } from '../store/store.ts'
import { debateQuestion } from './debate-question.ts'
import type { ClaimEnd, ClaimedQuestion, Pass, Queue } from './queue.ts'
import type { QuestionContext } from './run-context.ts'
import type { RunPlan } from './run-plan.ts'
import { deferredAsOwed, Interrupted, type SettledQuestion, settle } from './settle.ts'
import { readStoredQuestion } from './stored-question.ts'
import { barInStore, suspendedRun } from './suspension.ts'

/*
 * The loop behind `debate`, `decide`, `serve`, `worker` and `demo`. Read this file first.
 *
 *   claim    queue.ts             takes a question that nobody else works on
 *   debate   debate-question.ts   asks the panel round by round, until the certificate decides
 *   settle   settle.ts            writes the result in one commit
 *
 * The callers differ in where their questions come from. `run-to-end.ts` opens a run and works until none of its questions is
 * pending. `server/deciding/debate-service.ts` works on questions as they are asked. `workers/worker.ts` shares the questions
 * of many runs with other processes. Model calls are paid for in `calls/pay-for-call.ts`: the intent is committed before the
 * request, the outcome before it is used. Both name the fence: a token that the latest owner of the run or question has
 * written. The store refuses writes with an older one. So the process may be killed at any point, and the next one asks only
 * what was not answered.
 */

export interface Work<Claim> {
  readonly queue: Queue<Claim>
  /** How many questions may be in progress at a time; 0: none may be begun now. */
  readonly room: () => number
  /** Fires when no more questions may be begun. Questions in progress are finished or released. */
  readonly stopping: AbortSignal
  /** Runs the passes of the loop. Absent: an error of the queue ends the loop. */
  readonly runner?: PassRunner
  readonly onBegin?: (claim: Claim) => void
  readonly onSettled?: (claim: Claim, settled: SettledQuestion) => void
  /** Called when a question is no longer in progress, however it ended. */
  readonly onEnd?: () => void
}

/** Runs the passes of a loop that should survive errors. It does not repeat a pass: the loop begins another one. */
export interface PassRunner {
  /** Runs one pass. If it fails, waits and then resolves. Rejects if no further pass would help. */
  run(pass: () => Promise<void>): Promise<void>
  /** Runs an action after the last pass. If it fails, nothing tries again. */
  runLast(action: () => Promise<void>): Promise<void>
}

const RUN_DIRECTLY: PassRunner = { run: (pass) => pass(), runLast: (action) => action() }

export interface WorkLoop<Claim> {
  inProgress(): readonly InProgress<Claim>[]
  /** True if there was room in the last pass, but nothing to claim. */
  isIdle(): boolean
  /** Resolves when the loop has ended and nothing is in progress; rejects with the first error of a question. */
  readonly ended: Promise<void>
}

export interface InProgress<Claim> {
  readonly claim: Claim
  /** Ends the calls of the question, because another worker may own it. */
  readonly abandon: () => void
  readonly ended: Promise<void>
}

/** Claims, debates and settles several questions at a time, until the queue is drained or the loop is stopped. */
export function startWork<Claim>(work: Work<Claim>): WorkLoop<Claim> {
  const { queue, stopping } = work
  const inProgress = new Set<InProgress<Claim>>()
  let ends: { readonly claim: Claim; readonly end: ClaimEnd }[] = []
  let failure: { readonly error: unknown } | null = null
  let isDrained = false
  let isIdle = false
  let wake = () => {}

  function begin(claim: Claim): void {
    const leaving = new AbortController()
    // A lost claim may be redelivered to this process while its first attempt is still ending.
    for (const earlier of inProgress) if (queue.idOf(earlier.claim) === queue.idOf(claim)) earlier.abandon()
    work.onBegin?.(claim)
    const ended = queue
      .open(claim, leaving.signal, debateAndSettle)
      .then((end) => claimEnd(claim, end))
      .catch((error: unknown) => queue.giveUp(claim, error))
      .catch((fatal: unknown) => {
        // The other questions finish what they have in flight. Then the first failure is reported.
        failure ??= { error: fatal }
        return null
      })
      .then((end) => {
        // If the call of one agent failed, calls of others may still wait to be sent. They must not be sent any more, because
        // another worker may own the question.
        leaving.abort()
        inProgress.delete(own)
        if (end !== null) ends.push({ claim, end })
        work.onEnd?.()
        wake()
      })
    const own: InProgress<Claim> = { claim, ended, abandon: () => leaving.abort() }
    inProgress.add(own)
  }

  function claimEnd(claim: Claim, end: QuestionEnd | null): ClaimEnd | Promise<ClaimEnd> {
    if (end?.kind === 'paused') return queue.pause(claim, end.reason)
    if (end !== null) work.onSettled?.(claim, end)
    return 'complete'
  }

  async function reportEnds(): Promise<void> {
    const some = ends
    if (some.length === 0) return
    ends = []
    try {
      await queue.complete(some.filter(({ end }) => end === 'complete').map(({ claim }) => claim))
      await queue.release(some.filter(({ end }) => end === 'release').map(({ claim }) => claim))
    } catch (error) {
      ends.push(...some)
      throw error
    }
  }

  async function pass(): Promise<void> {
    await reportEnds()
    const free = Math.max(0, work.room() - inProgress.size)
    const claims = free === 0 ? [] : await queue.claim(free)
    isDrained = claims === null
    const claimed = claims?.length ?? 0
    isIdle = free > 0 && claimed === 0
    for (const claim of claims ?? []) begin(claim)
    if (claims !== null && (claimed < free || free === 0)) await nextChange({ room: free, claimed })
  }

  /** Waits until a question ends, there may be something to claim, or the loop is stopped. */
  async function nextChange(last: Pass): Promise<void> {
    const woken = new AbortController()
    // Without a reason, an error object would be created at each change.
    wake = () => woken.abort('changed')
    stopping.addEventListener('abort', wake, { once: true })
    if (ends.length > 0 || failure !== null || stopping.aborted) wake()
    await queue.wait(last, woken.signal)
    stopping.removeEventListener('abort', wake)
  }

  async function loop(): Promise<void> {
    const runner = work.runner ?? RUN_DIRECTLY
    while (!stopping.aborted && failure === null && !isDrained) await runner.run(pass)
    while (inProgress.size > 0) await Promise.all([...inProgress].map(({ ended }) => ended))
    await runner.runLast(reportEnds)
    if (failure !== null) throw failure.error
  }

  return { inProgress: () => [...inProgress], isIdle: () => isIdle, ended: loop() }
}

/** How a question ended. `paused`: the next process continues the debate where it stopped. */
type QuestionEnd = SettledQuestion | { readonly kind: 'paused'; readonly reason: PauseReason; readonly verdict?: never }

/** Debates one question and settles the result, unless the debate pauses. */
export function debateAndSettle(claimed: ClaimedQuestion): Promise<QuestionEnd> {
  const { run, row } = claimed
  const work = () => debateAndSettleUntraced(claimed)
  return run.telemetry === null ? work() : run.telemetry.workflow(row, work)
}

async function debateAndSettleUntraced({ run, row, terms, onRound, pausing }: ClaimedQuestion): Promise<QuestionEnd> {
  // The text of the question was erased before it was debated.
  if (row.question === null) return failQuestion(run, row)
  try {
    const mayAct = run.deciding !== null && !run.opened.run.isShadow
    const bar = await (terms.kind === 'served' ? terms.bar() : mayAct ? barInStore(run) : null)
    const found = await debateQuestion(bar === 'suspended' ? suspendedRun(run) : run, {
      question: readStoredQuestion(row.question),
      isSpotCheck: row.isSpotCheck,
      onRound,
      pausing,
    })
    if (found.kind === 'debated') return await settle(run, { row, debated: found, terms })
    // A server owes its caller an answer. If the spend cap is reached or the panel cannot answer, a person gives it.
    const isOwed = terms.kind === 'served' && found.reason !== 'interrupted'
    if (isOwed)
      return await settle(run, { row, debated: deferredAsOwed(found, run.tools.warning?.found() ?? null), terms })
    return { kind: 'paused', reason: found.reason }
  } catch (error) {
    if (error instanceof Interrupted) return { kind: 'paused', reason: 'interrupted' }
    // The question was erased during its debate. Nothing more is written about it, and the others continue.
    if (error instanceof StoreError && error.kind === 'erased') return failQuestion(run, row)
    throw error
  }
}

/** Marks the question as failed. */
async function failQuestion(
  { tools, opened }: QuestionContext,
  { runId, questionId }: RunQuestion,
): Promise<SettledQuestion> {
  await tools.store.runs.setQuestion(runId, questionId, 'error', opened.fence)
  return { kind: 'settled', status: 'error', verdict: null, decision: null }
}

/** Enough debates for twice the allowed concurrent calls: while some wait for their slowest agent, others continue. */
export function debatesAtOnce({ panel, limits }: RunPlan): number {
  return Math.max(1, Math.ceil((2 * limits.traffic.concurrency) / callsAtOnce(panel)))
}

function callsAtOnce({ agents, sizes, samples }: PanelPlan): number {
  const asked = sizes === null ? [agents.length] : sizes.map((size, round) => size - (sizes[round - 1] ?? 0))
  return Math.max(1, Math.min(...asked)) * Math.max(1, samples)
}
