import { nameOf } from './run-tasks.ts'
import type { Task } from './tasks.ts'

/** Number of tasks between two lines of progress without a terminal. */
const EVERY = 20

/**
 * Reports progress on standard error, since results go to standard output: one line that is rewritten on a terminal,
 * and an occasional line elsewhere.
 */
export function progressOn(stream: NodeJS.WriteStream): (done: number, all: number, task: Task) => void {
  return (done, all, task) => {
    const text = `${done} of ${all}  ${nameOf(task)}`
    if (stream.isTTY) stream.write(`\r\u001b[2K${text}${done === all ? '\n' : ''}`)
    else if (done % EVERY === 0 || done === all) stream.write(`${text}\n`)
  }
}
