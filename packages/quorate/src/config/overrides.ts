import { type Budget, usualBudget } from '@quorate/certificate'
import type { Environment } from '../model/redact-secrets.ts'
import type { KeyPath } from './config-error.ts'
import { CONFIG_DEFAULTS } from './defaults.ts'

interface Overridable {
  readonly path: KeyPath
  /** Without the dashes. */
  readonly flag: string
  readonly variable: string
  readonly isNumber: boolean
  /** Numbers separated by commas. */
  readonly isList?: boolean
}

/** The keys that the command line and the environment may override. */
const OVERRIDABLE: readonly Overridable[] = Object.freeze([
  { path: ['store'], flag: 'store', variable: 'QUORATE_STORE', isNumber: false },
  { path: ['budget', 'beta'], flag: 'beta', variable: 'QUORATE_BETA', isNumber: true },
  { path: ['budget', 'delta'], flag: 'delta', variable: 'QUORATE_DELTA', isNumber: true },
  { path: ['budget', 'epsilon'], flag: 'epsilon', variable: 'QUORATE_EPSILON', isNumber: true },
  { path: ['budget', 'floor'], flag: 'floor', variable: 'QUORATE_FLOOR', isNumber: true },
  { path: ['budget', 'promise'], flag: 'promise', variable: 'QUORATE_PROMISE', isNumber: false },
  { path: ['certificate', 'profile'], flag: 'profile', variable: 'QUORATE_PROFILE', isNumber: false },
  { path: ['budget', 'deltaOmega'], flag: 'delta-omega', variable: 'QUORATE_DELTA_OMEGA', isNumber: true },
  { path: ['certificate', 'envelope'], flag: 'envelope', variable: 'QUORATE_ENVELOPE', isNumber: false },
  { path: ['certificate', 'smoother'], flag: 'smoother', variable: 'QUORATE_SMOOTHER', isNumber: false },
  { path: ['certificate', 'rho'], flag: 'rho', variable: 'QUORATE_RHO', isNumber: true },
  { path: ['certificate', 'concentration'], flag: 'concentration', variable: 'QUORATE_CONCENTRATION', isNumber: false },
  { path: ['certificate', 'state'], flag: 'state', variable: 'QUORATE_STATE', isNumber: false },
  {
    path: ['certificate', 'kFamily'],
    flag: 'k-family',
    variable: 'QUORATE_K_FAMILY',
    isNumber: true,
    isList: true,
  },
  { path: ['limits', 'maxCostUsd'], flag: 'max-cost', variable: 'QUORATE_MAX_COST', isNumber: true },
  { path: ['limits', 'concurrency'], flag: 'concurrency', variable: 'QUORATE_CONCURRENCY', isNumber: true },
  { path: ['review', 'spotCheckRate'], flag: 'spot-check-rate', variable: 'QUORATE_SPOT_CHECK_RATE', isNumber: true },
  { path: ['server', 'publicUrl'], flag: 'public-url', variable: 'QUORATE_PUBLIC_URL', isNumber: false },
  {
    path: ['server', 'connectionsPerAddress'],
    flag: 'connections-per-address',
    variable: 'QUORATE_CONNECTIONS_PER_ADDRESS',
    isNumber: true,
  },
  { path: ['seed'], flag: 'seed', variable: 'QUORATE_SEED', isNumber: true },
])

/** A value that did not come from the file, and its source. */
export interface Override {
  readonly path: KeyPath
  readonly value: string | number | null | readonly number[]
  readonly kind: 'flag' | 'variable'
  /** `--beta` or `QUORATE_BETA`. */
  readonly source: string
}

/** Reads the overrides. Flags come before the environment. An empty variable does not count. */
export function readOverrides(flags: ReadonlyMap<string, string | true>, env: Environment): readonly Override[] {
  return OVERRIDABLE.flatMap(({ path, flag, variable, ...how }): readonly Override[] => {
    const given = flags.get(flag)
    if (typeof given === 'string') return [{ path, value: read(given, how), kind: 'flag', source: `--${flag}` }]
    const set = env[variable]?.trim() ?? ''
    return set === '' ? [] : [{ path, value: read(set, how), kind: 'variable', source: variable }]
  })
}

