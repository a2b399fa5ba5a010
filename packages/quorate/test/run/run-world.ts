import { type CalibrateOptions, type Debate, type RelativeChoice, seededRandom } from '@quorate/certificate'
import { onTestFinished } from 'vitest'
import { READER_VERSION } from '../../src/debate/reader-version.ts'
import type { Question } from '../../src/record/question.ts'
import { type CalibrationDebates, calibrationDebates } from '../../src/run/calibration/calibration-debates.ts'
import type { Certified } from '../../src/run/calibration/certified.ts'
import { makeCertified } from '../../src/run/calibration/make-certificate.ts'
import { knownOf } from '../../src/run/calibration/panel-fingerprint.ts'
import { settingsOf } from '../../src/run/calibration/panel-settings.ts'
import { debatesOfRun } from '../../src/run/calibration/recorded-debates.ts'
import { type Permissions, prepareDeciding } from '../../src/run/deciding.ts'
import { exportLines } from '../../src/run/exchange/export-lines.ts'
import { intakeOf } from '../../src/run/intake.ts'
import { type OpenRunOptions, openRun } from '../../src/run/open-run.ts'
import { createRunContext, type RunTools } from '../../src/run/run-context.ts'
import type { RunPlan } from '../../src/run/run-plan.ts'
import { type RunResult, workToEnd } from '../../src/run/run-to-end.ts'
import type { Store } from '../../src/store/store.ts'
import { timeOrderedIds } from '../../src/store/time-ordered-id.ts'
import { createTraffic } from '../../src/traffic/create-traffic.ts'
import { timerSleep } from '../../src/traffic/timer-sleep.ts'
import { openedSqlite } from '../store/opened.ts'
import { SAMPLE_KEY } from '../store/samples.ts'
import { all, countedModels, each, samplePlan } from './sample-panel.ts'

export { AGENTS, all, countedModels, each, samplePlan, simulatedQuestions } from './sample-panel.ts'

export function memoryStore(): Store {
  const store = openedSqlite(':memory:', { now: () => 0 })
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
  const intake = await intakeOf(each(world.questions))
  const permissions = { allowMismatch: false, allowSeen: false, ...world.allow }
  const deciding =
    certified === undefined ? null : prepareDeciding(certified, { panel: plan.panel, rows: intake.rows }, permissions)
  const choice = { resume: world.resume ?? ({ kind: 'new' } as const), retryErrors: world.retryErrors ?? false }
  const opened = await openRun(store, { plan, intake, deciding, ...choice, now, newId, newKey })
  const never = new AbortController().signal
  const random = seededRandom(1)
  // A test that stops the clock of a run stops the time limits of its calls too.
  const sleep = world.tools?.sleep ?? timerSleep
  const tools: RunTools = {
    store,
    now,
    newId,
    newSalt: () => `salt ${++salts}`,
    newKey,
    sleep,
    stopping: never,
    aborting: never,
    models: world.models ?? countedModels().models,
    traffic: createTraffic({ limits: plan.limits.traffic, now: () => performance.now(), random, sleep }),
    ...world.tools,
  }
  return workToEnd(await createRunContext(plan, tools, { opened, deciding }))
}

/** Makes a certificate from a run over these questions, like `quorate calibrate --run`. */
export async function certifiedFrom(
  store: Store,
  questions: readonly Question[],
  options: Partial<CalibrateOptions> = {},
  relative?: RelativeChoice,
): Promise<Certified> {
  return certifiedOf(await debatesFrom(store, questions), options, relative)
}

interface Debated {
  readonly labelled: CalibrationDebates
  /** The debates in the form of `quorate export`. */
  readonly debates: readonly Debate[]
}

const debatedOnce = new Map<string, Promise<Debated>>()
const certifiedOnce = new Map<string, Promise<Certified>>()

/** The same on a private store. Made once per process, because a certificate does not change. */
export function sharedCertified(
  questions: readonly Question[],
  options: Partial<CalibrateOptions> = {},
): Promise<Certified> {
  const key = JSON.stringify([options, questions])
  const certified = certifiedOnce.get(key) ?? debated(questions).then(({ labelled }) => certifiedOf(labelled, options))
  certifiedOnce.set(key, certified)
  return certified
}

/** The debates that the certificate is made from. */
export async function sharedDebates(questions: readonly Question[]): Promise<readonly Debate[]> {
  return (await debated(questions)).debates
}

function debated(questions: readonly Question[]): Promise<Debated> {
  const key = JSON.stringify(questions)
  const found = debatedOnce.get(key) ?? debate(questions)
  debatedOnce.set(key, found)
  return found
}

async function debate(questions: readonly Question[]): Promise<Debated> {
  const store = openedSqlite(':memory:', { now: () => 0 })
  try {
    const labelled = await debatesFrom(store, questions)
    const [run] = await store.runs.list(1)
    if (run === undefined) throw new Error('the run is gone')
    const lines = await all(exportLines(store, run, 'debates'))
    return { labelled, debates: lines.map((line): Debate => JSON.parse(line)) }
  } finally {
    await store.close()
  }
}

/** The labelled debates of a run over these questions. */
export async function debatesFrom(store: Store, questions: readonly Question[]): Promise<CalibrationDebates> {
  const { runId } = await runWorld({ store, plan: samplePlan(), questions })
  const run = await store.runs.find(runId)
  if (run === null) throw new Error('the run is gone')
  return calibrationDebates(debatesOfRun(store, run), { where: 'test', beliefs: 'stated', rounds: 4 })
}

export function certifiedOf(
  labelled: CalibrationDebates,
  options: Partial<CalibrateOptions> = {},
  relative?: RelativeChoice,
): Certified {
  const { panel } = samplePlan()
  const budget = { beta: 0.2, delta: 0.03, epsilon: 0.02 }
  const fingerprint = knownOf({ ...panel, settings: settingsOf(panel), reader: READER_VERSION })
  return makeCertified(labelled, { profile: 'cells', budget, ...fingerprint, ...options }, relative)
}
