export interface Terminal {
  write(text: string): void
  readonly color: boolean
  /** Columns. */
  readonly width: number
}

const PLAIN_WIDTH = 80

/** Standard output; colour only on a terminal and never when NO_COLOR is set. */
export function standardOutput(): Terminal {
  const { stdout, env } = process
  return {
    write: (text) => stdout.write(text),
    color: stdout.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
    width: stdout.columns ?? PLAIN_WIDTH,
  }
}
