import { ConfigError } from '../config/config-error.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import type { Flags, FlagTypes } from './parse-flags.ts'
import { surroundings } from './terminal.ts'
import { UsageError } from './usage-error.ts'

/** Flags of every command that reads the config; they stand over QUORATE_* variables, and those over the file. */
export const CONFIG_FLAGS = Object.freeze({
  config: 'string',
  store: 'string',
  beta: 'string',
  delta: 'string',
  epsilon: 'string',
  floor: 'string',
  promise: 'string',
  profile: 'string',
  'max-cost': 'string',
  concurrency: 'string',
  'spot-check-rate': 'string',
  seed: 'string',
}) satisfies FlagTypes

/** Of commands that need only the store. */
export const STORE_FLAGS = Object.freeze({
  config: 'string',
  store: 'string',
  json: 'boolean',
  'no-color': 'boolean',
}) satisfies FlagTypes

const STORE_HELP = `  --config PATH      config to use (default: quorate.config.yaml, .yml, .json)
  --store URL        sqlite:PATH or postgres://USER@HOST/DATABASE; or
                     QUORATE_STORE
`

/** For the section `Flags` of a page, without a title. */
export const CONFIG_FLAGS_HELP = `${STORE_HELP}  --beta B           budget.beta (or QUORATE_BETA); delta and epsilon go with it
                     unless the config has chosen others
  --floor F          budget.floor: smallest share right in every class acted on,
                     or none (or QUORATE_FLOOR); profile total
  --promise P        pac | average | selective (or QUORATE_PROMISE); profile
                     total
  --delta, --epsilon, --profile, --concurrency, --spot-check-rate, --seed: as in
                     the config
  --max-cost USD     limits.maxCostUsd, or none (or QUORATE_MAX_COST)
`

export const STORE_FLAGS_HELP = `${STORE_HELP}  --json             one JSON object on standard output and nothing else
  --no-color         plain text, as with NO_COLOR=1
`

/** The config of the working directory. A flag that is wrong is a wrong call, whatever else is wrong. */
export async function configOf(flags: Flags): Promise<LoadedConfig> {
  // Loaded here, so that --help need not wait for it.
  const { loadConfig } = await import('../config/load-config.ts')
  try {
    return await loadConfig({ folder: process.cwd(), env: surroundings().env, flags })
  } catch (error) {
    const wrong =
      error instanceof ConfigError ? error.problems.find(({ source }) => source.startsWith('--')) : undefined
    if (wrong === undefined) throw error
    throw new UsageError(`${wrong.source} must be ${wrong.expected}, got ${wrong.received}`)
  }
}
