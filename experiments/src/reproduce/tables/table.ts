import { TARGETS, type TwinName } from '../../twins/targets.ts'
import { type Cell, type Point, pointOf } from '../measure/outcome.ts'
import type { TwinSplit } from '../measure/twin-split.ts'
import type { MeasuredSplits, Measurements, TwinMeasurements } from '../tasks.ts'

/** A reproduced table of the paper, or one of ours. */
export interface Table {
  /** Number in the paper; null for a table of ours. */
  readonly number: number | null
  readonly name: string
  readonly title: string
  /** Markdown below the title. */
  text(measured: Measurements): string
}

/** The measured twins among these. A short run may leave some out. */
export function measuredTwins<Name extends TwinName>(
  { twins }: Measurements,
  names: readonly Name[],
): { readonly name: Name; readonly title: string; readonly twin: TwinMeasurements }[] {
  return names.flatMap((name) => {
    const twin = twins.get(name)
    return twin ? [{ name, title: TARGETS[name].title, twin }] : []
  })
}

/** The figures over the splits of a twin. */
export function pointIn({ splits }: MeasuredSplits, pick: (split: TwinSplit) => Cell | null | undefined): Point {
  return pointOf(
    splits.map((split) => pick(split) ?? null),
    splits[0]!.rounds,
  )
}
