const LISTENERS = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls once when the signal aborts, at once if it has; returns how to stop listening. A signal takes one listener of its own for all of
 * them: adding to it takes time in proportion to those it has, and thousands of calls share a signal.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  // An event is not delivered again.
  if (signal.aborted) {
    listener()
    return () => {}
  }
  const listeners = LISTENERS.get(signal) ?? listenOnce(signal)
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function listenOnce(signal: AbortSignal): Set<() => void> {
  const listeners = new Set<() => void>()
  LISTENERS.set(signal, listeners)
  const notify = () => {
    const waiting = [...listeners]
    listeners.clear()
    for (const listener of waiting) listener()
  }
  signal.addEventListener('abort', notify, { once: true })
  return listeners
}
