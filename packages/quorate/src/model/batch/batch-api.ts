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
  /** Share of the list price that the provider charges for requests of a batch. */
  readonly priceShare: number
  /** Sends the requests and returns the provider's id of the batch. `tag` is our own name, which no other batch has. */
  create(place: BatchPlace, items: readonly BatchItem[], tag: string): Promise<string>
  /** Looks for a batch that an earlier process sent without receiving its id. */
  find(place: BatchPlace, keys: ReadonlySet<string>, tag: string): Promise<FoundBatch>
  read(place: BatchPlace, id: string): Promise<BatchState>
}

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

/** All batches of the account, the latest first. */
export async function* listed<Batch extends { readonly id: string }>(
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

/** Status of a request that was not processed, such as one of an expired batch. It is worth another attempt. */
export const UNPROCESSED = 503

export async function request(place: BatchPlace, method: string, url: string, body?: object): Promise<unknown> {
  const text = await requestText(place, method, url, body)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new BatchError(502, `${method} ${url} answered no JSON: ${error instanceof Error ? error.message : ''}`)
  }
}

export async function requestText(place: BatchPlace, method: string, url: string, body?: object): Promise<string> {
  const isForm = body instanceof FormData
  const headers = { ...place.headers, ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }) }
  const sent = body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }
  // A redirect would carry the key to another host.
  const response = await place.fetch(url, { method, headers, redirect: 'manual', ...sent })
  const text = await response.text()
  if (response.ok) return text
  throw new BatchError(response.status, `${method} ${url} answered ${response.status}: ${text.slice(0, 500)}`)
}

export function linesOf<Line>(text: string, schema: z.ZodType<Line>): readonly Line[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => schema.parse(JSON.parse(line)))
}
