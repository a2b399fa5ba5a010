import { CertificateError } from '../certificate-error.ts'
import { choice, definedOnly } from '../choice.ts'
import type { ModulusReading } from '../envelopes/modulus.ts'
import type { Ties } from '../neighbours/neighbour-index.ts'
import type { CdfReading } from '../states/empirical-cdf.ts'

export type Concentration = 'hoeffding' | 'empirical-bernstein' | 'clopper-pearson'

/**
 * How far the mean correctness of the neighbours may exceed that at the query. It is an assumption learned from pilot
 * labels (or stated by the user, in units of the normalised state), not a confidence bound.
 */
export type EnvelopeChoice =
  | 'none'
  | 'modulus'
  | 'mean-modulus'
  | 'pilot-oscillation'
  | { readonly lipschitz: number }
  | { readonly holder: readonly [constant: number, exponent: number] }
  /** Correctness changes by at most this much within any neighbourhood. */
  | { readonly oscillation: number }
  | EnvelopeFunction

/**
 * A custom envelope, b(k, state). The state is the one between which distances are taken, before normalisation. A saved
 * certificate has only the name, and `loadCertificate` takes the function again.
 */
export interface EnvelopeFunction {
  readonly name: string
  readonly of: (k: number, state: readonly number[]) => number
}

export interface KnnOptions {
  readonly kFamily: readonly number[]
  readonly concentration: Concentration
  readonly envelope: EnvelopeChoice
  readonly smoother: 'gam' | 'isotonic'
  /** Inflation of the envelope, at least 1. */
  readonly rho: number
  readonly ties: Ties
  /** `none`: the state is already on the scale of the stated Lipschitz or Hoelder constant. */
  readonly cdf: CdfReading | 'none'
  readonly modulusTable: ModulusReading
  /**
   * What the level is divided by in addition to the rounds: the size of the family, or the number of distinct
   * neighbourhoods found.
   */
  readonly looks: 'family' | 'distinct'
  /**
   * `printed`: alpha = beta - delta - epsilon, as in the paper. `sharp`: delta takes almost nothing from beta
   * (`resolveBudget`); proved for Hoeffding and Clopper-Pearson only.
   */
  readonly alphaRule: 'printed' | 'sharp'
}

const CONCENTRATIONS = ['hoeffding', 'empirical-bernstein', 'clopper-pearson'] as const
const ENVELOPES = ['none', 'modulus', 'mean-modulus', 'pilot-oscillation'] as const

/** Names of the options of a k-NN certificate, without those of its caller. */
export const KNN_OPTION_NAMES = [
  'kFamily',
  'concentration',
  'envelope',
  'smoother',
  'rho',
  'ties',
  'cdf',
  'modulusTable',
  'looks',
  'alphaRule',
] as const satisfies readonly (keyof KnnOptions)[]

export type KnnProfile = 'paper' | 'tight'

const PROFILES: Readonly<Record<KnnProfile, Omit<KnnOptions, 'rho'>>> = Object.freeze({
  paper: {
    kFamily: [128, 256, 512],
    concentration: 'hoeffding',
    envelope: 'modulus',
    smoother: 'gam',
    ties: 'index',
    cdf: 'step',
    modulusTable: 'linear',
    looks: 'family',
    alphaRule: 'printed',
  },
  tight: {
    kFamily: [128, 256, 512],
    concentration: 'clopper-pearson',
    envelope: 'pilot-oscillation',
    smoother: 'gam',
    ties: 'include',
    cdf: 'interpolated',
    modulusTable: 'upward',
    looks: 'distinct',
    alphaRule: 'sharp',
  },
})

export function resolveKnnOptions(where: string, profile: KnnProfile, overrides: Partial<KnnOptions>): KnnOptions {
  const preset = PROFILES[choice(where, 'profile', profile, ['paper', 'tight'])]
  const merged: Partial<KnnOptions> & Omit<KnnOptions, 'rho'> = { ...preset, ...definedOnly(overrides) }
  return Object.freeze({
    kFamily: checkedFamily(where, merged.kFamily),
    concentration: choice(where, 'concentration', merged.concentration, CONCENTRATIONS),
    envelope: checkedEnvelope(where, merged.envelope),
    smoother: choice(where, 'smoother', merged.smoother, ['gam', 'isotonic']),
    // The oscillation of an estimated smoother is too small. Simulation showed that a factor of 1.5 is needed.
    rho: checkedRho(where, merged.rho ?? (merged.envelope === 'pilot-oscillation' ? 1.5 : 1)),
    ties: choice(where, 'ties', merged.ties, ['include', 'index']),
    cdf: choice(where, 'cdf', merged.cdf, ['step', 'interpolated', 'none']),
    modulusTable: choice(where, 'modulusTable', merged.modulusTable, ['linear', 'upward']),
    looks: choice(where, 'looks', merged.looks, ['family', 'distinct']),
    alphaRule: checkedAlphaRule(where, merged, overrides.alphaRule),
  })
}

