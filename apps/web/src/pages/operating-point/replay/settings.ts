import { type Budget, PROFILES, type Profile, resolveProfileBudget, usualBudget } from '@quorate/certificate'

export { PROFILES, type Profile }

/** What the sliders say. */
export interface Settings extends Required<Pick<Budget, 'beta' | 'delta' | 'epsilon'>> {
  readonly profile: Profile
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
} as const satisfies Record<string, Range>

export type SliderName = keyof typeof RANGES

export const SMALLEST_ALPHA = 0.001

/** The least alpha that a slider of delta or epsilon leaves: with .001 nothing can be certified. */
export const LEAST_ALPHA = 0.002

/**
 * beta moves freely, and a usual split goes with it; epsilon, and under the paper's rule delta, stop where they would
 * leave nothing for alpha. Elsewhere delta costs hardly any of beta.
 */
export function moved(settings: Settings, name: SliderName, value: number): Settings {
  const inRange = decimal(Math.min(Math.max(value, RANGES[name].min), RANGES[name].max))
  if (name === 'beta') {
    const next = { ...settings, beta: inRange }
    return isUsualSplit(settings) ? usualSplit(next) : next
  }
  const { alpha, epsilon, delta } = resolved(settings, 1)
  const spent = name === 'epsilon' ? epsilon : settings.profile === 'paper' ? delta : null
  const most = spent === null ? RANGES[name].max : decimal(alpha + spent - LEAST_ALPHA)
  const least = RANGES[name].min
  return { ...settings, [name]: Math.max(least, Math.min(inRange, most)) }
}

/** Cells need no epsilon; a profile that does gets the usual share of beta. */
export function withProfile(settings: Settings, profile: Profile): Settings {
  const needsEpsilon = profile !== 'cells' && settings.epsilon === 0
  return { ...settings, profile, epsilon: needsEpsilon ? usualBudget(settings.beta).epsilon : settings.epsilon }
}

/** As --beta splits it. Cells that were declared without an epsilon stay so. */
export function usualSplit(settings: Settings): Settings {
  const { delta, epsilon } = usualBudget(settings.beta)
  const isUnused = settings.profile === 'cells' && settings.epsilon === 0
  return { ...settings, delta, epsilon: isUnused ? 0 : epsilon }
}

export function isUsualSplit(settings: Settings): boolean {
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
  const isEpsilonSame = left.profile === 'cells' || left.epsilon === right.epsilon
  return left.profile === right.profile && left.beta === right.beta && left.delta === right.delta && isEpsilonSame
}

/** For the address; nothing where the sliders stand as the certificate was made. */
export function toQuery(settings: Settings, declared: Settings): Record<string, string> {
  if (isSame(settings, declared)) return {}
  const { beta, delta, epsilon, profile } = settings
  return { beta: `${beta}`, delta: `${delta}`, epsilon: `${epsilon}`, profile }
}

/** What an address says, the certificate's own values for the rest. Anything but a number in range is passed over. */
export function fromQuery(query: URLSearchParams, declared: Settings): Settings {
  const number = (name: SliderName) => {
    const value = Number(query.get(name) ?? Number.NaN)
    const { min, max } = RANGES[name]
    return value >= min && value <= max ? decimal(value) : declared[name]
  }
  return {
    beta: number('beta'),
    delta: number('delta'),
    epsilon: number('epsilon'),
    profile: PROFILES.find((profile) => profile === query.get('profile')) ?? declared.profile,
  }
}

/** Lines of quorate.config.yaml. */
export function configLines(settings: Settings): string {
  const { beta, delta, epsilon, profile } = settings
  return `budget: { beta: ${beta}, delta: ${delta}, epsilon: ${epsilon} }\ncertificate: { profile: ${profile} }\n`
}

function resolved({ beta, delta, epsilon, profile }: Settings, rounds: number) {
  return resolveProfileBudget('operating point', { beta, delta, epsilon }, profile, rounds)
}

function decimal(value: number): number {
  return Math.round(value * 1e6) / 1e6
}
