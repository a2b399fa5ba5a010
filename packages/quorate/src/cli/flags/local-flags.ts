import { LOCAL_OPTION_NAMES, type LocalOptions, PROFILES, type Profile } from '@quorate/certificate'
import { CONFIG_DEFAULTS } from '../../config/defaults.ts'
import { LOCAL_SCHEMAS, localOptionsOf } from '../../config/local-options.ts'
import { readOverrides } from '../../config/overrides.ts'
import { quoted } from '../quoted.ts'
import { UsageError } from '../usage-error.ts'
import { type Flags, type FlagTable, wordFlag } from './parse-flags.ts'

/** Options of the profiles `tight` and `paper`. The sections `certificate` and `budget` of the config have the same keys. */
export const LOCAL_FLAGS = Object.freeze({
  envelope: {
    value: 'E',
    about:
      'profiles tight and paper: how far the neighbours may be right more often than the question itself. An assumption. ' +
      'modulus (paper): largest change of a smoother over pilot pairs within the radius. mean-modulus: its mean over the ' +
      'neighbours. pilot-oscillation (tight): mean change of the smoother. lipschitz:L, holder:C,S: L h and C h^S at radius h. ' +
      'oscillation:B: at most B in any neighbourhood. none: no allowance, no guarantee',
  },
  smoother: {
    value: 'S',
    about: 'profiles tight and paper: gam (default) or isotonic, fitted to pilot rows for envelopes',
  },
  rho: {
    value: 'R',
    about:
      'profiles tight and paper: factor that multiplies the envelope, at least 1 (default 1; pilot-oscillation 1.5)',
  },
  concentration: {
    value: 'C',
    about: 'hoeffding (paper) | clopper-pearson (tight) | empirical-bernstein: confidence bound of a neighbourhood',
  },
  state: {
    value: 'S',
    about:
      'profiles tight and paper: the numbers that represent a debate so far. paper: (p1, margin). paper-1d, paper-3d, ' +
      'paper-4d: p1 alone, with p2, with entropy. support-path. learned (tight): a score fitted to pilot rows',
  },
  'k-family': {
    value: 'N,..',
    about: 'profiles tight and paper: sizes of the neighbourhoods tried (default 128,256,512)',
  },
  'delta-omega': {
    value: 'D',
    about:
      'profiles tight and paper: part of delta for an envelope that is too small (default 0: the envelope is assumed)',
  },
}) satisfies FlagTable

const KEYS = new Map<string, (typeof LOCAL_OPTION_NAMES)[number]>(
  LOCAL_OPTION_NAMES.map((name) => [name === 'kFamily' ? 'k-family' : name, name]),
)

/** The options set by flags, for commands that read no config. */
export function localFlags(flags: Flags): LocalOptions {
  const given = readOverrides(flags, {}).flatMap(({ path, value, source }) => {
    const name = KEYS.get(source.replace('--', ''))
    if (name === undefined || path[0] !== 'certificate') return []
    const read = LOCAL_SCHEMAS[name].safeParse(value)
    if (read.success) return [[name, read.data]]
    const expected = read.error.issues[0]?.message ?? 'readable'
    throw new UsageError(`${source} must be ${expected}, got ${quoted(String(flags.get(source.replace('--', ''))))}`)
  })
  return localOptionsOf(Object.fromEntries(given))
}

/** The profile and its options, for a command that makes certificates of one profile. */
export function profileFlags(flags: Flags): { readonly profile: Profile; readonly local: LocalOptions } {
  const profile = wordFlag(flags, 'profile', PROFILES) ?? CONFIG_DEFAULTS.certificate.profile
  refuseLocalFlags(flags, profile)
  return { profile, local: localFlags(flags) }
}

function refuseLocalFlags(flags: Flags, profile: Profile): void {
  if (profile === 'tight' || profile === 'paper') return
  const given = Object.keys(LOCAL_FLAGS).find((name) => flags.has(name))
  if (given !== undefined)
    throw new UsageError(`--${given} needs --profile tight or paper: the other profiles have no neighbourhoods`)
}
