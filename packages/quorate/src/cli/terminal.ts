import { AsyncLocalStorage } from 'node:async_hooks'

/** What a command reads and writes besides files. Relative paths belong to the working directory of the process. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly stdout: OutputStream
  readonly stderr: OutputStream
}

export type OutputStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
}

export interface GivenSurroundings extends Surroundings {
  /** Milliseconds of a clock that never goes back: by it a command says now and then how far it is. */
  readonly elapsed: () => number
}

const current = new AsyncLocalStorage<GivenSurroundings>()

/** Those of the command that runs here: the process's own, unless main was given others. */
export function surroundings(): Surroundings {
  return current.getStore() ?? process
}

export function elapsed(): number {
  return current.getStore()?.elapsed() ?? performance.now()
}

export function withSurroundings<Result>(given: GivenSurroundings, work: () => Promise<Result>): Promise<Result> {
  return current.run(given, work)
}

export interface Terminal {
  write(text: string): void
  readonly color: boolean
  /** Columns. */
  readonly width: number
}

const PLAIN_WIDTH = 80

/** Standard output; colour only on a terminal and never when NO_COLOR is set. */
export function standardOutput(): Terminal {
  const { stdout, env } = surroundings()
  return {
    write: (text) => stdout.write(text),
    color: stdout.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
    width: stdout.columns ?? PLAIN_WIDTH,
  }
}
