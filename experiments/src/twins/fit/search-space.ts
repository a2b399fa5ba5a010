import type { TwinParameters } from '../latent-model.ts'
import type { TwinTarget } from '../targets.ts'

/** The search range of each parameter. */
const RANGES = {
  clarityMean: [0, 10],
  claritySpread: [1, 9],
  plainGap: [0, 4],
  slip: [0, 0.15],
  pull: [0, 1],
  boost: [0, 0.4],
  insight: [-0.5, 1],
  talkNoise: [0, 1.2],
  temperature: [0.5, 4.5],
  toneSpread: [0, 3],
} as const satisfies Record<Exclude<keyof TwinParameters, 'groupOffsets' | 'statedSteps'>, readonly [number, number]>

const OFFSET_RANGE = [-12, 12] as const

/** Coordinates of the unit cube that are searched, one per parameter. */
export const SHARED_COORDINATES = Object.keys(RANGES).length
export const MIDDLE = 0.5

/**
 * The value to prefer if the targets leave a choice: the middle of the range, but no slips and no tone unless they are
 * needed.
 */
export function preferredAt(coordinate: number): number {
  const name = Object.keys(RANGES)[coordinate]
  return name === 'slip' || name === 'toneSpread' ? 0 : MIDDLE
}

/** Traits that are not searched, since the agents are the same on every benchmark. */
export interface SharedTraits {
  readonly statedSteps: number
  /** For a benchmark without a target that would determine it. */
  readonly toneSpread?: number
}

/** Subgroups without a published error have no offset. */
export function offsetCount({ subgroups }: TwinTarget): number {
  return subgroups.some(({ lastError }) => lastError !== null) ? subgroups.length : 0
}

/** The parameters at a point of the unit cube. Offsets are centred, since their mean is part of the clarity. */
export function parametersAt(
  point: readonly number[],
  { subgroups }: TwinTarget,
  { statedSteps, toneSpread }: SharedTraits,
): TwinParameters {
  const value = (name: keyof typeof RANGES) => within(RANGES[name], point[Object.keys(RANGES).indexOf(name)]!)
  const offsets = point.slice(SHARED_COORDINATES).map((coordinate) => within(OFFSET_RANGE, coordinate))
  const total = subgroups.reduce((sum, { size }) => sum + size, 0)
  const mean = offsets.reduce((sum, offset, place) => sum + (offset * subgroups[place]!.size) / total, 0)
  return {
    clarityMean: rounded(value('clarityMean')),
    claritySpread: rounded(value('claritySpread')),
    plainGap: rounded(value('plainGap')),
    slip: rounded(value('slip')),
    pull: rounded(value('pull')),
    boost: rounded(value('boost')),
    insight: rounded(value('insight')),
    talkNoise: rounded(value('talkNoise')),
    temperature: rounded(value('temperature')),
    toneSpread: toneSpread ?? rounded(value('toneSpread')),
    statedSteps,
    groupOffsets: offsets.map((offset) => rounded(offset - mean)),
  }
}

/** The point of the unit cube for the parameters, or the nearest to them. */
export function pointOf(parameters: TwinParameters): number[] {
  // as: the keys of the record above.
  const names = Object.keys(RANGES) as (keyof typeof RANGES)[]
  return [
    ...names.map((name) => placeIn(RANGES[name], parameters[name])),
    ...parameters.groupOffsets.map((offset) => placeIn(OFFSET_RANGE, offset)),
  ]
}

function placeIn([low, high]: readonly [number, number], value: number): number {
  return Math.min(1, Math.max(0, (value - low) / (high - low)))
}

function within([low, high]: readonly [number, number], coordinate: number): number {
  return low + (high - low) * coordinate
}

/** Rounds to four decimals, so that the written values are the fitted ones. */
function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4
}
