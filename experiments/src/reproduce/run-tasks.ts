import { Worker } from 'node:worker_threads'
import type { Cache } from './cache.ts'
import type { Results, Task } from './tasks.ts'

export interface RunOptions {
  readonly threads: number
  readonly cache: Cache
  /** Called after each finished task. */
  readonly report?: (done: number, all: number, task: Task) => void
}

/** Runs tasks on several threads and returns results in the order of the tasks. */
export async function runTasks<Asked extends Task>(
  tasks: readonly Asked[],
  { threads, cache, report }: RunOptions,
): Promise<Results[Asked['kind']][]> {
  const results: unknown[] = tasks.map((task) => cache.get(task))
  const waiting = [...tasks.keys()].filter((at) => results[at] === undefined)
  let done = tasks.length - waiting.length
  const finish = (at: number, result: unknown) => {
    // Converted through JSON, so that a stored result and a fresh one are the same value.
    results[at] = JSON.parse(JSON.stringify(result))
    cache.set(tasks[at]!, result)
    done++
    report?.(done, tasks.length, tasks[at]!)
  }
  const queue = takeByWorld(tasks, waiting)
  const workers = Math.min(threads, waiting.length)
  await Promise.all(Array.from({ length: workers }, () => work(tasks, queue, finish)))
  return results as Results[Asked['kind']][] // each is the result of the task at its place
}

export function nameOf(task: Task): string {
  const seed = 'seed' in task ? `, seed ${task.seed}` : ''
  return `${task.kind} of ${task.world.kind === 'twin' ? 'twin ' : ''}${task.world.name}${seed}`
}

/** The index of the next task for a thread that has a world open; undefined if none is left. */
export type Queue = (opened: string | undefined) => number | undefined

/**
 * Opening a world takes seconds, so a thread continues with its own world, then takes one that no thread has begun, and
 * then helps another.
 */
export function takeByWorld(tasks: readonly Task[], waiting: readonly number[]): Queue {
  const left = [...waiting]
  const begun = new Set<string>()
  const worldOf = (at: number) => tasks[at]!.world.name
  return (opened) => {
    const own = left.findIndex((at) => worldOf(at) === opened)
    const fresh = left.findIndex((at) => !begun.has(worldOf(at)))
    const place = own >= 0 ? own : Math.max(0, fresh)
    const [taken] = left.splice(place, 1)
    if (taken !== undefined) begun.add(worldOf(taken))
    return taken
  }
}

/** Runs one thread that takes tasks until none is left, and then exits. */
function work(tasks: readonly Task[], queue: Queue, finish: (at: number, result: unknown) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./task-worker.ts', import.meta.url))
    let current: number | undefined
    const next = () => {
      current = queue(current === undefined ? undefined : tasks[current]!.world.name)
      worker.postMessage(current === undefined ? null : tasks[current])
    }
    const failed = (error?: unknown) => {
      const name = current === undefined ? 'a thread' : nameOf(tasks[current]!)
      reject(new Error(`reproduce: ${name} failed`, { cause: error }))
    }
    worker.on('error', failed)
    worker.on('exit', () => (current === undefined ? resolve() : failed()))
    worker.on('message', (result: unknown) => {
      finish(current!, result)
      next()
    })
    next()
  })
}
