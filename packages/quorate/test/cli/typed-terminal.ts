import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { commandLine } from './command-folder.ts'

/** Whether this machine can run a command in its own terminal (with `script` of util-linux). */
export const HAS_TERMINAL =
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true

export interface TypedRun {
  readonly status: number | null
  /** Everything that the terminal showed. */
  readonly shown: string
}

/** Runs a command in a terminal, and types the next answer whenever it shows `cue`. */
export async function typeIntoTerminal(
  folder: string,
  args: readonly string[],
  { cue, answers }: { readonly cue: string; readonly answers: readonly string[] },
): Promise<TypedRun> {
  const quoted = commandLine(args).map((word) => `'${word.replaceAll("'", "'\\''")}'`)
  const child = spawn('script', ['-qec', quoted.join(' '), '/dev/null'], { cwd: folder })
  let shown = ''
  let typed = 0
  child.stdout.setEncoding('utf8').on('data', (text) => {
    shown += text
    while (typed < answers.length && shown.split(cue).length - 1 > typed) {
      child.stdin.write(answers[typed] ?? '')
      typed += 1
    }
  })
  const [status] = await once(child, 'exit')
  return { status, shown }
}
