export interface Interrupt {
  /** After the first Ctrl-C: nothing more is begun, what is in flight may finish. */
  readonly stopping: AbortSignal
  /** After the second, or when the grace is over: calls in flight end too. */
  readonly aborting: AbortSignal
  /** Stops listening. */
  end(): void
}

const GRACE_MS = 10_000

/** What becomes of the work that is not begun. */
export type Rest = 'stays for --resume' | 'goes to other workers'

/** Ctrl-C as a clean checkpoint; so too when the machine asks the process to end. */
export function listenForInterrupt(log: (words: string) => void, rest: Rest = 'stays for --resume'): Interrupt {
  const stopping = new AbortController()
  const aborting = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const onSignal = () => {
    if (stopping.signal.aborted) return aborting.abort()
    log(`stopping: calls in flight may finish, the rest ${rest}; press Ctrl-C again to end them now`)
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
