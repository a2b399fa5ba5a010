import { readFile } from 'node:fs/promises'
import type { CalibrateOptions } from '@quorate/certificate'
import type { z } from 'zod'
import type { ConfigSchema } from '../config/config.ts'
import { type LoadedConfig, loadConfig, loadGivenConfig } from '../config/load-config.ts'
import { everyModel } from '../config/resolve-config.ts'
import { FileError } from '../files/file-error.ts'
import type { FunctionModel } from '../model/function-model.ts'
import { type Environment, redactSecrets } from '../model/redact-secrets.ts'
import { commonAnswers } from '../questions/read-question.ts'
import type { Question } from '../record/question.ts'
import { calibrateRun } from '../run/calibration/calibrate-run.ts'
import { type Certified, openCertified, openCertifiedFile } from '../run/calibration/certified.ts'
import type { PaidModel } from '../run/calls/pay-for-call.ts'
import { type Permissions, refuseOtherBudget } from '../run/deciding.ts'
import { wholeRunId } from '../run/find-run.ts'
import type { OpenedRun, OpenRunOptions } from '../run/open-run.ts'
import { checkPrices } from '../run/run-context.ts'
import { type RunChoice, RunError, runPlan } from '../run/run-plan.ts'
import { type PreparedRun, prepareRun, type RunResult, runToEnd } from '../run/run-to-end.ts'
import { openStoreAt } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { errorSentence } from '../text/error-sentence.ts'
import { plainText } from '../text/plain-text.ts'
import { createTraffic } from '../traffic/create-traffic.ts'
import { askDecision, type PanelDecision } from './ask-decision.ts'
import type { Panel, PanelCertificate, PanelRunOptions } from './panel.ts'
import { createPanelModels } from './panel-models.ts'
import { readPanelQuestion, readPanelQuestions } from './panel-questions.ts'
import { createPanelServices, type PanelServices, rememberServices } from './panel-services.ts'
import { type PanelWorld, processWorld } from './process-world.ts'
import { serverSettings } from './start-serving.ts'

export interface PanelOptions {
  /** Path of a config file, or an object with the same keys. */
  readonly config: string | z.input<typeof ConfigSchema>
  /** Where everything is stored. The panel does not close it: close it after the panel. */
  readonly store: Store
  /** The models of agents whose `model` is `function/NAME`, by NAME. */
  readonly models?: Readonly<Record<string, FunctionModel>>
  /** Needed to decide: the path of a file that `quorate calibrate` wrote, or the result of `panel.calibrate`. */
  readonly certificate?: string | Pick<PanelCertificate, 'file'>
  /** Decide although the panel is not the calibrated one. The ledger records it, and nothing is promised. */
  readonly allowMismatch?: boolean
  /** Decide questions that were used for calibration. The ledger records it, and nothing is promised. */
  readonly allowSeen?: boolean
  /** Call models without a known price although there is a spend cap. */
  readonly allowUnpriced?: boolean
  /** Allow the config to send keys to hosts other than their provider's. */
  readonly trustConfig?: boolean
  /** The environment that contains the keys. Absent: that of this process. */
  readonly env?: Environment
  /** Receives messages that no call returns, such as a suspended policy or failed upkeep. Absent: process warnings. */
  readonly report?: (words: string, cause?: unknown) => void
  /** Clock, sleep, randomness and ids, for tests. Absent: those of this process. */
  readonly world?: Partial<PanelWorld>
}

/** Creates a panel. Config, models, prices and certificate are checked before anything is asked or paid. */
export async function createPanel(options: PanelOptions): Promise<Panel> {
  const { store, models: functions = {}, allowMismatch = false, allowSeen = false, allowUnpriced = false } = options
  const loaded = await loadedConfig(options)
  const world: PanelWorld = { ...processWorld(), ...options.world }
  const certified = options.certificate === undefined ? null : await certifiedOf(options.certificate)
  const { services, ...opened } = await openPanel({
    loaded,
    openStore: async () => store,
    models: ({ config, env }) =>
      createPanelModels(config, { env, now: world.now, functions, isTrusted: () => options.trustConfig === true }),
    certified,
    permissions: { allowMismatch, allowSeen },
    runChoice: { allowUnpriced },
    world,
    aborting: new AbortController().signal,
    ...(options.report === undefined ? {} : { report: options.report }),
  })
  const common = commonAnswers(loaded.config)
  const panel: Panel = {
    ...opened,
    run: (questions, runOptions) => opened.run(readPanelQuestions(questions, common), runOptions),
  }
  rememberServices(panel, services)
  return panel
}

/** The parts of a panel for a caller that has read config and certificate itself, such as the command line. */
export interface PanelSetup {
  readonly loaded: LoadedConfig
  /** Called once, at the first use of the store. */
  readonly openStore: () => Promise<Store>
  readonly models: (loaded: LoadedConfig) => Promise<ReadonlyMap<string, PaidModel>>
  readonly certified: Certified | null
  readonly permissions: Permissions
  readonly runChoice: Omit<RunChoice, 'kind' | 'isShadow'>
  readonly world: PanelWorld
  /** Aborted to end calls in flight too. */
  readonly aborting: AbortSignal
  readonly report?: NonNullable<PanelOptions['report']>
}

/** A panel that takes parsed questions, and that reports when a run is opened. */
export interface OpenPanel extends Omit<Panel, 'run'> {
  readonly services: PanelServices
  run(
    questions: AsyncIterable<Question>,
    options: PanelRunOptions & { readonly onOpened?: (opened: OpenedRun, prepared: PreparedRun) => void },
  ): Promise<RunResult>
}

