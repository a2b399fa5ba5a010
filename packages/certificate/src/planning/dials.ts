import { decimal } from '../budget.ts'

/** How much would be acted on if one setting (dial) of `total` changed and the other stayed the same. */
export interface Dials {
  /** The dial that limits acting: loosening it would act on more. */
  readonly binds: 'beta' | 'floor' | 'both' | 'neither'
  /** By beta, at the current floor. */
  readonly byBeta: readonly DialPoint[]
  /** By floor, at the current beta; empty if there is no floor. */
  readonly byFloor: readonly DialPoint[]
}

export interface DialPoint {
  readonly value: number
  /** Share of the debates acted on. */
  readonly act: number
}

export interface DialSettings {
  readonly beta: number
  /** Null if there is none. */
  readonly floor: number | null
}

/** A dial binds if loosening it adds at least one percentage point. */
const ONE_POINT = 0.01
const LOOSER_BETA = 1.5
const LOOSER_FLOOR = 0.1
const LARGEST_BETA = 0.999
const BETAS = [0.02, 0.05, 0.1, 0.15, 0.2, 0.3]
const FLOORS = [0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95]

/**
 * Both frontiers around the declared dials. `actAt` decides debates that the certificate has not counted: a dial chosen
 * on its own counting rows has no guarantee, and one chosen here is a further attempt when it is calibrated.
 */
export function dialsAround(declared: DialSettings, actAt: (settings: DialSettings) => number): Dials {
  const { beta, floor } = declared
  const now = actAt(declared)
  const along = (own: number, values: readonly number[], at: (value: number) => DialSettings) =>
    [...new Set([...values, own])]
      .sort((a, b) => a - b)
      .map((value) => ({ value, act: value === own ? now : actAt(at(value)) }))
  const byBeta = along(beta, BETAS, (value) => ({ beta: value, floor }))
  const byFloor = floor === null ? [] : along(floor, FLOORS, (value) => ({ beta, floor: value }))
  const looser = looserDials(declared)
  const binds = bindingDial(now, {
    beta: actAt(looser.beta),
    floor: looser.floor === null ? null : actAt(looser.floor),
  })
  return { binds, byBeta, byFloor }
}

/** Beta 1.5 times as large, and the floor .10 lower, which determine `binds`. Null if there is no floor. */
export function looserDials({ beta, floor }: DialSettings): { beta: DialSettings; floor: DialSettings | null } {
  const lower = floor === null || floor <= LOOSER_FLOOR ? null : decimal(floor - LOOSER_FLOOR)
  return {
    beta: { beta: Math.min(LARGEST_BETA, decimal(LOOSER_BETA * beta)), floor },
    floor: floor === null ? null : { beta, floor: lower },
  }
}

/** Which dial binds, from the share acted on now and with each dial loosened. */
export function bindingDial(now: number, looser: { beta: number; floor: number | null }): Dials['binds'] {
  const isHeldBack = (act: number | null) => act !== null && act - now >= ONE_POINT - 1e-12
  if (isHeldBack(looser.beta)) return isHeldBack(looser.floor) ? 'both' : 'beta'
  return isHeldBack(looser.floor) ? 'floor' : 'neither'
}

/** Display texts for terminal, report and page. */
export const BINDING_WORDS: Readonly<Record<Dials['binds'], string>> = {
  beta: 'beta binds: half as large again, it would act on more. A floor 10 points lower would not.',
  floor: 'The floor binds: 10 points lower, it would act on more. A beta half as large again would not.',
  both: 'Both bind: a beta half as large again, or a floor 10 points lower, would act on more.',
  neither: 'Neither binds: a beta half as large again, or a floor 10 points lower, would not act on more.',
}
