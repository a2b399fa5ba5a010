import type { Sleep } from '../traffic/traffic.ts'

export interface Deadline {
  /** Fires when the time is over, or when all calls are to end. */
  readonly signal: AbortSignal
  /** To be called when the debate is over. */
  end(): void
}

/** A debate's own time. Its signal also passes on `aborting`. */
export function startDeadline(
  milliseconds: number,
  { sleep, aborting }: { readonly sleep: Sleep; readonly aborting: AbortSignal },
): Deadline {
  const stop = new AbortController()
  const done = new AbortController()
  const pass = () => stop.abort(aborting.reason)
  if (aborting.aborted) pass()
  else aborting.addEventListener('abort', pass, { once: true })
  void sleep(milliseconds, done.signal).then(() => {
    // The name by which everybody knows a deadline.
    if (!done.signal.aborted) stop.abort(new DOMException('the debate took too long', 'TimeoutError'))
  })
  return {
    signal: stop.signal,
    end() {
      done.abort()
      aborting.removeEventListener('abort', pass)
    },
  }
}
