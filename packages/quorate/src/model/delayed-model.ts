import { abortedError } from './aborted-error.ts'
import type { Model } from './model.ts'

/** A simulated or scripted model that takes its time; others as they are. */
export function delayed(model: Model, latencyMs: number): Model {
  if (latencyMs === 0 || !['simulated', 'scripted'].includes(model.provider)) return model
  return {
    ...model,
    async call(request) {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => {
          request.signal.removeEventListener('abort', stop)
          resolve()
        }, latencyMs)
        const stop = () => {
          clearTimeout(timer)
          reject(abortedError(model.id, request.signal))
        }
        if (request.signal.aborted) stop()
        else request.signal.addEventListener('abort', stop, { once: true })
      })
      return model.call(request)
    },
  }
}
