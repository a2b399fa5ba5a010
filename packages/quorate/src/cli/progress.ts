/**
 * One live line on the terminal for whatever takes more than two seconds; nothing where standard error is no terminal.
 *
 *     const progress = liveProgress()
 *     try { ... progress.tell('split 3 of 10') ... } finally { progress.end() }
 *
 * Written to standard error: what a command prints stays clean.
 */
export interface Progress {
  /** What is being done now, in a few words. Cheap: call it as often as you like. */
  tell(text: string): void
  /** Takes the line away until something is told again: to be called before anything is printed meanwhile. */
  clear(): void
  /** Takes the line away for good. */
  end(): void
}

/** Where the line is drawn; `process.stderr` unless told. */
export interface ProgressStream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export interface ProgressOptions {
  readonly stream?: ProgressStream
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number
}

const QUIET_MS = 2000
const REDRAW_MS = 200
const PLAIN_COLUMNS = 80
const ERASE = '\r\u001b[K'

export function liveProgress({
  stream = process.stderr,
  now = () => performance.now(),
}: ProgressOptions = {}): Progress {
  if (stream.isTTY !== true || process.env['TERM'] === 'dumb') return { tell() {}, clear() {}, end() {} }
  const start = now()
  let told = ''
  let drawnAt: number | undefined
  const draw = () => {
    const elapsed = now() - start
    if (told === '' || elapsed < QUIET_MS) return
    drawnAt = now()
    const line = `${told}, ${Math.floor(elapsed / 1000)} s`
    stream.write(ERASE + line.slice(0, (stream.columns ?? PLAIN_COLUMNS) - 1))
  }
  // Threads at work may say nothing for long: the seconds go on meanwhile. Never what keeps the process alive.
  const timer = setInterval(draw, 1000)
  timer.unref()
  return {
    tell(text) {
      told = text
      if (drawnAt === undefined || now() - drawnAt >= REDRAW_MS) draw()
    },
    clear() {
      told = ''
      if (drawnAt !== undefined) stream.write(ERASE)
      drawnAt = undefined
    },
    end() {
      clearInterval(timer)
      if (drawnAt !== undefined) stream.write(ERASE)
    },
  }
}
