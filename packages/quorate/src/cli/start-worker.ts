import { hostname } from 'node:os'
import { errorSentence } from '../report/error-sentence.ts'
import { countOf } from '../report/number-text.ts'
import { runPlan } from '../runs/run-plan.ts'
import { createTraffic } from '../traffic/create-traffic.ts'
import { createSharedBreakers } from '../traffic/shared-breakers.ts'
import { createSharedRates } from '../traffic/shared-rates.ts'
import { openQueue, queueOf } from '../workers/job-queue.ts'
import { createLease } from '../workers/lease.ts'
import { createPatience } from '../workers/patience.ts'
import { patientStore } from '../workers/patient-store.ts'
import { sharedOf } from '../workers/share-run.ts'
import { type WorkerTally, work } from '../workers/work.ts'
import { configOf } from './config-flags.ts'
import { openConfiguredStore } from './configured-store.ts'
import { hearInterrupt } from './interrupt.ts'
import { panelModels } from './panel-models.ts'
import type { Flags } from './parse-flags.ts'
import { runWorld } from './run-command.ts'
import { steadyHeap } from './steady-heap.ts'
import { packageVersion } from './version.ts'

/** Works until it is told to stop. */
export async function startWorker(flags: Flags): Promise<WorkerTally> {
  steadyHeap()
  const loaded = await configOf(flags)
  const { config } = loaded
  const models = await panelModels(loaded, flags)
  const world = await runWorld()
  const say = (words: string) => void process.stderr.write(`quorate: ${words}\n`)
  const interrupt = hearInterrupt(say)
  const { elapsed: now, sleep, random } = world
  const waiting = { sleep, elapsed: now, say }
  const patiently = createPatience({ ...waiting, aborting: interrupt.stopping })
  const opened = await patiently(() => openConfiguredStore(loaded))
  try {
    const shared = sharedOf(opened)
    const store = patientStore(opened, shared, createPatience({ ...waiting, aborting: interrupt.aborting }))
    const failed = (error: unknown) => say(errorSentence(error))
    const queue = await patiently(() =>
      openQueue({ database: shared.jobs, configHash: config.hash, isWorker: true, failed }),
    )
    const plan = runPlan(config, { kind: 'debate' })
    const limits = plan.limits.traffic
    const id = world.newId()
    const lease = createLease(now)
    const breakers = createSharedBreakers({
      ...{ limits: shared.limits, breaker: limits.breaker, timeoutMs: limits.timeoutMs, by: id, now, failed },
    })
    const rates = createSharedRates({ limits: shared.limits, providers: limits.providers, now, sleep })
    const traffic = createTraffic({ limits, now, sleep, random, shared: { rates, breakers, checkLease: lease.check } })
    const me = {
      id,
      name: `${hostname()} ${process.pid}`,
      version: packageVersion(),
      queues: JSON.stringify([queueOf(config.hash)]),
    }
    say(`worker ${me.name} is ready: ${countOf(limits.concurrency, 'call')} at once`)
    const tools = { ...world, ...interrupt, store, shared: store.shared, models, traffic }
    const tally = await work({ plan, tools, queue, me, lease, refreshLimits: breakers.refresh, say })
    await queue.stop()
    say(`worker ${me.name} ends: ${countOf(tally.ended, 'debate')}, ${countOf(tally.answered, 'call')}`)
    return tally
  } finally {
    interrupt.end()
    await opened.close()
  }
}
