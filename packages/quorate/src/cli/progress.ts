import { elapsed, surroundings } from './terminal.ts'
/**
 * One live line on the terminal for whatever takes more than two seconds; elsewhere a plain line now and then, unless told
 * otherwise.
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
  /** Say nothing where there is no terminal: somebody else does. */
  readonly isOnlyLive?: boolean
}

const QUIET_MS = 2000
const REDRAW_MS = 200
const PLAIN_COLUMNS = 80
/** Where there is no terminal: often enough to see that something goes on. */
const PLAIN_LINE_MS = 15_000
export const ERASE = '\r\u001b[K'

export function liveProgress({
  stream = surroundings().stderr,
  now = elapsed,
  isOnlyLive = false,
}: ProgressOptions = {}): Progress {
  if (stream.isTTY !== true || surroundings().env['TERM'] === 'dumb') {
    return isOnlyLive ? { tell() {}, clear() {}, end() {} } : plainProgress(stream, now)
  }
  const start = now()
  let told = ''
  let drawnAt: number | undefined
  const draw = () => {
    const elapsed = now() - start
    if (told === '' || elapsed < QUIET_MS) return
    drawnAt = now()
    stream.write(ERASE + fitted(told, Math.floor(elapsed / 1000), (stream.columns ?? PLAIN_COLUMNS) - 1))
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

/** What does not fit goes from the end, a part at a time: what counts most is told first. The seconds stay. */
function fitted(told: string, seconds: number, columns: number): string {
  const elapsed = `, ${seconds} s`
  const parts = told.split(', ')
  while (parts.length > 1 && parts.join(', ').length + elapsed.length > columns) parts.pop()
  return parts.join(', ').slice(0, Math.max(0, columns - elapsed.length)) + elapsed
}

function plainProgress(stream: ProgressStream, now: () => number): Progress {
  const start = now()
  let told = ''
  let saidAt = start
  const say = () => {
    if (told === '' || now() - saidAt < PLAIN_LINE_MS) return
    saidAt = now()
    stream.write(`quorate: ${told}, ${Math.floor((saidAt - start) / 1000)} s\n`)
  }
  const timer = setInterval(say, 1000)
  timer.unref()
  return {
    tell(text) {
      told = text
      say()
    },
    clear() {
      told = ''
    },
    end: () => clearInterval(timer),
  }
}
