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
}

/** What the command line and the environment may say instead of the file. */
export const OVERRIDABLE: readonly Overridable[] = Object.freeze([
  { path: ['store'], flag: 'store', variable: 'QUORATE_STORE', isNumber: false },
  { path: ['budget', 'beta'], flag: 'beta', variable: 'QUORATE_BETA', isNumber: true },
  { path: ['budget', 'delta'], flag: 'delta', variable: 'QUORATE_DELTA', isNumber: true },
  { path: ['budget', 'epsilon'], flag: 'epsilon', variable: 'QUORATE_EPSILON', isNumber: true },
  { path: ['budget', 'floor'], flag: 'floor', variable: 'QUORATE_FLOOR', isNumber: true },
  { path: ['budget', 'promise'], flag: 'promise', variable: 'QUORATE_PROMISE', isNumber: false },
  { path: ['certificate', 'profile'], flag: 'profile', variable: 'QUORATE_PROFILE', isNumber: false },
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

/**
 * A copy of the file's value with the overrides in it, and with a budget whose parts belong to its beta. What is no map is
 * left for the schema to refuse.
 */
export function withOverrides(value: unknown, overrides: readonly Override[]): unknown {
  const usual = usualParts(value, overrides)
  const said = overrides.reduce((held, { path, value: over }) => placed(held, path, over), value)
  return usual.reduce((held, [name, part]) => placed(held, ['budget', name], part), said)
}

/** Where delta and epsilon stay as the file has them although another beta was given: their names. */
export function keptParts(value: unknown, overrides: readonly Override[]): readonly string[] {
  if (overriddenBeta(overrides) === null) return []
  const usual = usualParts(value, overrides).map(([name]) => name)
  return PARTS.filter((name) => !usual.includes(name) && overrides.every((override) => !isPart(override, name)))
}

const PARTS = ['delta', 'epsilon'] as const

type Part = (typeof PARTS)[number]

/**
 * Parts that nobody chose for this beta: left out of the file, or, where a flag or variable gives another beta, the
 * usual ones for the beta of the file.
 */
function usualParts(value: unknown, overrides: readonly Override[]): readonly (readonly [Part, number])[] {
  const file = budgetOf(value)
  const other = overriddenBeta(overrides)
  const beta = other ?? file.beta ?? file.wrongOfActed
  if (typeof beta !== 'number' || !(beta > 0 && beta < 1)) return [] // the schema says so
  const profile = profileOf(value, overrides)
  const usual = usualBudget(beta, profile)
  const isUsual = other !== null && isUsualIn(file, profile)
  return PARTS.filter((name) => overrides.every((override) => !isPart(override, name)))
    .filter((name) => file[name] === undefined || isUsual)
    .map((name) => [name, usual[name]] as const)
}

function overriddenBeta(overrides: readonly Override[]): number | null {
  const said = overrides.find((override) => isPart(override, 'beta'))?.value
  return typeof said === 'number' ? said : null
}

function isPart({ path }: Override, name: keyof Budget): boolean {
  return path[0] === 'budget' && path[1] === name
}

function budgetOf(value: unknown): Readonly<Partial<Record<keyof Budget | 'wrongOfActed', unknown>>> {
  const budget: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'budget') : undefined
  return typeof budget === 'object' && budget !== null ? budget : {}
}

/** As the flags, the environment or the file say; what is no profile is for the schema to refuse. */
function profileOf(value: unknown, overrides: readonly Override[]): unknown {
  const said = overrides.find(({ path }) => path[0] === 'certificate' && path[1] === 'profile')?.value
  const certificate: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'certificate') : null
  const named: unknown =
    typeof certificate === 'object' && certificate !== null ? Reflect.get(certificate, 'profile') : null
  return said ?? named ?? CONFIG_DEFAULTS.certificate.profile
}

/** As `quorate init` writes them, or left out. */
function isUsualIn(file: ReturnType<typeof budgetOf>, profile: unknown): boolean {
  if (typeof file.beta !== 'number') return false
  const usual = usualBudget(file.beta, profile)
  return PARTS.every((name) => {
    const part = file[name]
    return part === undefined || (typeof part === 'number' && Math.abs(part - usual[name]) <= 1e-5 * usual[name])
  })
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
