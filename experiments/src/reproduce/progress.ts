import { nameOf } from './run-tasks.ts'
import type { Task } from './tasks.ts'

/** Every how many tasks a line is written where there is no terminal to rewrite one on. */
const EVERY = 20

/** One line that changes on a terminal, now and then a line elsewhere; on standard error, results go to the other. */
export function progressOn(stream: NodeJS.WriteStream): (done: number, all: number, task: Task) => void {
  return (done, all, task) => {
    const text = `${done} of ${all}  ${nameOf(task)}`
    if (stream.isTTY) stream.write(`\r\u001b[2K${text}${done === all ? '\n' : ''}`)
    else if (done % EVERY === 0 || done === all) stream.write(`${text}\n`)
  }
}
