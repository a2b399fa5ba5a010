import { randomBytes } from 'node:crypto'
import { CONFIG_DEFAULTS } from '../config/defaults.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { errorSentence } from '../report/error-sentence.ts'
import type { RunPlan } from '../runs/run-plan.ts'
import type { ServiceTools } from '../server/services.ts'
import type { Target } from '../server/webhooks/announce.ts'
import type { Store } from '../store/store.ts'
import { type OptionalConfig, optionalConfig } from './optional-config.ts'
import { panelModels } from './panel-models.ts'
import type { Flags } from './parse-flags.ts'
import { UsageError } from './usage-error.ts'

/** The store of the config, else of --store or QUORATE_STORE, else the usual place in this folder. */
export async function openServedStore(flags: Flags, found?: OptionalConfig): Promise<Store> {
  const config = found ?? (await optionalConfig(flags, { isNeeded: false }))
  const { openStore } = await import('../store/open-store.ts')
  if (config.kind === 'config') {
    const { url, baseFolder } = config.loaded.config.store
    return openStore(url, { baseFolder, now: Date.now })
  }
  const flag = flags.get('store')
  const named = typeof flag === 'string' ? flag : process.env['QUORATE_STORE']?.trim()
  return openStore(named || CONFIG_DEFAULTS.store, { baseFolder: process.cwd(), now: Date.now })
}

/** What the config says that does not depend on the panel. */
export function servedSettings(found: OptionalConfig, flags: Flags): ServiceTools['settings'] {
  if (found.kind === 'config') {
    const { budget, profile, spotCheckRate, seed } = found.loaded.config
    return { budget, profile, spotCheckRate, seed }
  }
  const { review, seed } = CONFIG_DEFAULTS
  const { budget, profile } = found
  return {
    ...{ budget, profile },
    spotCheckRate: shareFlag(flags, 'spot-check-rate') ?? review.spotCheckRate,
    seed,
  }
}

/** A panel that cannot be asked keeps nobody from certifying debates of their own. */
export async function servedPanel(found: OptionalConfig, flags: Flags): Promise<ServiceTools['panel']> {
  if (found.kind === 'none') return { missing: 'there is no config with a panel: make one with "quorate init"' }
  const { checkPrices } = await import('../runs/run-job.ts')
  const { createTraffic } = await import('../traffic/create-traffic.ts')
  const { timerSleep } = await import('../traffic/timer-sleep.ts')
  const plan = planOf(found.loaded, flags)
  try {
    checkPrices(plan)
    const models = await panelModels(found.loaded, flags)
    const clock = { now: () => performance.now(), sleep: timerSleep, random: Math.random }
    return { plan, models, traffic: createTraffic({ limits: plan.limits.traffic, ...clock }) }
  } catch (error) {
    return { missing: errorSentence(error) }
  }
}

/** The secrets of webhooks only come from the environment. */
export function servedWebhooks(found: OptionalConfig): readonly (Target & { readonly secret: string })[] {
  if (found.kind === 'none') return []
  const { config, env } = found.loaded
  return config.webhooks.map(({ url, events, secretEnv }, index) => {
    const secret = env[secretEnv] ?? ''
    if (secret.length >= SHORTEST_SECRET) return { url, events, secret }
    throw new UsageError(
      `webhooks[${index}].secretEnv: ${secretEnv} must be set in the environment to at least ${SHORTEST_SECRET} characters, ` +
        `such as ${randomBytes(24).toString('base64url')}`,
    )
  })
}

const SHORTEST_SECRET = 16

function planOf({ config }: LoadedConfig, flags: Flags): RunPlan {
  const { panel, limits, spotCheckRate, prices, seed, identity, hash } = config
  const chosen = { isShadow: false, allowUnpriced: flags.has('allow-unpriced') }
  return { kind: 'decide', panel, limits, spotCheckRate, prices, seed, identity, hash, ...chosen }
}

function shareFlag(flags: Flags, name: string): number | null {
  const text = flags.get(name)
  if (typeof text !== 'string') return null
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (value >= 0 && value <= 1) return value
  throw new UsageError(`--${name} must be a number from 0 to 1`)
}
