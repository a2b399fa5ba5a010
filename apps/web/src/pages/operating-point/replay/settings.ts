import {
  type Budget,
  PROFILES,
  type Profile,
  resolveProfileBudget,
  type TotalPromise,
  usualBudget,
  usualFloor,
} from '@quorate/certificate'

export { PROFILES, type Profile }

/** The values of the sliders. */
export interface Settings extends Required<Pick<Budget, 'beta' | 'delta' | 'epsilon'>> {
  readonly profile: Profile
  /** Profile total: the smallest share right in every class; null without a floor and for other profiles. */
  readonly floor: number | null
}

export interface Range {
  readonly min: number
  readonly max: number
  readonly step: number
}

export const RANGES = {
  beta: { min: 0.01, max: 0.5, step: 0.005 },
  delta: { min: 0.001, max: 0.2, step: 0.001 },
  epsilon: { min: 0, max: 0.2, step: 0.001 },
  floor: { min: 0.5, max: 0.99, step: 0.005 },
} as const satisfies Record<string, Range>

export type SliderName = keyof typeof RANGES

/** Alpha must be above this value. */
export const SMALLEST_ALPHA = 0.001

/** The sliders of delta and epsilon leave at least this alpha, because nothing can be certified with 0.001. */
export const MIN_ALPHA = 0.002

/**
 * The settings after one slider moved. beta moves freely, and delta and epsilon follow it while they have the usual split.
 * epsilon stops where it would leave nothing for alpha, and so does delta under the paper's rule. Under other rules delta
 * takes very little of beta.
 */
export function moved(settings: Settings, name: SliderName, value: number): Settings {
  const inRange = decimal(Math.min(Math.max(value, RANGES[name].min), RANGES[name].max))
  if (name === 'beta') {
    const next = { ...settings, beta: inRange }
    // In profile total, beta and the floor are dials that move independently.
    return settings.profile !== 'total' && isUsualSplit(settings) ? usualSplit(next) : next
  }
  if (name === 'floor' || settings.profile === 'total') return { ...settings, [name]: inRange }
  const { alpha, epsilon, delta } = resolved(settings, 1)
  const spent = name === 'epsilon' ? epsilon : settings.profile === 'paper' ? delta : null
  const most = spent === null ? RANGES[name].max : decimal(alpha + spent - MIN_ALPHA)
  const least = RANGES[name].min
  return { ...settings, [name]: Math.max(least, Math.min(inRange, most)) }
}

/** Cells need no epsilon. A profile that needs one gets the usual share of beta. */
export function withProfile(settings: Settings, profile: Profile): Settings {
  if (profile === settings.profile) return settings
  // delta means a confidence in profile total and a failure probability in the others, so it is not carried over.
  if (profile === 'total' || settings.profile === 'total') return usualSplit({ ...settings, profile })
  const needsEpsilon = profile !== 'cells' && settings.epsilon === 0
  return { ...settings, profile, epsilon: needsEpsilon ? usualBudget(settings.beta).epsilon : settings.epsilon }
}

/** Splits beta as `--beta` does. Cells that were declared without an epsilon stay without one. */
export function usualSplit(settings: Settings): Settings {
  const { delta, epsilon } = usualBudget(settings.beta, settings.profile)
  if (settings.profile === 'total') return { ...settings, delta, epsilon, floor: usualFloor(settings.beta) }
  const isUnused = settings.profile === 'cells' && settings.epsilon === 0
  return { ...settings, delta, epsilon: isUnused ? 0 : epsilon, floor: null }
}

export function isUsualSplit(settings: Settings): boolean {
  if (settings.profile === 'total') return isSame(settings, usualSplit(settings))
  const usual = usualBudget(settings.beta)
  const isNear = (part: number, other: number) => Math.abs(part - other) <= 1e-5 * other
  return (
    isNear(settings.delta, usual.delta) && (settings.profile === 'cells' || isNear(settings.epsilon, usual.epsilon))
  )
}

/** Nothing can be certified with a residual risk alpha of 0.1 % or less. */
export function isFeasible(settings: Settings, rounds: number): boolean {
  return alphaOf(settings, rounds) > SMALLEST_ALPHA
}

export function alphaOf(settings: Settings, rounds: number): number {
  return resolved(settings, rounds).alpha
}

export function isSame(left: Settings, right: Settings): boolean {
  const isUnused = left.profile === 'cells' || left.profile === 'total'
  const isEpsilonSame = isUnused || left.epsilon === right.epsilon
  const isSplitSame = left.beta === right.beta && left.delta === right.delta && left.floor === right.floor
  return left.profile === right.profile && isSplitSame && isEpsilonSame
}

/** The settings as a query of the address; empty if they are those of the certificate. */
export function toQuery(settings: Settings, declared: Settings): Record<string, string> {
  if (isSame(settings, declared)) return {}
  const { beta, delta, epsilon, profile, floor } = settings
  const parts = { beta: `${beta}`, delta: `${delta}`, profile }
  return profile === 'total' ? { ...parts, floor: `${floor ?? 'none'}` } : { ...parts, epsilon: `${epsilon}` }
}

/** The settings of an address. A value that is missing or out of range is that of the certificate. */
export function fromQuery(query: URLSearchParams, declared: Settings): Settings {
  const number = (name: Exclude<SliderName, 'floor'>) => {
    const value = Number(query.get(name) ?? Number.NaN)
    const { min, max } = RANGES[name]
    return value >= min && value <= max ? decimal(value) : declared[name]
  }
  const profile = PROFILES.find((name) => name === query.get('profile')) ?? declared.profile
  const parts = { beta: number('beta'), delta: number('delta'), epsilon: number('epsilon'), profile }
  return { ...parts, floor: profile === 'total' ? floorOf(query.get('floor'), declared, parts.beta) : null }
}

function floorOf(text: string | null, declared: Settings, beta: number): number | null {
  if (text === 'none') return null
  const value = Number(text ?? Number.NaN)
  const { min, max } = RANGES.floor
  if (value >= min && value <= max) return decimal(value)
  return declared.profile === 'total' ? declared.floor : usualFloor(beta)
}

/** The settings as a budget. `kind` is the kind of promise of the certificate in use. */
export function asBudget({ beta, delta, epsilon, floor, profile }: Settings, kind: TotalPromise['kind']): Budget {
  if (profile !== 'total') return { beta, delta, epsilon }
  return { beta, delta, epsilon: 0, total: { kind, delta, floor: floor ?? 'none' } }
}

/** The settings as lines of quorate.config.yaml. */
export function configLines(settings: Settings): string {
  const { beta, delta, epsilon, profile, floor } = settings
  const parts = profile === 'total' ? `floor: ${floor ?? 'none'}` : `epsilon: ${epsilon}`
  return `budget: { beta: ${beta}, delta: ${delta}, ${parts} }\ncertificate: { profile: ${profile} }\n`
}

function resolved({ beta, delta, epsilon, profile }: Settings, rounds: number) {
  return resolveProfileBudget('operating point', { beta, delta, epsilon }, profile, rounds)
}

function decimal(value: number): number {
  return Math.round(value * 1e6) / 1e6
}
