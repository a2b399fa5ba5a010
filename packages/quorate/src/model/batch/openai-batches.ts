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

const openaiBatch = z.object({
  id: z.string(),
  status: z.string(),
  output_file_id: z.string().nullish(),
  error_file_id: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
})
const openaiLine = z.object({
  custom_id: z.string(),
  response: z.object({ status_code: z.int(), body: z.unknown() }).nullish(),
  error: z.object({ message: z.string().nullish() }).nullish(),
})

/** https://platform.openai.com/docs/api-reference/batch: a file of requests, then a batch over it. */
export const OPENAI_BATCHES: BatchApi = {
  priceShare: 0.5,
  async create(place, items, tag) {
    const base = baseOf(place)
    const endpoint = '/v1/chat/completions'
    const lines = items.map(({ key, body }) => JSON.stringify({ custom_id: key, method: 'POST', url: endpoint, body }))
    const form = new FormData()
    form.set('purpose', 'batch')
    form.set('file', new Blob([`${lines.join('\n')}\n`], { type: 'application/jsonl' }), `${tag}.jsonl`)
    const file = z.object({ id: z.string() }).parse(await request(place, 'POST', `${base}/files`, form))
    const metadata = { quorate: tag }
    const made = { input_file_id: file.id, endpoint, completion_window: '24h', metadata }
    return openaiBatch.parse(await request(place, 'POST', `${base}/batches`, made)).id
  },
  async find(place, _, tag) {
    const base = baseOf(place)
    for await (const { id, metadata } of listed(place, { url: `${base}/batches`, cursor: 'after' }, openaiBatch)) {
      if (metadata?.['quorate'] === tag) return { kind: 'found', id }
    }
    return { kind: 'none' }
  },
  async read(place, id) {
    const base = baseOf(place)
    const batch = openaiBatch.parse(await request(place, 'GET', `${base}/batches/${encodeURIComponent(id)}`))
    if (['validating', 'in_progress', 'finalizing', 'cancelling'].includes(batch.status)) return { kind: 'running' }
    const files = [batch.output_file_id, batch.error_file_id].filter((file) => typeof file === 'string')
    const results: BatchResult[] = []
    for (const file of files) {
      const text = await requestText(place, 'GET', `${base}/files/${encodeURIComponent(file)}/content`)
      results.push(...linesOf(text, openaiLine).map(openaiResult))
    }
    return { kind: 'ended', results }
  },
}

function openaiResult({ custom_id: key, response, error }: z.infer<typeof openaiLine>): BatchResult {
  if (response) return { key, status: response.status_code, body: response.body }
  const message = error?.message ?? 'the batch has neither a response nor an error for this request'
  return { key, status: UNPROCESSED, body: { error: { message, type: 'batch', param: null, code: null } } }
}

function baseOf({ url }: BatchPlace): string {
  return url.slice(0, url.length - '/chat/completions'.length)
}
