import { hostname } from 'node:os'
import type { ResolvedConfig } from '../../config/resolve-config.ts'
import { packageVersion } from '../../files/package-version.ts'
import { processWorld } from '../../panel/process-world.ts'
import type { PaidModel } from '../../run/calls/pay-for-call.ts'
import { runPlan } from '../../run/run-plan.ts'
import { openQueue, queueOf } from '../../run/workers/job-queue.ts'
import { checkLeaseBeforeSending, createLease } from '../../run/workers/lease.ts'
import { createLiveShare } from '../../run/workers/live-share.ts'
import { createRetryWhileUnavailable } from '../../run/workers/retry.ts'
import { retryingStore } from '../../run/workers/retrying-store.ts'
import { sharedOf } from '../../run/workers/share-run.ts'
import { runWorker, type WorkerTally } from '../../run/workers/worker.ts'
import { throttledLog } from '../../run/workers/worker-log.ts'
import type { LimitStore, SharedStore } from '../../store/shared-store.ts'
import type { Store } from '../../store/store.ts'
import { errorSentence } from '../../text/error-sentence.ts'
import { countOf } from '../../text/number-text.ts'
import { plainText } from '../../text/plain-text.ts'
import { createTraffic, type SharedTraffic, type TrafficOptions } from '../../traffic/create-traffic.ts'
import { createSharedBreakers } from '../../traffic/shared-breakers.ts'
import type { TrafficLimits } from '../../traffic/traffic-limits.ts'
import { openConfiguredStore } from '../configured-store.ts'
import { configOf } from '../flags/config-flags.ts'
import type { Flags } from '../flags/parse-flags.ts'
import { listenForInterrupt } from '../interrupt.ts'
import { steadyHeap } from '../steady-heap.ts'
import { surroundings } from '../terminal.ts'
import { panelModels } from '../terminal-models.ts'

/** Runs a worker until it is stopped. */
export async function startWorker(flags: Flags): Promise<WorkerTally> {
  steadyHeap()
  const loaded = await configOf(flags)
  const { config } = loaded
  const world = processWorld()
  const lease = createLease(world.elapsed)
  // The system may pause a worker at any moment, and its lease may have expired when it continues.
  checkLeaseBeforeSending(lease)
  const models = await panelModels(loaded, flags)
  const log = (words: string) => void surroundings().stderr.write(`quorate: ${plainText(words)}\n`)
  const interrupt = listenForInterrupt(log, 'goes to other workers')
  loadAhead(models)
  const { elapsed, sleep, random } = world
  const waiting = { sleep, elapsed, log }
  const retrying = createRetryWhileUnavailable({ ...waiting, aborting: interrupt.stopping })
  const opened = await retrying(() => openConfiguredStore(loaded))
  try {
    const shared = sharedOf(opened)
    const store = retryingStore(
      opened,
      shared,
      createRetryWhileUnavailable({ ...waiting, aborting: interrupt.aborting }),
    )
    const logThrottled = throttledLog(log, elapsed)
    const failed = (error: unknown) => logThrottled(errorSentence(error))
    const queue = await retrying(() =>
      openQueue({ database: shared.jobs, configHash: config.hash, isWorker: true, failed }),
    )
    try {
      const plan = runPlan(config, { kind: 'debate' })
      const { limits } = plan
      const id = world.newId()
      const name = `${hostname()} ${process.pid}`
      const me = { id, name, version: packageVersion(), queues: JSON.stringify([queueOf(config.hash)]) }
      const live = createLiveShare(shared.workers, elapsed)
      const { traffic, breakers } = createWorkerTraffic({
        shared: store.shared.limits,
        limits: limits.traffic,
        workerId: id,
        now: elapsed,
        sleep,
        random,
        failed,
        share: live.share,
        checkLease: lease.check,
      })
      const refreshLimits = async () => void (await Promise.all([live.refresh(), breakers.refresh()]))
      log(`worker ${name} is ready: ${countOf(limits.traffic.concurrency, 'call')} at once`)
      log(await retrying(() => servingText(opened, shared, config)))
      const tools = { ...world, ...interrupt, store, shared: store.shared, models, traffic }
      const tally = await runWorker({
        plan,
        tools,
        queue,
        me,
        lease,
        elapsed,
        refreshLimits,
        log,
      })
      log(`worker ${name} ends: ${countOf(tally.ended, 'debate')}, ${countOf(tally.answered, 'call')}`)
      return tally
    } finally {
      await queue.stop()
    }
  } finally {
    interrupt.end()
    await opened.close()
  }
}

/** Loads the code for the first calls while the database connects. An error here occurs again in the call, which reports it. */
function loadAhead(models: ReadonlyMap<string, PaidModel>): void {
  for (const { model } of models.values()) model.load?.().catch(() => {})
}

interface WorkerTrafficOptions extends Omit<TrafficOptions, 'shared'>, Omit<SharedTraffic, 'breakers'> {
  readonly shared: LimitStore
  readonly limits: TrafficLimits
  readonly workerId: string
  readonly failed: (error: unknown) => void
}

/** Traffic control with limits and circuit breakers that all workers share. */
function createWorkerTraffic({ shared, workerId, failed, share, checkLease, ...options }: WorkerTrafficOptions) {
  const { now } = options
  const { breaker, timeoutMs } = options.limits
  const breakers = createSharedBreakers({ limits: shared, breaker, timeoutMs, by: workerId, now, failed })
  const traffic = createTraffic({ ...options, shared: { breakers, share, checkLease } })
  return { traffic, breakers }
}

const MOST_RUNS = 100
const HASH_LETTERS = 16

/** Which runs this worker takes and whether there are any. Otherwise a worker with another config would wait silently. */
async function servingText(store: Store, shared: SharedStore, { file, hash }: ResolvedConfig): Promise<string> {
  const open = await shared.runs.open(MOST_RUNS)
  const runs = await Promise.all(open.map(({ runId }) => store.runs.find(runId)))
  const own = runs.filter((run) => run?.configHash === hash).length
  const others = runs.length - own
  const waiting = own === 0 ? 'none is open yet' : `${countOf(own, 'run')} open`
  const text =
    others === 0
      ? ''
      : `. ${countOf(others, 'open run')} of other configs ${others === 1 ? 'waits' : 'wait'} for other workers`
  return `takes runs of ${plainText(file)} (hash ${hash.slice(0, HASH_LETTERS)}): ${waiting}${text}`
}
