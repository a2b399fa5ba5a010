import type { Sleep } from '../traffic/traffic.ts'

export interface Deadline {
  /** Fires when the time is over, or when all calls are to end. */
  readonly signal: AbortSignal
  isLate(): boolean
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
  let isLate = false
  const pass = () => stop.abort(aborting.reason)
  if (aborting.aborted) pass()
  else aborting.addEventListener('abort', pass, { once: true })
  void sleep(milliseconds, done.signal).then(() => {
    if (done.signal.aborted) return
    isLate = true
    // The name by which the traffic room knows a deadline.
    stop.abort(new DOMException('the debate took too long', 'TimeoutError'))
  })
  return {
    signal: stop.signal,
    isLate: () => isLate,
    end() {
      done.abort()
      aborting.removeEventListener('abort', pass)
    },
  }
}
