import { z } from 'zod'
import {
  type BatchApi,
  type BatchPlace,
  type BatchResult,
  linesOf,
  listed,
  request,
  requestText,
  UNPROCESSED,
} from './batch-api.ts'

const anthropicBatch = z.object({
  id: z.string(),
  processing_status: z.string(),
  request_counts: z.record(z.string(), z.number()).optional(),
})
const anthropicLine = z.object({
  custom_id: z.string(),
  result: z.object({
    type: z.string(),
    message: z.unknown().optional(),
    error: z.looseObject({ error: z.looseObject({ type: z.string(), message: z.string() }).optional() }).optional(),
  }),
})

/** https://platform.claude.com/docs/en/api/creating-message-batches: all requests in one body. */
export const ANTHROPIC_BATCHES: BatchApi = {
  priceShare: 0.5,
  async create(place, items) {
    const requests = items.map(({ key, body }) => ({ custom_id: key, params: body }))
    return anthropicBatch.parse(await request(place, 'POST', `${place.url}/batches`, { requests })).id
  },
  /** Batches have no tag and show their requests only after they have ended. A batch of another size is not ours. */
  async find(place, keys) {
    let isUnsure = false
    const pages = { url: `${place.url}/batches`, cursor: 'after_id' }
    for await (const { id, processing_status: status, request_counts: counts = {} } of listed(
      place,
      pages,
      anthropicBatch,
    )) {
      const requests = Object.values(counts).reduce((sum, count) => sum + count, 0)
      if (requests !== keys.size) continue
      if (status !== 'ended') isUnsure = true
      else if ((await resultsOf(place, id)).some(({ key }) => keys.has(key))) return { kind: 'found', id }
    }
    return { kind: isUnsure ? 'unsure' : 'none' }
  },
  async read(place, id) {
    const batch = anthropicBatch.parse(await request(place, 'GET', `${place.url}/batches/${encodeURIComponent(id)}`))
    return batch.processing_status === 'ended'
      ? { kind: 'ended', results: await resultsOf(place, id) }
      : { kind: 'running' }
  },
}

/** Does not use `results_url`, which could name another host. The key is sent only to the address that it belongs to. */
async function resultsOf(place: BatchPlace, id: string): Promise<readonly BatchResult[]> {
  const text = await requestText(place, 'GET', `${place.url}/batches/${encodeURIComponent(id)}/results`)
  return linesOf(text, anthropicLine).map(({ custom_id: key, result: { type, message, error } }) => {
    if (type === 'succeeded') return { key, status: 200, body: message }
    const found = error?.error ?? { type: `batch_${type}`, message: `this request of the batch was ${type}` }
    return { key, status: STATUS_OF[found.type] ?? UNPROCESSED, body: { type: 'error', error: found } }
  })
}

/** https://platform.claude.com/docs/en/api/errors */
const STATUS_OF: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  overloaded_error: 529,
}