/** Checks everything that can be checked before a question is read. The store is opened at its first use. */
export async function openPanel(setup: PanelSetup): Promise<OpenPanel> {
  const { loaded, certified, permissions, world, aborting } = setup
  const { config, env } = loaded
  if (certified !== null) refuseOtherBudget(certified.certificate, config)
  const plan = runPlan(config, { kind: 'decide', ...setup.runChoice })
  checkPrices(plan)
  const models = await setup.models(loaded)
  const traffic = createTraffic({ ...world, limits: plan.limits.traffic, now: world.elapsed })
  const ending = new AbortController()
  const stopSignal = (signal: AbortSignal | undefined) =>
    signal === undefined ? ending.signal : AbortSignal.any([ending.signal, signal])
  let opening: Promise<Store> | null = null
  const storeOf = () => (opening ??= setup.openStore())
  const services = createPanelServices(async () => ({
    world,
    config,
    env,
    served: {
      store: await storeOf(),
      panel: { plan, models, traffic },
      certified,
      settings: serverSettings(config),
      stopping: ending.signal,
      aborting,
      report: setup.report ?? warningsOf(loaded),
      ...permissions,
    },
  }))
  const running = new Set<Promise<unknown>>()

  /** Begins work that `close` waits for. */
  function tracked<Result>(work: () => Promise<Result>): Promise<Result> {
    if (ending.signal.aborted) return Promise.reject(new RunError('the panel is closed: create another one'))
    const begun = work().finally(() => running.delete(begun))
    running.add(begun)
    return begun
  }

  return {
    services,
    decide: (question, { signal } = {}) =>
      tracked(async (): Promise<PanelDecision> => {
        required(certified, 'panel.decide')
        const asked = readPanelQuestion(question, 'the question', commonAnswers(plan))
        return askDecision(await services.decisions(), asked, stopSignal(signal))
      }),
    run: (questions, { kind, resume, retryErrors = false, isShadow = false, onOpened, onProgress, signal }) =>
      tracked(async () => {
        const own = kind === 'decide' ? { certified: required(certified, 'panel.run'), ...permissions } : null
        const prepared = await prepareRun({ ...plan, kind, isShadow }, questions, own)
        const store = await storeOf()
        const stopping = stopSignal(signal)
        const tools = { store, models, traffic, retryErrors, world: { ...world, stopping, aborting } }
        return runToEnd(
          prepared,
          { ...tools, resume: await resumed(store, resume) },
          {
            ...(onOpened === undefined ? {} : { onOpened: (opened: OpenedRun) => onOpened(opened, prepared) }),
            ...(onProgress === undefined ? {} : { onProgress }),
          },
        )
      }),
    calibrate: (runId) =>
      tracked(async () => {
        const store = await storeOf()
        const made = await calibrateRun(store, {
          runId,
          options: calibrateOptions(config),
          relative: config.relative,
          beliefs: undefined,
        })
        const { id, file, certificate } = made.certified
        await store.certificates.save({ id, file, at: world.now(), runId: await wholeRunId(store, runId) })
        const { debates, padded, dropped } = made
        return { id, file, canAct: certificate.canAct(), debates, padded, dropped }
      }),
    async close() {
      ending.abort(new RunError('the panel was closed'))
      await Promise.allSettled(running)
      await services.close()
    },
  }
}

/** Opens `sqlite:PATH` (from the working directory), `sqlite::memory:` or `postgres://USER@HOST/DATABASE`. */
export async function openStore(url: string): Promise<Store> {
  return openStoreAt(url, { baseFolder: process.cwd(), now: processWorld().now })
}

function loadedConfig({ config, env = process.env }: PanelOptions): Promise<LoadedConfig> {
  const folder = process.cwd()
  if (typeof config === 'string') return loadConfig({ folder, env, flags: new Map([['config', config]]) })
  return loadGivenConfig({ folder, env, value: config })
}

async function certifiedOf(certificate: NonNullable<PanelOptions['certificate']>): Promise<Certified> {
  if (typeof certificate !== 'string') return openCertified(certificate.file)
  const text = await readFile(certificate, 'utf8').catch((cause: unknown) => {
    throw new FileError(`cannot read the certificate ${plainText(certificate)}`, { cause })
  })
  return openCertifiedFile(text, certificate)
}

async function resumed(store: Store, resume: PanelRunOptions['resume']): Promise<OpenRunOptions['resume']> {
  if (resume === undefined || resume === 'latest') return { kind: resume ?? 'new' }
  return { kind: 'id', id: await wholeRunId(store, resume.id) }
}

/** Without a certificate nothing can be promised, so nothing is decided. */
function required(certified: Certified | null, caller: string): Certified {
  if (certified !== null) return certified
  throw new RunError(
    `${caller} needs a certificate to decide: debate labelled questions with panel.run(questions, { kind: 'debate' }), make ` +
      'one with panel.calibrate(runId), and pass it as createPanel({ certificate })',
  )
}

function calibrateOptions({ budget, profile, local, deferGroups }: LoadedConfig['config']): CalibrateOptions {
  const deferredGroups = [...new Set(deferGroups)]
  return { ...local, profile, budget, ...(deferredGroups.length === 0 ? {} : { deferredGroups }) }
}

/** Reports messages as process warnings, and removes the secrets that the config names. */
function warningsOf({ config, env }: LoadedConfig): NonNullable<PanelOptions['report']> {
  const names = [
    ...config.webhooks.map(({ secretEnv }) => secretEnv),
    ...config.notices.map(({ urlEnv }) => urlEnv),
    ...everyModel(config.panel).flatMap(({ apiKeyEnv }) => apiKeyEnv ?? []),
  ]
  return (words, cause) => {
    const text = cause === undefined ? words : `${words}: ${errorSentence(cause)}`
    process.emitWarning(redactSecrets(text, env, names), 'QuorateWarning')
  }
}
