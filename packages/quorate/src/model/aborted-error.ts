import { ModelError } from './model-error.ts'

/** What an abort means: a time-out, or that we gave up. The provider may have answered all the same. */
export function abortedError(model: string, signal: AbortSignal, charged: 'no' | 'unknown' = 'unknown'): ModelError {
  const [kind, words] = isTimeOut(signal)
    ? (['time-out', 'no reply in time'] as const)
    : (['aborted', 'given up'] as const)
  return new ModelError(kind, `${model}: ${words}`, { charged })
}

/** The name that `AbortSignal.timeout` gives its reason. */
export function isTimeOut({ reason }: AbortSignal): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError'
}
