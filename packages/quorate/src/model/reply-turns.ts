/** Up to this many waiting replies are read one per turn. Of more, an equal share is read in each turn, so none waits for long. */
const ONE_BY_ONE = 16

let waiting: (() => void)[] = []

/**
 * Resolves in a turn of the event loop in which few other replies are read. Between such turns, the intents of the next requests
 * are committed and the requests are sent. If all replies that arrive together were read in one turn, the next requests would be
 * sent late and together, and their replies would arrive together again. All models of a process share one event loop, and so this
 * queue.
 */
export function turnToRead(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(readSome)
  })
}

function readSome(): void {
  const some = waiting.slice(0, Math.ceil(waiting.length / ONE_BY_ONE))
  waiting = waiting.slice(some.length)
  if (waiting.length > 0) setImmediate(readSome)
  for (const read of some) read()
}
