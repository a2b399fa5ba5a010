const LISTENERS = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls the listener once when the signal aborts, immediately if it already has, and returns a function that stops
 * listening. Each signal gets one event listener for all of them: adding an event listener takes time in proportion to
 * those that it has, and thousands of calls share a signal.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  // The event is not delivered again.
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
