import { PROFILES } from '@quorate/certificate'
import { CONFIG_DEFAULTS } from '../../config/defaults.ts'
import type { LoadedConfig } from '../../config/load-config.ts'
import { readOverrides } from '../../config/overrides.ts'
import { PUBLIC_URL_WORDS, publicOrigin } from '../../config/public-url.ts'
import type { ConfiguredServer } from '../../config/resolve-config.ts'
import { serverSettings, serverWebhooks } from '../../panel/start-serving.ts'
import { type RunPlan, runPlan } from '../../run/run-plan.ts'
import type { ServiceTools } from '../../server/services.ts'
import type { Target } from '../../server/webhooks/targets.ts'
import type { Store } from '../../store/store.ts'
import { errorSentence } from '../../text/error-sentence.ts'
import { programName } from '../command-line.ts'
import { hasConfig, openConfiguredStore, openPlace, refusePassword } from '../configured-store.ts'
import { configOf } from '../flags/config-flags.ts'
import { debateFlags } from '../flags/debate-flags.ts'
import { type Flags, numberFlag, seedFlag, wordFlag } from '../flags/parse-flags.ts'
import { surroundings } from '../terminal.ts'
import { panelModels } from '../terminal-models.ts'
import { UsageError } from '../usage-error.ts'

/** The named config, or the one in this folder. Null if there is none, because certifying works without a config. */
export async function servedConfig(flags: Flags): Promise<LoadedConfig | null> {
  return hasConfig(flags) ? configOf(flags) : null
}

/** Opens the store of the config. Without a config it is that of `--store` or QUORATE_STORE, or the default in this folder. */
export async function openServedStore(flags: Flags, loaded: LoadedConfig | null): Promise<Store> {
  if (loaded !== null) return openConfiguredStore(loaded)
  refusePassword(flags)
  const flag = flags.get('store')
  const named = typeof flag === 'string' ? flag : surroundings().env['QUORATE_STORE']?.trim()
  return openPlace({ url: named || CONFIG_DEFAULTS.store, baseFolder: process.cwd(), isOwnUrl: true })
}

/** The settings of the config that do not depend on the panel. */
export function servedSettings(flags: Flags, loaded: LoadedConfig | null): ServiceTools['settings'] {
  if (loaded !== null) return serverSettings(loaded.config)
  const { certificate, review } = CONFIG_DEFAULTS
  return {
    budget: debateFlags(flags, { beta: USUAL_BETA }).budget,
    profile: wordFlag(flags, 'profile', PROFILES) ?? certificate.profile,
    spotCheckRate: numberFlag(flags, 'spot-check-rate', {
      fallback: review.spotCheckRate,
      expected: 'a number from 0 to 1',
      accepts: (value) => value >= 0 && value <= 1,
    }),
    maxClaims: review.maxClaims,
    secondShare: review.second,
    seed: seedFlag(flags),
  }
}

/** The public address and the connection limit, from the config, or from flags and environment if there is no config. */
export function servedSite(flags: Flags, loaded: LoadedConfig | null): ConfiguredServer {
  if (loaded !== null) return loaded.config.server
  const given = new Map(readOverrides(flags, surroundings().env).map((override) => [override.path.join('.'), override]))
  const url = given.get('server.publicUrl')
  const origin = url === undefined ? null : publicOrigin(String(url.value))
  if (url !== undefined && origin === null) throw new UsageError(`${url.source} must be ${PUBLIC_URL_WORDS}`)
  const limit = given.get('server.connectionsPerAddress')
  const connections = limit?.value ?? CONFIG_DEFAULTS.server.connectionsPerAddress
  if (typeof connections !== 'number' || !Number.isInteger(connections) || connections < 1 || connections > 3000) {
    throw new UsageError(`${limit?.source} must be a whole number from 1 to 3000`)
  }
  return { publicOrigin: origin, connectionsPerAddress: connections }
}

/** The panel that answers questions. If it cannot be used, the server still certifies debates that callers post. */
export async function servedPanel(flags: Flags, loaded: LoadedConfig | null): Promise<ServiceTools['panel']> {
  if (loaded === null) return { missing: `there is no config with a panel: make one with "${programName()} init"` }
  const { checkPrices } = await import('../../run/run-context.ts')
  const { createTraffic } = await import('../../traffic/create-traffic.ts')
  const { timerSleep } = await import('../../traffic/timer-sleep.ts')
  const plan = servedPlan(loaded, flags)
  try {
    checkPrices(plan)
    const models = await panelModels(loaded, flags)
    const clock = { now: () => performance.now(), sleep: timerSleep, random: Math.random }
    return { plan, models, traffic: createTraffic({ limits: plan.limits.traffic, ...clock }) }
  } catch (error) {
    return { missing: errorSentence(error) }
  }
}

/** The webhooks of the config. Their secrets come only from the environment. */
export function servedWebhooks(loaded: LoadedConfig | null): readonly (Target & { readonly secret: string })[] {
  if (loaded === null) return []
  return serverWebhooks(loaded.config, loaded.env, (words) => new UsageError(words))
}

/** The beta of certificates that are made over HTTP if neither the config nor the request sets one. */
const USUAL_BETA = 0.1

function servedPlan({ config }: LoadedConfig, flags: Flags): RunPlan {
  return runPlan(config, { kind: 'decide', allowUnpriced: flags.has('allow-unpriced') })
}

/** Opens the panel once the store is open. */
export type PanelOpener = (tools: {
  readonly store: Store
  readonly webhooks: readonly Target[]
  readonly report: ServiceTools['report']
}) => Promise<OpenedPanel>

export interface OpenedPanel {
  readonly panel: ServiceTools['panel']
  /** To be called after the server has stopped. */
  stop(): Promise<void>
}

/** Questions are debated by this process or, with `--detach`, by workers. In that case this process needs no API keys. */
export async function panelOpener(flags: Flags, loaded: LoadedConfig | null): Promise<PanelOpener> {
  if (!flags.has('detach')) {
    const panel = await servedPanel(flags, loaded)
    return async () => ({ panel, stop: async () => undefined })
  }
  if (loaded === null) {
    throw new UsageError(`--detach needs the config of the workers' panel: make one with "${programName()} init"`)
  }
  const { checkPrices } = await import('../../run/run-context.ts')
  const plan = servedPlan(loaded, flags)
  checkPrices(plan)
  return (tools) => openQueued(plan, { ...tools, allowSeen: flags.has('allow-seen') })
}

const ONE_FILE =
  '--detach leaves debates to workers, which share PostgreSQL with the server, and this store is one file: set ' +
  'QUORATE_STORE to postgres://USER@HOST/DATABASE, the same for every worker, or leave out --detach'

async function openQueued(
  plan: RunPlan,
  { store, webhooks, report, allowSeen }: Parameters<PanelOpener>[0] & { readonly allowSeen: boolean },
): Promise<OpenedPanel> {
  const { openQueue } = await import('../../run/workers/job-queue.ts')
  const { questionsForWorkers } = await import('../../run/workers/served-questions.ts')
  const { namedTarget } = await import('../../server/webhooks/targets.ts')
  if (store.shared === null) throw new UsageError(ONE_FILE)
  const { jobs: database } = store.shared
  const failed = (error: unknown) => report('the queue of the workers cannot be reached', error)
  const queue = await openQueue({ database, configHash: plan.hash, isWorker: false, failed })
  const terms = { allowSeen, targets: webhooks.map(namedTarget) }
  const elsewhere = questionsForWorkers({ store, queue, terms, configHash: plan.hash })
  return { panel: { plan, elsewhere }, stop: () => queue.stop() }
}
