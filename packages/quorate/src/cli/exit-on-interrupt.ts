import { EXIT } from './exit-code.ts'

const TERMINATED = 143

/**
 * Exits with 130 on Ctrl-C and with 143 on SIGTERM, after `tidy` has erased the progress line. Child processes end with this
 * one. Use it only for commands that wait or whose work runs in other processes: a thread that computes does not run signal
 * handlers, and without a handler the signal would end it immediately.
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
