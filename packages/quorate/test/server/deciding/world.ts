import { type Debate, seededRandom } from '@quorate/certificate'
import { onTestFinished } from 'vitest'
import type { CertifyInput } from '../../../src/contract/decisions.ts'
import type { Certified } from '../../../src/run/calibration/certified.ts'
import type { RunTools } from '../../../src/run/run-context.ts'
import type { RunPlan } from '../../../src/run/run-plan.ts'
import type { WebhookNotice } from '../../../src/run/webhook-messages.ts'
import { LOCAL } from '../../../src/server/access/identity.ts'
import { createServices } from '../../../src/server/deciding/create-services.ts'
import type { Services, ServiceTools } from '../../../src/server/services.ts'
import type { Store } from '../../../src/store/store.ts'
import { timeOrderedIds } from '../../../src/store/time-ordered-id.ts'
import { createTraffic } from '../../../src/traffic/create-traffic.ts'
import { timerSleep } from '../../../src/traffic/timer-sleep.ts'
import {
  countedModels,
  memoryStore,
  samplePlan,
  sharedCertified,
  sharedDebates,
  simulatedQuestions,
} from '../../run/run-world.ts'
import { SAMPLE_KEY } from '../../store/samples.ts'

export const LABELLED = simulatedQuestions(200)
export const FRESH = simulatedQuestions(60, { from: 200 })
export const ANN = { ...LOCAL, name: 'ann' }

let time = 1_790_000_000_000
const now = () => ++time
const newId = timeOrderedIds({ now, random: seededRandom(5) })
let salts = 0

/** A certificate and the debates that it was calibrated on, created once, because neither changes. */
export async function calibrated(): Promise<{ readonly certified: Certified; readonly debates: readonly Debate[] }> {
  return { certified: await sharedCertified(LABELLED), debates: await sharedDebates(LABELLED) }
}

export interface ServedWorld {
  readonly store: Store
  readonly services: Services
  /** The events that webhooks would receive. */
  readonly announced: WebhookNotice[]
  readonly reported: unknown[]
  /** Ends it like a crash: nothing is finished. */
  kill(): void
}

export interface WorldOptions {
  readonly store?: Store
  readonly certified?: Certified | null
  readonly plan?: Partial<RunPlan>
  readonly models?: RunTools['models']
  readonly tools?: Partial<ServiceTools>
}

/** The services of a server over simulated agents. */
export async function serveWorld(options: WorldOptions = {}): Promise<ServedWorld> {
  const { certified = (await calibrated()).certified } = options
  const store = options.store ?? memoryStore()
  const plan = samplePlan({ kind: 'decide', spotCheckRate: 0, ...options.plan })
  const { spotCheckRate, seed } = plan
  const announced: WebhookNotice[] = []
  const reported: unknown[] = []
  const stopping = new AbortController()
  const aborting = new AbortController()
  const random = seededRandom(1)
  const traffic = createTraffic({
    limits: plan.limits.traffic,
    now: () => performance.now(),
    random,
    sleep: timerSleep,
  })
  const services = await createServices({
    store,
    now,
    newId,
    newSalt: () => `salt ${++salts}`,
    newKey: () => SAMPLE_KEY,
    sleep: timerSleep,
    stopping: stopping.signal,
    aborting: aborting.signal,
    certified,
    allowSeen: false,
    allowMismatch: false,
    operator: 'ann',
    settings: {
      budget: { beta: 0.2, delta: 0.03, epsilon: 0.02 },
      profile: 'cells',
      spotCheckRate,
      maxClaims: 1000,
      seed,
    },
    panel: { plan, models: options.models ?? countedModels().models, traffic },
    claimMs: 60_000,
    undoMs: 10_000,
    wakeSender: () => {},
    messagesOf: (notice) => {
      announced.push(notice)
      return []
    },
    report: (words, cause) => reported.push({ words, cause }),
    ...options.tools,
  })
  const kill = () => {
    aborting.abort()
    stopping.abort()
  }
  onTestFinished(async () => {
    kill()
    await services.stop()
  })
  return { store, services, announced, reported, kill }
}

/** As `POST /v1/decisions` would be sent. */
export function inputOf({ id, question, options, group }: (typeof FRESH)[number]) {
  return { id, question, group, options: Object.fromEntries(options.map(({ name, text }) => [name, text])) }
}

export async function decided(services: Services, id: string) {
  const signal = new AbortController().signal
  const view = await services.decisions.find(id, { waitMs: 60_000, signal })
  if (view === null) throw new Error(`there is no decision ${id}`)
  return view
}

/** The first rounds of a debate, as `POST /v1/certify` would be sent. */
export function certifyInput(
  { options, ...debate }: Debate,
  rounds: number,
  change: Partial<CertifyInput> = {},
): CertifyInput {
  const turns = JSON.parse(JSON.stringify(debate.rounds.slice(0, rounds)))
  return { id: `asked ${debate.id}`, options: JSON.parse(JSON.stringify(options)), rounds: turns, ...change }
}
