/** How much would be acted on if one dial of `total` moved and the other stayed. */
export interface Dials {
  /** The dial that holds acting back: making it more permissive would act on more. */
  readonly binds: 'beta' | 'floor' | 'both' | 'neither'
  /** By beta, the floor as it is. */
  readonly byBeta: readonly DialPoint[]
  /** By floor, beta as it is; empty without a floor. */
  readonly byFloor: readonly DialPoint[]
}

export interface DialPoint {
  readonly value: number
  /** Share of the debates acted on. */
  readonly act: number
}

export interface DialSettings {
  readonly beta: number
  /** Null: none. */
  readonly floor: number | null
}

/** Shares that differ by less are the same here. */
const NOTICEABLE = 0.005
const BETAS = [0.02, 0.05, 0.1, 0.15, 0.2, 0.3]
const FLOORS = [0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95]

/**
 * Both frontiers around the declared dials. `actAt` decides debates that the certificate has not counted: a dial chosen on
 * what it was counted on has no guarantee, and one chosen here is a further attempt when it is calibrated.
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
  const helps = ({ act }: DialPoint) => act > now + NOTICEABLE
  const betaHelps = byBeta.some((point) => point.value > beta && helps(point))
  const floorHelps = floor !== null && byFloor.some((point) => point.value < floor && helps(point))
  const binds = betaHelps && floorHelps ? 'both' : betaHelps ? 'beta' : floorHelps ? 'floor' : 'neither'
  return { binds, byBeta, byFloor }
}

/** For people; the same in terminal, report and page. */
export const BINDING_WORDS: Readonly<Record<Dials['binds'], string>> = {
  beta: 'beta binds: a larger beta would act on more, a lower floor would not.',
  floor: 'The floor binds: a lower floor would act on more, a larger beta would not.',
  both: 'Both bind: a larger beta or a lower floor would act on more.',
  neither: 'Neither binds: no larger beta and no lower floor here would act on more.',
}
