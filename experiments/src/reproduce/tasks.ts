import type { RecordedName } from '../data/recorded.ts'
import type { TwinName } from '../twins/targets.ts'
import type { TwinRow } from '../twins/twin-table.ts'
import type { PrototypeSplit } from './measure/prototype-split.ts'
import type { RecordedSplit } from './measure/recorded-split.ts'
import type { Sweep } from './measure/sweep.ts'
import type { TwinAudit } from './measure/twin-audit.ts'
import type { TwinSplit } from './measure/twin-split.ts'
import type { Draws, PROTOTYPE_FILES, RealWorld, ReproducedWorld } from './measure/worlds.ts'

/** A piece of work for one thread. Its result depends only on the task, the code and the recorded file. */
export type Task =
  | { readonly kind: 'sweep'; readonly world: ReproducedWorld; readonly seed: number }
  | {
      readonly kind: 'twin-split'
      readonly world: TwinWorld
      readonly seed: number
      readonly sweep: Sweep
      readonly pooledLambda: number | null
    }
  | { readonly kind: 'audit'; readonly world: TwinWorld; readonly seed: number; readonly beta: number | null }
  | {
      readonly kind: 'real-split'
      readonly world: RecordedWorld
      readonly seed: number
      readonly sweep: Sweep
      readonly pooledLambda: number | null
      /** Budgets: multiples of the final-round error. */
      readonly multiples: readonly number[]
      readonly printedAct: number | null
    }
  | { readonly kind: 'recorded-split'; readonly world: RecordedWorld; readonly seed: number }
  | { readonly kind: 'prototype-split'; readonly world: RecordedWorld; readonly seed: number }

type TwinWorld = Extract<ReproducedWorld, { kind: 'twin' }>
type RecordedWorld = Extract<ReproducedWorld, { kind: 'recorded' }>

/** The result of each kind of task. */
export interface Results {
  readonly sweep: Sweep
  readonly 'twin-split': DrawnSplit
  readonly audit: TwinAudit
  readonly 'real-split': TwinSplit
  readonly 'recorded-split': RecordedSplit
  readonly 'prototype-split': PrototypeSplit
}

/** A split of a draw of a twin, with the aggregates of the draw. */
export interface DrawnSplit extends TwinSplit {
  readonly aggregates: readonly TwinRow[]
}

export type TaskOf<Kind extends Task['kind']> = Extract<Task, { kind: Kind }>

/** Everything that was measured, in the order of the seeds. */
export interface Measurements {
  readonly seeds: readonly number[]
  readonly twins: ReadonlyMap<TwinName, TwinMeasurements>
  readonly recorded: readonly RecordedMeasurements[]
  readonly real: readonly RealMeasurements[]
  readonly prototype: readonly PrototypeMeasurements[]
}

/** The paper's tables on the splits of one world. */
export interface MeasuredSplits {
  /** Mean multiplier over the splits that have one. */
  readonly pooledLambda: number | null
  readonly splits: readonly TwinSplit[]
}

export interface RealMeasurements extends MeasuredSplits {
  readonly world: Omit<RealWorld, 'name'> & { readonly name: string }
}

export interface TwinMeasurements extends MeasuredSplits {
  /** Means over the draws. */
  readonly aggregates: readonly TwinRow[]
  /** The audit of the first draw. */
  readonly audit: TwinAudit
}

export interface RecordedMeasurements {
  readonly name: RecordedName
  readonly splits: readonly RecordedSplit[]
}

/** `total` on the halves and pilots of its prototype, by whose draws determine folds and ties. */
export interface PrototypeMeasurements extends Readonly<Record<Draws, readonly PrototypeSplit[]>> {
  readonly name: (typeof PROTOTYPE_FILES)[number]
}
