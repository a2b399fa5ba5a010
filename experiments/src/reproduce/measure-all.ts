import { hasRecordedData, type RecordedName } from '../data/recorded.ts'
import { TWIN_NAMES, type TwinName } from '../twins/targets.ts'
import { meanRows } from '../twins/twin-table.ts'
import { LARGEST_BETA, relativeBeta } from './measure/budgets.ts'
import { meanOf } from './measure/outcome.ts'
import type { PrototypeSplit } from './measure/prototype-split.ts'
import type { RecordedSplit } from './measure/recorded-split.ts'
import type { Sweep } from './measure/sweep.ts'
import type { TwinSplit } from './measure/twin-split.ts'
import {
  COMPARED_FILES,
  DRAWS,
  type Draws,
  PROTOTYPE_FILES,
  REAL_WORLDS,
  RECORDED_FILES,
  type RealWorld,
} from './measure/worlds.ts'
import { MULTIPLES } from './paper/frontier.ts'
import { printedConfidenceAct } from './paper/matched.ts'
import { type RunOptions, runTasks } from './run-tasks.ts'
import type { Measurements, Results, Task, TaskOf, TwinMeasurements } from './tasks.ts'

export interface MeasureOptions extends RunOptions {
  readonly seeds: readonly number[]
  /** Seeds of the recorded files; by default the same. */
  readonly recordedSeeds?: readonly number[]
  readonly twins?: readonly TwinName[]
  /** By default all, or none where there is no recorded data. */
  readonly real?: readonly RealWorld[]
  /** By default all, or none where there is no recorded data. */
  readonly recorded?: readonly RecordedName[]
  /** Debates of each twin; by default as many as its benchmark has. */
  readonly twinCount?: number
}

/** Measures first the budgets that the training halves choose, then everything under them. */
export async function measureAll(options: MeasureOptions): Promise<Measurements> {
  const {
    seeds,
    recordedSeeds = seeds,
    twins = TWIN_NAMES,
    recorded = hasRecordedData ? [...RECORDED_FILES, ...COMPARED_FILES] : [],
    real = hasRecordedData ? REAL_WORLDS : [],
  } = options
  const worldOf = (name: TwinName, draw: number) => ({ kind: 'twin', name, draw, ...sizeOf(options) }) as const
  const sweeping = [
    ...twins.flatMap((name) => seeds.map((seed) => sweepTask(worldOf(name, seed), seed))),
    ...real.flatMap(({ name }) => recordedSeeds.map((seed) => sweepTask({ kind: 'recorded', name }, seed))),
  ]
  const sweeps = await runTasks(sweeping, options)
  const planned = twins.map((name, at) => {
    const own = sweeps.slice(at * seeds.length, (at + 1) * seeds.length)
    return { name, pooledLambda: pooled(own), tasks: twinTasks((draw) => worldOf(name, draw), seeds, own) }
  })
  const places = real.map((world, at) => {
    const from = twins.length * seeds.length + at * recordedSeeds.length
    const own = sweeps.slice(from, from + recordedSeeds.length)
    return { world, pooledLambda: pooled(own), tasks: realTasks(world, recordedSeeds, own) }
  })
  const isReal = (name: RecordedName) => real.some((world) => world.name === name)
  const files = recorded
    .filter((name) => !isReal(name))
    .map((name) => ({ name, tasks: recordedSeeds.map((seed) => recordedTask(name, seed)) }))
  const compared = PROTOTYPE_FILES.filter((name) => recorded.includes(name)).map((name) => ({
    name,
    tasks: DRAWS.flatMap((draws) => recordedSeeds.map((seed) => prototypeTask(name, draws, seed))),
  }))
  const results = await resultsOf(
    [files, compared, places, planned].flatMap((group) => group.flatMap<Task>(({ tasks }) => tasks)),
    options,
  )
  const measuredReal = places.map(({ world, pooledLambda, tasks }) => ({
    world,
    pooledLambda,
    splits: tasks.map((task) => results.get(task) as TwinSplit), // the result of a task of this kind
  }))
  return {
    seeds,
    twins: new Map(
      planned.map(({ name, pooledLambda, tasks }) => [name, twinMeasurements(tasks, pooledLambda, results)]),
    ),
    recorded: recorded.map((name) => ({
      name,
      // A file that the paper's tables are made from was measured with every policy there.
      splits:
        measuredReal.find(({ world }) => world.name === name)?.splits ??
        files.find((file) => file.name === name)!.tasks.map((task) => results.get(task) as RecordedSplit), // of this kind
    })),
    real: measuredReal,
    prototype: compared.map(({ name, tasks }) => {
      const drawnBy = (draws: Draws) =>
        tasks.filter(({ world }) => world.draws === draws).map((task) => results.get(task) as PrototypeSplit) // the result of a task of this kind
      return { name, prototype: drawnBy('prototype'), ours: drawnBy('ours') }
    }),
  }
}

