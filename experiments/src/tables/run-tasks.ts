import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Task, TaskResult } from './measurements.ts'

/** Runs the tasks on all cores. `report` is called after each finished task. */
export async function runTasks(
  tasks: readonly Task[],
  report: (done: number, result: TaskResult) => void,
): Promise<TaskResult[]> {
  const waiting = [...tasks]
  const results: TaskResult[] = []
  const workers = Math.min(availableParallelism(), tasks.length)
  await Promise.all(
    Array.from({ length: workers }, () =>
      work(waiting, (result) => {
        results.push(result)
        report(results.length, result)
      }),
    ),
  )
  return results
}

/** Runs one thread that takes tasks until none is left, and then exits. */
function work(waiting: Task[], done: (result: TaskResult) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./task-worker.ts', import.meta.url))
    let task: Task | undefined
    const next = () => {
      task = waiting.shift()
      worker.postMessage(task ?? null)
    }
    worker.on('error', reject)
    worker.on('exit', () => (task === undefined ? resolve() : reject(new Error('a thread ended before its task'))))
    worker.on('message', (result: TaskResult) => {
      done(result)
      next()
    })
    next()
  })
}
