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

/** What the sliders say. */
export interface Settings extends Required<Pick<Budget, 'beta' | 'delta' | 'epsilon'>> {
  readonly profile: Profile
  /** Profile total: smallest share right in every class; null: no floor, or another profile. */
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

export const SMALLEST_ALPHA = 0.001

/** The least alpha that a slider of delta or epsilon leaves: with .001 nothing can be certified. */
export const MIN_ALPHA = 0.002

/**
 * beta moves freely, and a usual split goes with it; epsilon, and under the paper's rule delta, stop where they would
 * leave nothing for alpha. Elsewhere delta costs hardly any of beta.
 */
export function moved(settings: Settings, name: SliderName, value: number): Settings {
  const inRange = decimal(Math.min(Math.max(value, RANGES[name].min), RANGES[name].max))
  if (name === 'beta') {
    const next = { ...settings, beta: inRange }
    // Each of the two dials moves alone.
    return settings.profile !== 'total' && isUsualSplit(settings) ? usualSplit(next) : next
  }
  if (name === 'floor' || settings.profile === 'total') return { ...settings, [name]: inRange }
  const { alpha, epsilon, delta } = resolved(settings, 1)
  const spent = name === 'epsilon' ? epsilon : settings.profile === 'paper' ? delta : null
  const most = spent === null ? RANGES[name].max : decimal(alpha + spent - MIN_ALPHA)
  const least = RANGES[name].min
  return { ...settings, [name]: Math.max(least, Math.min(inRange, most)) }
}

/** Cells need no epsilon; a profile that does gets the usual share of beta. */
export function withProfile(settings: Settings, profile: Profile): Settings {
  if (profile === settings.profile) return settings
  // A delta of total is a confidence, that of the others a chance of a bound: neither is kept for the other.
  if (profile === 'total' || settings.profile === 'total') return usualSplit({ ...settings, profile })
  const needsEpsilon = profile !== 'cells' && settings.epsilon === 0
  return { ...settings, profile, epsilon: needsEpsilon ? usualBudget(settings.beta).epsilon : settings.epsilon }
}

/** As --beta splits it. Cells that were declared without an epsilon stay so. */
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

/** With a residual risk of a tenth of a per cent or less nothing can be certified. */
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

/** For the address; nothing where the sliders stand as the certificate was made. */
export function toQuery(settings: Settings, declared: Settings): Record<string, string> {
  if (isSame(settings, declared)) return {}
  const { beta, delta, epsilon, profile, floor } = settings
  const parts = { beta: `${beta}`, delta: `${delta}`, profile }
  return profile === 'total' ? { ...parts, floor: `${floor ?? 'none'}` } : { ...parts, epsilon: `${epsilon}` }
}

/** What an address says, the certificate's own values for the rest. Anything but a number in range is passed over. */
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

/** What the certificate is asked for; `kind` as the certificate in use promises. */
export function asBudget({ beta, delta, epsilon, floor, profile }: Settings, kind: TotalPromise['kind']): Budget {
  if (profile !== 'total') return { beta, delta, epsilon }
  return { beta, delta, epsilon: 0, total: { kind, delta, floor: floor ?? 'none' } }
}

/** Lines of quorate.config.yaml. */
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
