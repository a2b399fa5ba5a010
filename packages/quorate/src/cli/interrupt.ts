export interface Interrupt {
  /** Aborted by the first Ctrl-C. No new work is started, and calls in flight may finish. */
  readonly stopping: AbortSignal
  /** Aborted by the second Ctrl-C, or when the grace period is over. Calls in flight are cancelled too. */
  readonly aborting: AbortSignal
  /** Stops listening. */
  end(): void
}

const GRACE_MS = 10_000

/** What happens to the work that was not started. */
export type Rest = 'stays for --resume' | 'stays for the same command' | 'goes to other workers'

/** Turns Ctrl-C and SIGTERM into a clean checkpoint. */
export function listenForInterrupt(log: (words: string) => void, rest: Rest = 'stays for --resume'): Interrupt {
  const stopping = new AbortController()
  const aborting = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const onSignal = () => {
    if (stopping.signal.aborted) return aborting.abort()
    log(`stopping: calls in flight may finish, the rest ${rest}. Press Ctrl-C again to end them now`)
    stopping.abort()
    timer = setTimeout(() => aborting.abort(), GRACE_MS)
    timer.unref()
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  return {
    stopping: stopping.signal,
    aborting: aborting.signal,
    end() {
      clearTimeout(timer)
      process.off('SIGINT', onSignal)
      process.off('SIGTERM', onSignal)
    },
  }
}