/**
 * A copy of the file's value with the overrides applied, and with delta and epsilon that belong to its beta. The schema
 * will refuse values that are no maps.
 */
export function withOverrides(value: unknown, overrides: readonly Override[]): unknown {
  const usual = usualParts(value, overrides)
  const given = overrides.reduce((config, { path, value: over }) => placed(config, path, over), value)
  return usual.reduce((config, [name, part]) => placed(config, ['budget', name], part), given)
}

/** The names of delta and epsilon if they stay as in the file although beta is overridden. */
export function keptParts(value: unknown, overrides: readonly Override[]): readonly string[] {
  if (overriddenBeta(overrides) === null) return []
  const usual = usualParts(value, overrides).map(([name]) => name)
  return PARTS.filter((name) => !usual.includes(name) && overrides.every((override) => !isPart(override, name)))
}

const PARTS = ['delta', 'epsilon'] as const

/**
 * The parts that nobody chose for this beta: those that the file leaves out, and if a flag or variable overrides beta,
 * those that are the usual ones for the beta of the file.
 */
function usualParts(
  value: unknown,
  overrides: readonly Override[],
): readonly (readonly [(typeof PARTS)[number], number])[] {
  const file = budgetOf(value)
  const other = overriddenBeta(overrides)
  const beta = other ?? file.beta ?? file.wrongOfActed
  if (typeof beta !== 'number' || !(beta > 0 && beta < 1)) return [] // the schema refuses it
  const profile = profileOf(value, overrides)
  const usual = usualBudget(beta, profile)
  const isUsual = other !== null && isUsualIn(file, profile)
  return PARTS.filter((name) => overrides.every((override) => !isPart(override, name)))
    .filter((name) => file[name] === undefined || isUsual)
    .map((name) => [name, usual[name]] as const)
}

function overriddenBeta(overrides: readonly Override[]): number | null {
  const given = overrides.find((override) => isPart(override, 'beta'))?.value
  return typeof given === 'number' ? given : null
}

function isPart({ path }: Override, name: keyof Budget): boolean {
  return path[0] === 'budget' && path[1] === name
}

function budgetOf(value: unknown): Readonly<Partial<Record<keyof Budget | 'wrongOfActed', unknown>>> {
  const budget: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'budget') : undefined
  return typeof budget === 'object' && budget !== null ? budget : {}
}

/** The profile from the flags, the environment or the file. The schema refuses what is no profile. */
function profileOf(value: unknown, overrides: readonly Override[]): unknown {
  const given = overrides.find(({ path }) => path[0] === 'certificate' && path[1] === 'profile')?.value
  const certificate: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'certificate') : null
  const named: unknown =
    typeof certificate === 'object' && certificate !== null ? Reflect.get(certificate, 'profile') : null
  return given ?? named ?? CONFIG_DEFAULTS.certificate.profile
}

/** Whether delta and epsilon are as `quorate init` writes them, or left out. */
function isUsualIn(file: ReturnType<typeof budgetOf>, profile: unknown): boolean {
  if (typeof file.beta !== 'number') return false
  const usual = usualBudget(file.beta, profile)
  return PARTS.every((name) => {
    const part = file[name]
    return part === undefined || (typeof part === 'number' && Math.abs(part - usual[name]) <= 1e-5 * usual[name])
  })
}

function placed(parent: unknown, [key, ...rest]: KeyPath, given: unknown): unknown {
  if (key === undefined) return given
  if (parent !== undefined && parent !== null && (typeof parent !== 'object' || Array.isArray(parent))) return parent
  const own: Readonly<Record<string, unknown>> = { ...parent }
  return { ...own, [key]: placed(own[key], rest, given) }
}

/** `none` removes a cap. The schema refuses what is no number, so it stays as it is. */
function read(
  text: string,
  { isNumber, isList = false }: { readonly isNumber: boolean; readonly isList?: boolean },
): Override['value'] {
  if (!isNumber) return text
  if (isList) {
    const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
    return numbers.some(Number.isNaN) ? text : numbers
  }
  if (text === 'none') return null
  const number = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isNaN(number) ? text : number
}
