import { z } from 'zod'

/** A request of a batch: what the provider's SDK would have sent, with our key. */
export interface BatchItem {
  /** At most 64 letters, digits and dashes. */
  readonly key: string
  readonly body: unknown
}

/** The result of one request, as the provider's interface for single requests would have returned it. */
export interface BatchResult {
  readonly key: string
  readonly status: number
  readonly body: unknown
}

export type BatchState =
  | { readonly kind: 'running' }
  /** Requests without a result were neither processed nor charged. */
  | { readonly kind: 'ended'; readonly results: readonly BatchResult[] }

export type FoundBatch =
  | { readonly kind: 'found'; readonly id: string }
  /** It was never created. */
  | { readonly kind: 'none' }
  /** A running batch may be ours or another program's. Only its results will show. */
  | { readonly kind: 'unsure' }

/** Where a batch is sent: the address of the provider's interface, and headers with the key. */
export interface BatchPlace {
  /** Address of single requests, such as https://api.openai.com/v1/chat/completions. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: typeof fetch
}

/** A provider's interface for batches. */
export interface BatchApi {
  /** Sends the requests and returns the provider's id of the batch. `tag` is our own name, which no other batch has. */
  create(place: BatchPlace, items: readonly BatchItem[], tag: string): Promise<string>
  /** Looks for a batch that an earlier process sent without receiving its id. */
  find(place: BatchPlace, keys: ReadonlySet<string>, tag: string): Promise<FoundBatch>
  read(place: BatchPlace, id: string): Promise<BatchState>
}

/** The interface for the path of single requests; undefined if we know no batches of the provider. */
export function batchApiOf(url: string): BatchApi | undefined {
  const path = new URL(url).pathname
  if (path.endsWith('/chat/completions')) return OPENAI
  return path.endsWith('/messages') ? ANTHROPIC : undefined
}

/** Both providers charge half of the list price for requests of a batch. */
export const BATCH_PRICE_SHARE = 0.5

/** The provider refused a request, or its answer could not be understood. */
export class BatchError extends Error {
  override readonly name = 'BatchError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const FOUND_AT_ONCE = 100

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
const OPENAI: BatchApi = {
  async create(place, items, tag) {
    const base = baseOf(place.url, '/chat/completions')
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
    const base = baseOf(place.url, '/chat/completions')
    for await (const { id, metadata } of listed(place, { url: `${base}/batches`, cursor: 'after' }, openaiBatch)) {
      if (metadata?.['quorate'] === tag) return { kind: 'found', id }
    }
    return { kind: 'none' }
  },
  async read(place, id) {
    const base = baseOf(place.url, '/chat/completions')
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
const ANTHROPIC: BatchApi = {
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

/** All batches of the account, the latest first. */
async function* listed<Batch extends { readonly id: string }>(
  place: BatchPlace,
  { url, cursor }: { readonly url: string; readonly cursor: string },
  batch: z.ZodType<Batch>,
): AsyncGenerator<Batch> {
  const page = z.object({ data: z.array(batch), has_more: z.boolean().nullish() })
  for (let after = ''; ; ) {
    const { data, has_more: hasMore } = page.parse(await request(place, 'GET', `${url}?limit=${FOUND_AT_ONCE}${after}`))
    yield* data
    const last = data.at(-1)
    if (hasMore !== true || last === undefined) return
    const next = `&${cursor}=${encodeURIComponent(last.id)}`
    if (next === after)
      throw new BatchError(400, `GET ${url} answers the same page again: its batches cannot be listed`)
    after = next
  }
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

/** Status of a request that was not processed, such as one of an expired batch. It is worth another attempt. */
export const UNPROCESSED = 503

function baseOf(url: string, path: string): string {
  return url.slice(0, url.length - path.length)
}

async function request(place: BatchPlace, method: string, url: string, body?: object): Promise<unknown> {
  const text = await requestText(place, method, url, body)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new BatchError(502, `${method} ${url} answered no JSON: ${error instanceof Error ? error.message : ''}`)
  }
}

async function requestText(place: BatchPlace, method: string, url: string, body?: object): Promise<string> {
  const isForm = body instanceof FormData
  const headers = { ...place.headers, ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }) }
  const sent = body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }
  // A redirect would carry the key to another host.
  const response = await place.fetch(url, { method, headers, redirect: 'manual', ...sent })
  const text = await response.text()
  if (response.ok) return text
  throw new BatchError(response.status, `${method} ${url} answered ${response.status}: ${text.slice(0, 500)}`)
}

function linesOf<Line>(text: string, schema: z.ZodType<Line>): readonly Line[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => schema.parse(JSON.parse(line)))
}
