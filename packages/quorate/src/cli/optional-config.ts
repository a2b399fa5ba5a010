import type { Budget, LocalOptions, Profile } from '@quorate/certificate'
import type { LoadedConfig } from '../config/load-config.ts'
import { hasConfig } from './configured-store.ts'
import { configOf } from './flags/config-flags.ts'
import { debateFlags } from './flags/debate-flags.ts'
import { profileFlags } from './flags/local-flags.ts'
import type { Flags } from './flags/parse-flags.ts'

export type OptionalConfig =
  | { readonly kind: 'config'; readonly loaded: LoadedConfig }
  /** Without a config, the values come from flags and defaults. */
  | { readonly kind: 'none'; readonly budget: Budget; readonly profile: Profile; readonly local: LocalOptions }

/** Loads the config for commands that can run without one. */
export async function optionalConfig(
  flags: Flags,
  { isNeeded }: { readonly isNeeded: boolean },
): Promise<OptionalConfig> {
  if (isNeeded || hasConfig(flags)) return { kind: 'config', loaded: await configOf(flags) }
  const { profile, local } = profileFlags(flags)
  const isRelative = flags.has('relative') || flags.has('relative-to')
  return {
    kind: 'none',
    budget: debateFlags(flags, isRelative ? { beta: LARGEST_BETA } : {}).budget,
    profile,
    local,
  }
}

/** The default limit for a beta that is given as a multiple of the panel's error, as in the paper. */
const LARGEST_BETA = 0.99
