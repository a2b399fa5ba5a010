import { ModelError } from './model-error.ts'

/** What an abort means: a time-out, or that we gave up. The provider may have answered all the same. */
export function abortedError(model: string, signal: AbortSignal, charged: 'no' | 'unknown' = 'unknown'): ModelError {
  const [kind, words] = isTimeOut(signal)
    ? (['time-out', 'no reply in time'] as const)
    : (['aborted', 'given up'] as const)
  return new ModelError(kind, `${model}: ${words}`, { charged })
}

/** What an aborted signal means: a deadline passed, or a person wants an end. The one rule for it. */
export function haltReason(signal: AbortSignal): 'time-out' | 'interrupted' {
  return isTimeOut(signal) ? 'time-out' : 'interrupted'
}

/** The name that `AbortSignal.timeout` gives its reason. */
function isTimeOut({ reason }: AbortSignal): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError'
}
