import { type ChildProcess, fork } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Those that run. */
const children = new Set<ChildProcess>()

/**
 * A process for heavy work, whose entry lies beside the module, as source or as compiled. It ends when this one does; where this one
 * is killed, when it has done what it is at. No thread: one that ended was seen to take all with it, since V8 stopped in a check.
 */
export function forkBeside(module: string, name: string): ChildProcess {
  const extension = extname(module)
  const file = fileURLToPath(new URL(`./${name}${extension}`, module))
  // Sources import the sources of the other package, which must be switched on for a new process too.
  const execArgv = extension === '.ts' ? ['--conditions=quorate-source'] : process.execArgv
  const child = fork(file, { execArgv, serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  // Without a channel it was not started, and its error comes later.
  if (child.channel === undefined) {
    child.on('error', () => {})
    throw new Error(
      `no process could be started for ${name}: this machine has reached its limit of processes or open files`,
    )
  }
  if (children.size === 0) process.on('exit', endAll)
  children.add(child)
  const over = () => {
    children.delete(child)
    if (children.size === 0) process.off('exit', endAll)
  }
  // One that cannot be started may end with an error alone.
  child.once('exit', over).once('error', over)
  return child
}

function endAll(): void {
  for (const child of children) child.kill('SIGKILL')
}
