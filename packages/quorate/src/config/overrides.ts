import type { Environment } from '../model/redact-secrets.ts'
import type { KeyPath } from './config-error.ts'

interface Overridable {
  readonly path: KeyPath
  /** Without the dashes. */
  readonly flag: string
  readonly variable: string
  readonly isNumber: boolean
}

/** What the command line and the environment may say instead of the file. */
export const OVERRIDABLE: readonly Overridable[] = Object.freeze([
  { path: ['store'], flag: 'store', variable: 'QUORATE_STORE', isNumber: false },
  { path: ['budget', 'beta'], flag: 'beta', variable: 'QUORATE_BETA', isNumber: true },
  { path: ['budget', 'delta'], flag: 'delta', variable: 'QUORATE_DELTA', isNumber: true },
  { path: ['budget', 'epsilon'], flag: 'epsilon', variable: 'QUORATE_EPSILON', isNumber: true },
  { path: ['certificate', 'profile'], flag: 'profile', variable: 'QUORATE_PROFILE', isNumber: false },
  { path: ['limits', 'maxCostUsd'], flag: 'max-cost', variable: 'QUORATE_MAX_COST', isNumber: true },
  { path: ['limits', 'concurrency'], flag: 'concurrency', variable: 'QUORATE_CONCURRENCY', isNumber: true },
  { path: ['review', 'spotCheckRate'], flag: 'spot-check-rate', variable: 'QUORATE_SPOT_CHECK_RATE', isNumber: true },
  { path: ['seed'], flag: 'seed', variable: 'QUORATE_SEED', isNumber: true },
])

/** A value that did not come from the file, and who said it. */
export interface Override {
  readonly path: KeyPath
  readonly value: string | number | null
  readonly kind: 'flag' | 'variable'
  /** `--beta` or `QUORATE_BETA`. */
  readonly source: string
}

/** Flags over environment. An empty variable says nothing. */
export function readOverrides(flags: ReadonlyMap<string, string | true>, env: Environment): readonly Override[] {
  return OVERRIDABLE.flatMap(({ path, flag, variable, isNumber }): readonly Override[] => {
    const given = flags.get(flag)
    if (typeof given === 'string') return [{ path, value: read(given, isNumber), kind: 'flag', source: `--${flag}` }]
    const set = env[variable]?.trim() ?? ''
    return set === '' ? [] : [{ path, value: read(set, isNumber), kind: 'variable', source: variable }]
  })
}

/** A copy of the file's value with the overrides in it. What is no map is left for the schema to refuse. */
export function withOverrides(value: unknown, overrides: readonly Override[]): unknown {
  return overrides.reduce((held, { path, value: said }) => placed(held, path, said), value)
}

function placed(holder: unknown, [key, ...rest]: KeyPath, said: unknown): unknown {
  if (key === undefined) return said
  if (holder !== undefined && holder !== null && (typeof holder !== 'object' || Array.isArray(holder))) return holder
  const held: Readonly<Record<string, unknown>> = { ...holder }
  return { ...held, [key]: placed(held[key], rest, said) }
}

/** `none` for a cap that is taken away; what is no number stays as it is, for the schema to refuse. */
function read(text: string, isNumber: boolean): string | number | null {
  if (!isNumber) return text
  if (text === 'none') return null
  const number = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isNaN(number) ? text : number
}
