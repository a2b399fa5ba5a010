import { AsyncLocalStorage } from 'node:async_hooks'

/** What a command reads and writes besides files. Relative paths are relative to the working directory of the process. */
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
  /** Milliseconds of a monotonic clock. Commands use it to report their progress at intervals. */
  readonly elapsed: () => number
}

const current = new AsyncLocalStorage<GivenSurroundings>()

/** The surroundings of the running command: those given to `main`, or else those of the process. */
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

/** Standard output. It has colour only on a terminal, and never if NO_COLOR is set. */
export function standardOutput(): Terminal {
  const { stdout, env } = surroundings()
  return {
    write: (text) => stdout.write(text),
    color: stdout.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
    width: stdout.columns ?? PLAIN_WIDTH,
  }
}
