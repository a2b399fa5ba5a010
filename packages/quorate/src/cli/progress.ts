import { elapsed, surroundings } from './terminal.ts'
/**
 * One live line on the terminal for whatever takes more than two seconds; elsewhere a plain line now and then, unless
 * `isOnlyLive`.
 *
 *     const progress = liveProgress()
 *     try { ... progress.update('split 3 of 10') ... } finally { progress.end() }
 *
 * Written to standard error: what a command prints stays clean.
 */
export interface Progress {
  /** What is being done now, in a few words. Cheap: call it as often as you like. */
  update(text: string): void
  /** Takes the line away until the next report: to be called before anything is printed meanwhile. */
  clear(): void
  /** Takes the line away for good. */
  end(): void
}

/** Where the line is drawn; `process.stderr` by default. */
export interface ProgressStream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export interface ProgressOptions {
  readonly stream?: ProgressStream
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number
  /** Print nothing without a terminal: the caller reports instead. */
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
    return isOnlyLive ? { update() {}, clear() {}, end() {} } : plainProgress(stream, now)
  }
  const start = now()
  let shown = ''
  let drawnAt: number | undefined
  const draw = () => {
    const elapsed = now() - start
    if (shown === '' || elapsed < QUIET_MS) return
    drawnAt = now()
    stream.write(ERASE + fitted(shown, Math.floor(elapsed / 1000), (stream.columns ?? PLAIN_COLUMNS) - 1))
  }
  // Threads at work may say nothing for long: the seconds go on meanwhile. Never what keeps the process alive.
  const timer = setInterval(draw, 1000)
  timer.unref()
  return {
    update(text) {
      shown = text
      if (drawnAt === undefined || now() - drawnAt >= REDRAW_MS) draw()
    },
    clear() {
      shown = ''
      if (drawnAt !== undefined) stream.write(ERASE)
      drawnAt = undefined
    },
    end() {
      clearInterval(timer)
      if (drawnAt !== undefined) stream.write(ERASE)
    },
  }
}

/** What does not fit goes from the end, a part at a time: what counts most comes first. The seconds stay. */
function fitted(shown: string, seconds: number, columns: number): string {
  const elapsed = `, ${seconds} s`
  const parts = shown.split(', ')
  while (parts.length > 1 && parts.join(', ').length + elapsed.length > columns) parts.pop()
  return parts.join(', ').slice(0, Math.max(0, columns - elapsed.length)) + elapsed
}

function plainProgress(stream: ProgressStream, now: () => number): Progress {
  const start = now()
  let shown = ''
  let printedAt = start
  const print = () => {
    if (shown === '' || now() - printedAt < PLAIN_LINE_MS) return
    printedAt = now()
    stream.write(`quorate: ${shown}, ${Math.floor((printedAt - start) / 1000)} s\n`)
  }
  const timer = setInterval(print, 1000)
  timer.unref()
  return {
    update(text) {
      shown = text
      print()
    },
    clear() {
      shown = ''
    },
    end: () => clearInterval(timer),
  }
}
