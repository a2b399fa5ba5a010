import { EXIT } from './exit-code.ts'

const TERMINATED = 143

/**
 * Ctrl-C takes the live line away and ends with 130, SIGTERM with 143, and both end the processes that do the work. For commands
 * whose work runs elsewhere or waits: while this thread computes, it would not receive the signal that otherwise ends it at once.
 */
export function exitOnInterrupt(tidy: () => void): () => void {
  const stop = (signal: NodeJS.Signals) => {
    tidy()
    process.exit(signal === 'SIGTERM' ? TERMINATED : EXIT.interrupted)
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.once(signal, stop)
  return () => {
    for (const signal of signals) process.off(signal, stop)
  }
}
