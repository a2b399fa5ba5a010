import { type CalibrateOptions, type RelativeChoice, seededRandom } from '@quorate/certificate'
import { onTestFinished } from 'vitest'
import { READER_VERSION } from '../../src/debate/reader-version.ts'
import type { Question } from '../../src/record/question.ts'
import { calibrationPanels } from '../../src/run/calibration/calibration-panels.ts'
import type { Certified } from '../../src/run/calibration/certified.ts'
import { makeCertificate } from '../../src/run/calibration/make-certificate.ts'
import { knownOf } from '../../src/run/calibration/panel-fingerprint.ts'
import { settingsOf } from '../../src/run/calibration/panel-settings.ts'
import { debatesOfRun } from '../../src/run/calibration/recorded-debates.ts'
import { type Permissions, prepareDeciding } from '../../src/run/deciding.ts'
import { type OpenRunOptions, openRun } from '../../src/run/open-run.ts'
import { createRunContext, type RunTools } from '../../src/run/run-context.ts'
import type { RunPlan } from '../../src/run/run-plan.ts'
import { type RunResult, workToEnd } from '../../src/run/run-to-end.ts'
import { takeIn } from '../../src/run/take-in.ts'
import { openSqlite } from '../../src/store/sqlite/open-sqlite.ts'
import type { Store } from '../../src/store/store.ts'
import { timeOrderedIds } from '../../src/store/time-ordered-id.ts'
import { createTraffic } from '../../src/traffic/create-traffic.ts'
import { timerSleep } from '../../src/traffic/timer-sleep.ts'
import { SAMPLE_KEY } from '../store/samples.ts'
import { countedModels, each, samplePlan } from './sample-panel.ts'

export { AGENTS, all, countedModels, each, samplePlan, simulatedQuestions } from './sample-panel.ts'

export function memoryStore(): Store {
  const store = openSqlite(':memory:', { now: () => 0 })
  onTestFinished(() => store.close())
  return store
}

let time = 1_790_000_000_000
const now = () => ++time
const newId = timeOrderedIds({ now, random: seededRandom(3) })
let salts = 0
const newKey = () => SAMPLE_KEY

export interface World {
  readonly store: Store
  readonly plan: RunPlan
  readonly questions: readonly Question[]
  readonly models?: RunTools['models']
  readonly tools?: Partial<RunTools>
  readonly certified?: Certified
  readonly allow?: Partial<Permissions>
  readonly resume?: OpenRunOptions['resume']
  readonly retryErrors?: boolean
}

/** One process of a run, from its questions to its result. */
export async function runWorld(world: World): Promise<RunResult> {
  const { store, plan, certified } = world
  const intake = await takeIn(each(world.questions))
  const permissions = { allowMismatch: false, allowSeen: false, ...world.allow }
  const deciding =
    certified === undefined ? null : prepareDeciding(certified, { panel: plan.panel, rows: intake.rows }, permissions)
  const choice = { resume: world.resume ?? ({ kind: 'new' } as const), retryErrors: world.retryErrors ?? false }
  const opened = await openRun(store, { plan, intake, deciding, ...choice, now, newId, newKey })
  const never = new AbortController().signal
  const random = seededRandom(1)
  const tools: RunTools = {
    ...{ store, now, newId, newSalt: () => `salt ${++salts}`, newKey, sleep: timerSleep },
    ...{ stopping: never, aborting: never },
    models: world.models ?? countedModels().models,
    traffic: createTraffic({ limits: plan.limits.traffic, now: () => performance.now(), random, sleep: timerSleep }),
    ...world.tools,
  }
  return workToEnd(await createRunContext(plan, tools, { opened, deciding }))
}

/** A certificate from a run over these questions, as `quorate calibrate --run` makes it. */
export async function certifiedFrom(
  store: Store,
  questions: readonly Question[],
  options: Partial<CalibrateOptions> = {},
  relative?: RelativeChoice,
): Promise<Certified> {
  const plan = samplePlan()
  const { runId } = await runWorld({ store, plan, questions })
  const run = await store.runs.find(runId)
  if (run === null) throw new Error('the run is gone')
  const debates = await calibrationPanels(debatesOfRun(store, run), { where: 'test', beliefs: 'stated', rounds: 4 })
  const budget = { beta: 0.2, delta: 0.03, epsilon: 0.02 }
  const known = knownOf({ ...plan.panel, settings: settingsOf(plan.panel), reader: READER_VERSION })
  return makeCertificate(debates, { profile: 'cells', budget, ...known, ...options }, relative).certified
}
