import { type ChildProcess, fork } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The children that are running. */
const children = new Set<ChildProcess>()

/**
 * Starts a process for heavy work. Its entry is a file beside the module, as source or compiled. It is killed when this
 * process exits; if this process is killed, it ends after its current task. It is not a thread, because a thread that
 * ended was seen to abort the whole process in a check of V8.
 */
export function forkBeside(module: string, name: string): ChildProcess {
  const extension = extname(module)
  const file = fileURLToPath(new URL(`./${name}${extension}`, module))
  // Sources import the sources of the other package, and a new process needs the same condition to find them.
  const execArgv = extension === '.ts' ? ['--conditions=quorate-source'] : process.execArgv
  const child = fork(file, { execArgv, serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  // Without a channel the process was not started, and its `error` event comes later.
  if (child.channel === undefined) {
    child.on('error', () => {})
    throw new Error(
      `no process could be started for ${name}: this machine has reached its limit of processes or open files`,
    )
  }
  if (children.size === 0) process.on('exit', endAll)
  children.add(child)
  const ended = () => {
    children.delete(child)
    if (children.size === 0) process.off('exit', endAll)
  }
  // A process that cannot be started may emit `error` and no `exit`.
  child.once('exit', ended).once('error', ended)
  return child
}

function endAll(): void {
  for (const child of children) child.kill('SIGKILL')
}
