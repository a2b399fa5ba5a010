import { hasRecordedData, type RecordedName } from '../data/recorded.ts'
import { TWIN_NAMES, type TwinName } from '../twins/targets.ts'
import { relativeBeta } from './measure/budgets.ts'
import { meanOf } from './measure/outcome.ts'
import type { RecordedSplit } from './measure/recorded-split.ts'
import type { Sweep } from './measure/sweep.ts'
import { COMPARED_FILES, RECORDED_FILES } from './measure/worlds.ts'
import { ACTIVATED } from './paper/activated.ts'
import { type RunOptions, runTasks } from './run-tasks.ts'
import type { Measurements, Results, Task, TaskOf, TwinMeasurements } from './tasks.ts'

export interface MeasureOptions extends RunOptions {
  readonly seeds: readonly number[]
  /** Of the recorded files; by default the same. */
  readonly recordedSeeds?: readonly number[]
  /** Of the twins whose agents do not round; by default the same. */
  readonly ditheredSeeds?: readonly number[]
  readonly twins?: readonly TwinName[]
  /** By default all, or none where there is no recorded data. */
  readonly recorded?: readonly RecordedName[]
  /** Debates of each twin; by default as many as its benchmark has. */
  readonly twinCount?: number
}

/** First the budgets that the training halves choose, then everything under them. */
export async function measureAll(options: MeasureOptions): Promise<Measurements> {
  const {
    seeds,
    recordedSeeds = seeds,
    twins = TWIN_NAMES,
    recorded = hasRecordedData ? [...RECORDED_FILES, ...COMPARED_FILES] : [],
  } = options
  const worldOf = (name: TwinName) => ({ kind: 'twin', name, ...sizeOf(options) }) as const
  const sweeping = twins.flatMap((name) =>
    seeds.map((seed) => ({ kind: 'sweep', world: worldOf(name), seed }) as const),
  )
  const sweeps = await runTasks(sweeping, options)
  const planned = twins.map((name, at) => {
    const own = sweeps.slice(at * seeds.length, (at + 1) * seeds.length)
    return { name, pooledLambda: pooled(own), tasks: twinTasks(worldOf(name), options, own) }
  })
  const files = recorded.map((name) => ({ name, tasks: recordedSeeds.map((seed) => recordedTask(name, seed)) }))
  const results = await resultsOf(
    [...files.flatMap(({ tasks }) => tasks), ...planned.flatMap(({ tasks }) => tasks)],
    options,
  )
  return {
    seeds,
    twins: new Map(
      planned.map(({ name, pooledLambda, tasks }) => [name, twinMeasurements(tasks, pooledLambda, results)]),
    ),
    recorded: files.map(({ name, tasks }) => ({
      name,
      splits: tasks.map((task) => results.get(task) as RecordedSplit), // the result of a task of this kind
    })),
  }
}

function sizeOf({ twinCount }: MeasureOptions): { count?: number } {
  return twinCount === undefined ? {} : { count: twinCount }
}

function pooled(sweeps: readonly Sweep[]): number | null {
  const lambdas = sweeps.flatMap(({ lambda }) => lambda.usual ?? [])
  return lambdas.length === 0 ? null : meanOf(lambdas)
}

function twinTasks(
  world: TaskOf<'sweep'>['world'],
  { seeds, ditheredSeeds = seeds }: MeasureOptions,
  sweeps: readonly Sweep[],
): Task[] {
  const pooledLambda = pooled(sweeps)
  const beta = relativeBeta(pooledLambda, meanOf(sweeps.map(({ trainError }) => trainError)))
  return [
    ...seeds.map((seed, at): Task => ({ kind: 'twin-split', world, seed, sweep: sweeps[at]!, pooledLambda })),
    ...(ACTIVATED.some((name) => name === world.name) ? ditheredSeeds.map((seed) => ditheredTask(world, seed)) : []),
    { kind: 'audit', world, seed: seeds[0]!, beta },
    { kind: 'aggregates', world },
  ]
}

function ditheredTask(world: TaskOf<'sweep'>['world'], seed: number): Task {
  return { kind: 'dithered-split', world: { ...world, isDithered: true }, seed }
}

function recordedTask(name: RecordedName, seed: number): TaskOf<'recorded-split'> {
  return { kind: 'recorded-split', world: { kind: 'recorded', name }, seed }
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
  return {
    pooledLambda,
    splits: all('twin-split'),
    dithered: all('dithered-split'),
    audit: all('audit')[0]!,
    aggregates: all('aggregates')[0]!,
  }
}
