import { elapsed, surroundings } from './terminal.ts'

/**
 * One live line on the terminal for work that takes more than two seconds. Without a terminal it is a plain line every 15
 * seconds, or nothing with `isOnlyLive`.
 *
 *     const progress = liveProgress()
 *     try { ... progress.update('split 3 of 10') ... } finally { progress.end() }
 *
 * It is written to standard error, so that standard output has only results.
 */
export interface Progress {
  /** Describes the current step in a few words. Frequent calls are cheap. */
  update(text: string): void
  /** Erases the line until the next update. Call it before printing anything else. */
  clear(): void
  /** Erases the line and stops. */
  end(): void
}

/** Where the line is drawn. Defaults to standard error. */
export interface ProgressStream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export interface ProgressOptions {
  readonly stream?: ProgressStream
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number
  /** Print nothing without a terminal, because the caller reports progress itself. */
  readonly isOnlyLive?: boolean
}

const QUIET_MS = 2000
const REDRAW_MS = 200
const PLAIN_COLUMNS = 80
/** Interval of plain lines without a terminal, often enough to show that the command is still working. */
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
  // Threads may not report for a long time, so the seconds are redrawn anyway. The timer must not keep the process alive.
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

/** Shortens the line to the columns by dropping its last, least important parts. The seconds are always kept. */
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
