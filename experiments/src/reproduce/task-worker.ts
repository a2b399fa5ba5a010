import { parentPort } from 'node:worker_threads'
import { doTask } from './do-task.ts'
import type { Task } from './tasks.ts'

/** Null means that no task is left. */
parentPort?.on('message', (task: Task | null) =>
  task === null ? parentPort?.close() : parentPort?.postMessage(doTask(task)),
)
