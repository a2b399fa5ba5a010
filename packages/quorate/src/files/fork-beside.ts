import { type ChildProcess, fork } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * A process for heavy work, whose entry lies beside the module, as source or as compiled; it ends when its parent does. No thread:
 * one that ended was seen to take all with it, since V8 stopped in a check.
 */
export function forkBeside(module: string, name: string): ChildProcess {
  const extension = extname(module)
  const file = fileURLToPath(new URL(`./${name}${extension}`, module))
  // Sources import the sources of the other package, which whoever runs them must switch on for a new process too.
  const execArgv = extension === '.ts' ? ['--conditions=quorate-source'] : []
  const child = fork(file, { execArgv, serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  // One that could not be started ends with an error alone.
  for (const over of ['exit', 'error'] as const) child.once(over, () => process.off('exit', end))
  return child
}