/** Empirical Bernstein keeps the printed rule in every profile, since the sharp rule is not proved for it. */
function checkedAlphaRule(
  where: string,
  { alphaRule, concentration }: Pick<KnnOptions, 'alphaRule' | 'concentration'>,
  asked: unknown,
): KnnOptions['alphaRule'] {
  const rule = choice(where, 'alphaRule', alphaRule, ['printed', 'sharp'])
  if (concentration !== 'empirical-bernstein' || rule === 'printed') return rule
  if (asked === undefined) return 'printed'
  throw new CertificateError(where, 'alphaRule', 'printed with empirical-bernstein: the sharp rule is not proved', rule)
}

function checkedFamily(where: string, kFamily: readonly number[]): readonly number[] {
  if (!(Array.isArray(kFamily) && kFamily.length >= 1 && kFamily.length <= 64)) {
    throw new CertificateError(where, 'kFamily', 'an array of 1 to 64 neighbourhood sizes', kFamily)
  }
  for (const [index, k] of kFamily.entries()) {
    if (!(Number.isInteger(k) && k >= 1)) {
      throw new CertificateError(where, `kFamily[${index}]`, 'an integer of at least 1', k)
    }
    if (kFamily.indexOf(k) !== index) throw new CertificateError(where, `kFamily[${index}]`, 'a size not yet named', k)
  }
  return Object.freeze([...kFamily].sort((a, b) => a - b))
}

function checkedRho(where: string, rho: number): number {
  if (!(Number.isFinite(rho) && rho >= 1))
    throw new CertificateError(where, 'rho', 'a finite number of at least 1', rho)
  return rho
}

function checkedEnvelope(where: string, envelope: EnvelopeChoice): EnvelopeChoice {
  if (typeof envelope === 'string') return choice(where, 'envelope', envelope, ENVELOPES)
  const stated = typeof envelope === 'object' && envelope !== null ? envelope : {}
  if ('lipschitz' in stated) {
    if (isFiniteNonNegative(stated.lipschitz)) return Object.freeze({ lipschitz: stated.lipschitz })
    throw new CertificateError(where, 'envelope.lipschitz', 'a finite number of at least 0', stated.lipschitz)
  }
  if ('holder' in stated && Array.isArray(stated.holder) && stated.holder.length === 2) {
    const [constant, exponent] = stated.holder
    if (!isFiniteNonNegative(constant)) {
      throw new CertificateError(where, 'envelope.holder[0]', 'a finite number of at least 0', constant)
    }
    if (!(isFiniteNonNegative(exponent) && exponent > 0 && exponent <= 1)) {
      throw new CertificateError(where, 'envelope.holder[1]', 'an exponent in (0, 1]', exponent)
    }
    return Object.freeze({ holder: Object.freeze([constant, exponent] as const) })
  }
  if ('oscillation' in stated) {
    if (isFiniteNonNegative(stated.oscillation)) return Object.freeze({ oscillation: stated.oscillation })
    throw new CertificateError(where, 'envelope.oscillation', 'a finite number of at least 0', stated.oscillation)
  }
  if ('name' in stated && typeof stated.name === 'string' && stated.name !== '') {
    const { name } = stated
    if ('of' in stated && typeof stated.of === 'function') {
      return Object.freeze({ name, of: stated.of as EnvelopeFunction['of'] }) // what it gives is checked at every call
    }
    throw new CertificateError(where, 'envelope.of', `the function "${name}" of k and the state`, undefined)
  }
  throw new CertificateError(
    where,
    'envelope',
    'a name, { lipschitz }, { holder: [constant, exponent] }, { oscillation } or { name, of }',
    envelope,
  )
}

function isFiniteNonNegative(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < Infinity
}