function sweepTask(world: TaskOf<'sweep'>['world'], seed: number): TaskOf<'sweep'> {
  return { kind: 'sweep', world, seed }
}

function realTasks(
  { name, like }: RealWorld,
  seeds: readonly number[],
  sweeps: readonly Sweep[],
): TaskOf<'real-split'>[] {
  const error = meanOf(sweeps.map(({ trainError }) => trainError))
  return seeds.map((seed, at) => ({
    kind: 'real-split',
    world: { kind: 'recorded', name },
    seed,
    sweep: sweeps[at]!,
    pooledLambda: pooled(sweeps),
    multiples: MULTIPLES.map((multiple) => Math.min(LARGEST_BETA, multiple * error)),
    printedAct: like && printedConfidenceAct(like),
  }))
}

function sizeOf({ twinCount }: MeasureOptions): { count?: number } {
  return twinCount === undefined ? {} : { count: twinCount }
}

function pooled(sweeps: readonly Sweep[]): number | null {
  const lambdas = sweeps.flatMap(({ lambda }) => lambda.usual ?? [])
  return lambdas.length === 0 ? null : meanOf(lambdas)
}

function twinTasks(
  worldOf: (draw: number) => TaskOf<'audit'>['world'],
  seeds: readonly number[],
  sweeps: readonly Sweep[],
): Task[] {
  const pooledLambda = pooled(sweeps)
  const beta = relativeBeta(pooledLambda, meanOf(sweeps.map(({ trainError }) => trainError)))
  const [first] = seeds
  return seeds.flatMap((seed, at): Task[] => {
    const world = worldOf(seed)
    const split: Task = { kind: 'twin-split', world, seed, sweep: sweeps[at]!, pooledLambda }
    return seed === first ? [split, { kind: 'audit', world, seed, beta }] : [split]
  })
}

function recordedTask(name: RecordedName, seed: number): TaskOf<'recorded-split'> {
  return { kind: 'recorded-split', world: { kind: 'recorded', name }, seed }
}

function prototypeTask(name: RecordedName, draws: Draws, seed: number): TaskOf<'prototype-split'> {
  return { kind: 'prototype-split', world: { kind: 'recorded', name, draws }, seed }
}

async function resultsOf(tasks: readonly Task[], options: RunOptions): Promise<Map<Task, Results[Task['kind']]>> {
  const results = await runTasks(tasks, options)
  return new Map(tasks.map((task, at) => [task, results[at]!]))
}

function twinMeasurements(
  tasks: readonly Task[],
  pooledLambda: number | null,
  results: ReadonlyMap<Task, Results[Task['kind']]>,
): TwinMeasurements {
  const all = <Kind extends Task['kind']>(kind: Kind) =>
    tasks.filter((task) => task.kind === kind).map((task) => results.get(task) as Results[Kind]) // of this kind
  const splits = all('twin-split')
  return {
    pooledLambda,
    splits,
    audit: all('audit')[0]!,
    aggregates: meanRows(splits.map(({ aggregates }) => aggregates)),
  }
}
