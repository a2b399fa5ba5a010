import { ModelError } from './model-error.ts'

/** The error of an aborted call: a time-out, or a call that we gave up. The provider may have answered all the same. */
export function abortedError(model: string, signal: AbortSignal, charged: 'no' | 'unknown' = 'unknown'): ModelError {
  const [kind, words] = isTimeOut(signal)
    ? (['time-out', 'no reply in time'] as const)
    : (['aborted', 'given up'] as const)
  return new ModelError(kind, `${model}: ${words}`, { charged })
}

/** Why a signal aborted: a deadline passed, or a person interrupted. This is the only place that decides it. */
export function haltReason(signal: AbortSignal): 'time-out' | 'interrupted' {
  return isTimeOut(signal) ? 'time-out' : 'interrupted'
}

/** The name that `AbortSignal.timeout` gives its reason. */
function isTimeOut({ reason }: AbortSignal): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError'
}
