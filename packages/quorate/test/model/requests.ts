import type { ModelRequest, ModelSettings } from '../../src/model/model.ts'
import { ModelError } from '../../src/model/model-error.ts'

const SETTINGS: ModelSettings = { temperature: null, maxOutputTokens: 100, seed: null, topLogprobs: null, schema: null }

export function requestOf(text: string, settings: Partial<ModelSettings> = {}, signal?: AbortSignal): ModelRequest {
  return {
    messages: [
      { role: 'system', content: 'You are brief.' },
      { role: 'user', content: text },
    ],
    settings: { ...SETTINGS, ...settings },
    signal: signal ?? new AbortController().signal,
  }
}

/** The ModelError that a call threw; anything else fails the test. */
export async function modelErrorFrom(call: Promise<unknown>): Promise<ModelError> {
  const error = await call.then(
    () => new Error('it did not throw'),
    (thrown: unknown) => thrown,
  )
  if (error instanceof ModelError) return error
  throw error
}
