import { EXIT } from './exit-code.ts'

/**
 * Ctrl-C takes the live line away and ends with 130. For commands whose work runs in threads or waits: while this
 * thread computes, it would not hear the signal that otherwise ends the process at once.
 */
export function exitOnInterrupt(tidy: () => void): () => void {
  const stop = () => {
    tidy()
    process.exit(EXIT.interrupted)
  }
  process.once('SIGINT', stop)
  return () => process.off('SIGINT', stop)
}
