import { type OperatingPoint, operatingPoint, type SplitOutcome } from '../evaluation/operating-point.ts'
import { BETAS, SETTINGS, type Setting } from '../evaluation/settings.ts'
import { SPLIT_SEEDS, type World } from '../worlds/worlds.ts'

/** The first four of the ten splits of the paper's protocol, which is enough to compare settings on the same halves. */
export const TABLE_SEEDS = SPLIT_SEEDS.slice(0, 4)

/** One world under one seed, with all settings and budgets. */
export interface Task {
  readonly world: World
  readonly seed: number
}

export interface TaskResult extends Task {
  /** By setting, then by beta, in the order of SETTINGS and BETAS. */
  readonly outcomes: readonly (readonly SplitOutcome[])[]
}

/** Everything that was measured, by world, setting and budget. */
export interface Measurements {
  splits(world: World, setting: Setting, beta: number): readonly SplitOutcome[]
  point(world: World, setting: Setting, beta: number): OperatingPoint
}

export function gatherMeasurements(results: readonly TaskResult[]): Measurements {
  const points = new Map<string, OperatingPoint>()

  function splits(world: World, setting: Setting, beta: number): readonly SplitOutcome[] {
    const row = SETTINGS.findIndex(({ name }) => name === setting.name)
    const column = BETAS.indexOf(beta)
    return results
      .filter((result) => result.world.name === world.name)
      .sort((a, b) => a.seed - b.seed)
      .map(({ outcomes }) => outcomes[row]![column]!)
  }

  function point(world: World, setting: Setting, beta: number): OperatingPoint {
    const key = `${world.name} | ${setting.name} | ${beta}`
    const known = points.get(key) ?? operatingPoint(splits(world, setting, beta), beta)
    points.set(key, known)
    return known
  }

  return { splits, point }
}
