import { ConfigError } from '../../config/config-error.ts'
import type { LoadedConfig } from '../../config/load-config.ts'
import { surroundings } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import { type Flags, type FlagTable, OUTPUT_FLAGS } from './parse-flags.ts'

/** Flags of every command that reads the config. A flag overrides its QUORATE_* variable, which overrides the file. */
export const CONFIG_FLAGS = Object.freeze({
  config: { value: 'PATH', about: 'config to use (default: quorate.config.yaml, .yml or .json)' },
  store: { value: 'URL', about: 'sqlite:PATH or postgres://USER@HOST/DATABASE (or QUORATE_STORE)' },
  beta: {
    value: 'B',
    about: 'budget.beta (or QUORATE_BETA). Delta and epsilon follow it unless the config sets them',
  },
  floor: {
    value: 'F',
    about: 'budget.floor: smallest share right in every class acted on, or none (or QUORATE_FLOOR); profile total',
  },
  promise: { value: 'P', about: 'pac | average | selective (or QUORATE_PROMISE); profile total' },
  delta: { value: 'D', about: 'budget.delta' },
  epsilon: { value: 'E', about: 'budget.epsilon' },
  profile: { value: 'P', about: 'total | cells | tight | paper' },
  'max-cost': { value: 'USD', about: 'limits.maxCostUsd, or none (or QUORATE_MAX_COST)' },
  concurrency: { value: 'N', about: 'limits.concurrency' },
  'spot-check-rate': { value: 'R', about: 'review.spotCheckRate' },
  seed: { value: 'N', about: 'seed of the run' },
}) satisfies FlagTable

/** Flags of commands that read the store and nothing else of the config. */
export const STORE_FLAGS = Object.freeze({
  config: CONFIG_FLAGS.config,
  store: CONFIG_FLAGS.store,
  ...OUTPUT_FLAGS,
}) satisfies FlagTable

/** Loads the config. A wrong flag is reported as a usage error, even if the config has other errors. */
export async function configOf(flags: Flags): Promise<LoadedConfig> {
  // Loaded lazily, so that --help is fast.
  const { loadConfig } = await import('../../config/load-config.ts')
  try {
    return await loadConfig({ folder: process.cwd(), env: surroundings().env, flags })
  } catch (error) {
    const wrong =
      error instanceof ConfigError ? error.problems.find(({ source }) => source.startsWith('--')) : undefined
    if (wrong === undefined) throw error
    throw new UsageError(`${wrong.source} must be ${wrong.expected}, got ${wrong.received}`)
  }
}
