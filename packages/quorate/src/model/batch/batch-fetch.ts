import { createHash } from 'node:crypto'
import {
  type BatchApi,
  BatchError,
  type BatchItem,
  type BatchPlace,
  type BatchResult,
  UNPROCESSED,
} from './batch-api.ts'

/** A batch as the journal stores it: its requests and its address. No text and no key of a provider. */
export interface OpenBatch {
  readonly id: string
  readonly url: string
  /** The provider's id; null until it has answered. */
  readonly remoteId: string | null
  readonly keys: readonly string[]
}

/** Remembers batches when the process has ended. */
export interface BatchJournal {
  /** Committed before anything is sent. */
  open(batch: Omit<OpenBatch, 'remoteId'>): Promise<void>
  sent(id: string, remoteId: string): Promise<void>
  forget(id: string): Promise<void>
  list(): Promise<readonly OpenBatch[]>
}

export interface BatchOptions {
  readonly journal: BatchJournal
  readonly fetch: typeof fetch
  readonly sleep: (milliseconds: number) => Promise<void>
  readonly newId: () => string
  /** Interval between two polls of a batch. */
  readonly pollMs: number
  /** A batch is sent when no request has arrived for this long, because the requests of a round arrive together. */
  readonly quietMs: number
  readonly report?: (words: string) => void
}

/** Identifies the call of a request, so that a later process finds its answer. Never sent to a provider. */
export const PLACE_HEADER = 'x-quorate-place'

/** OpenAI accepts 50,000 requests and 200 MB, Anthropic 100,000 and 256 MB. */
const MOST_ITEMS = 50_000
const MOST_BYTES = 100_000_000

export interface Batching {
  /** Collects requests to a provider with this interface. */
  fetchOf(api: BatchApi): typeof fetch
  /** To be called when every answer is committed: these batches are then never looked for again. */
  forget(): Promise<void>
}

/**
 * Functions like `fetch` that collect single requests into batches. The SDKs write requests and read answers as usual, and each
 * request waits until its batch has ended. A request that is in an open batch of an earlier process waits for that
 * batch and is not sent again.
 */
export function batchFetch(options: BatchOptions): Batching {
  const used = new Set<string>()
  const waiting = new Map<string, Waiting>()
  const following = new Map<string, Promise<ReadonlyMap<string, BatchResult>>>()
  let earlier: Promise<Map<string, OpenBatch>> | null = null
  let arrivals = 0

  async function send(api: BatchApi, input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const url = String(input instanceof Request ? input.url : input)
    const headers = new Headers(init.headers)
    const place = headers.get(PLACE_HEADER) ?? ''
    headers.delete(PLACE_HEADER)
    headers.delete('content-type')
    const text = String(init.body ?? '')
    const key = createHash('sha256').update(`${place}\n${url}\n${text}`).digest('hex').slice(0, 40)
    const target: BatchTarget = { api, place: { url, headers: Object.fromEntries(headers), fetch: options.fetch } }
    const batch = await openBatchOf(key)
    const result = batch === undefined ? await inNewBatch(key, text, target) : await inOpenBatch(batch, key, target)
    const { status, body } = result
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
  }

  /**
   * The open batch of an earlier process that contains this request. Each is used once, so a request that failed there
   * is sent again.
   */
  async function openBatchOf(key: string): Promise<OpenBatch | undefined> {
    earlier ??= options.journal
      .list()
      .then((batches) => new Map(batches.flatMap((batch) => batch.keys.map((one) => [one, batch]))))
    const known = await earlier
    const batch = known.get(key)
    known.delete(key)
    return batch
  }

  async function inOpenBatch(batch: OpenBatch, key: string, target: BatchTarget): Promise<BatchResult> {
    used.add(batch.id)
    const results = following.get(batch.id) ?? resumeBatch(batch, target)
    following.set(batch.id, results)
    try {
      return (await results).get(key) ?? unprocessed(key)
    } catch (error) {
      // The next attempt looks again for what is already paid for.
      following.delete(batch.id)
      ;(await earlier)?.set(key, batch)
      throw error
    }
  }

  async function resumeBatch(batch: OpenBatch, { api, place }: BatchTarget): Promise<ReadonlyMap<string, BatchResult>> {
    let { remoteId } = batch
    if (remoteId === null) {
      remoteId = await findBatch(batch, { api, place })
      if (remoteId === null) {
        await options.journal.forget(batch.id)
        return new Map()
      }
      await options.journal.sent(batch.id, remoteId)
    }
    options.report?.(`waiting for the batch ${remoteId} of the previous process, ${batch.keys.length} calls`)
    return follow(remoteId, { api, place })
  }

  /**
   * Null: it was never created. A batch that may be running is waited for, because sending it again would be paid for twice.
   */
  async function findBatch({ id, keys }: OpenBatch, { api, place }: BatchTarget): Promise<string | null> {
    for (;;) {
      const found = await retriedPoll(() => api.find(place, new Set(keys), id))
      if (found.kind !== 'unsure') return found.kind === 'found' ? found.id : null
      await options.sleep(options.pollMs)
    }
  }

  function inNewBatch(key: string, text: string, target: BatchTarget): Promise<BatchResult> {
    return new Promise((resolve, reject) => {
      waiting.set(key, { item: { key, body: JSON.parse(text) }, bytes: text.length, target, resolve, reject })
      arrivals += 1
      void sendWhenQuiet(arrivals)
    })
  }

  async function sendWhenQuiet(mine: number): Promise<void> {
    await options.sleep(options.quietMs)
    // Another request has arrived since, and its own wait will send this one too.
    if (mine !== arrivals) return
    const all = [...waiting.values()]
    waiting.clear()
    await Promise.all(batchesOf(all).map((batch) => sendBatch(batch)))
  }

  async function sendBatch({ target, members }: NewBatch): Promise<void> {
    const { api, place } = target
    const id = options.newId()
    const keys = members.map(({ item }) => item.key)
    let remoteId: string | null = null
    used.add(id)
    try {
      await options.journal.open({ id, url: place.url, keys })
      remoteId = await api.create(
        place,
        members.map(({ item }) => item),
        id,
      )
      await options.journal.sent(id, remoteId)
      options.report?.(`sent the batch ${remoteId}, ${members.length} calls`)
      const results = await follow(remoteId, target)
      for (const { item, resolve } of members) resolve(results.get(item.key) ?? unprocessed(item.key))
    } catch (error) {
      if (remoteId === null && error instanceof BatchError && error.status < 500) {
        // The batch was refused as a whole, so each request gets the answer that it would have got alone.
        await options.journal.forget(id)
        for (const { item, resolve } of members) {
          resolve({ key: item.key, status: error.status, body: refusal(error) })
        }
        return
      }
      // The provider may have received it all the same, so the next attempt looks for it before sending another one.
      const batch: OpenBatch = { id, url: place.url, remoteId, keys }
      for (const key of keys) (await earlier)?.set(key, batch)
      for (const { reject } of members) reject(error)
    }
  }

  async function follow(remoteId: string, { api, place }: BatchTarget): Promise<ReadonlyMap<string, BatchResult>> {
    for (;;) {
      const state = await retriedPoll(() => api.read(place, remoteId))
      if (state.kind === 'ended') return byKey(state.results)
      await options.sleep(options.pollMs)
    }
  }

  /** Retries a poll, because a failed poll is no reason to give up what is paid for. A refused key is one. */
  async function retriedPoll<Value>(poll: () => Promise<Value>): Promise<Value> {
    for (let failures = 1; ; failures++) {
      try {
        return await poll()
      } catch (error) {
        const isFinal = error instanceof BatchError && [400, 401, 403, 404].includes(error.status)
        if (isFinal || failures >= MOST_FAILED_POLLS) throw error
        await options.sleep(options.pollMs)
      }
    }
  }

  return {
    fetchOf: (api) => (input, init) => send(api, input, init),
    async forget() {
      for (const id of used) await options.journal.forget(id)
    },
  }
}

const MOST_FAILED_POLLS = 60

interface BatchTarget {
  readonly api: BatchApi
  readonly place: BatchPlace
}

interface Waiting {
  readonly item: BatchItem
  readonly bytes: number
  readonly target: BatchTarget
  resolve(result: BatchResult): void
  reject(error: unknown): void
}

interface NewBatch {
  readonly target: BatchTarget
  readonly members: Waiting[]
}

/** One batch for each address and key, split where a provider would refuse its size. */
function batchesOf(all: readonly Waiting[]): readonly NewBatch[] {
  const open = new Map<string, NewBatch & { bytes: number }>()
  const made: NewBatch[] = []
  for (const one of all) {
    const { place } = one.target
    const name = JSON.stringify([place.url, place.headers['authorization'], place.headers['x-api-key']])
    let batch = open.get(name)
    if (batch === undefined || batch.members.length >= MOST_ITEMS || batch.bytes + one.bytes > MOST_BYTES) {
      batch = { target: one.target, members: [], bytes: 0 }
      open.set(name, batch)
      made.push(batch)
    }
    batch.members.push(one)
    batch.bytes += one.bytes
  }
  return made
}

/** Of several results for one request, the successful one counts, because it is paid for. */
function byKey(results: readonly BatchResult[]): ReadonlyMap<string, BatchResult> {
  const known = new Map<string, BatchResult>()
  for (const result of results) {
    if (known.get(result.key)?.status !== 200) known.set(result.key, result)
  }
  return known
}

function unprocessed(key: string): BatchResult {
  return { key, status: UNPROCESSED, body: { error: { message: 'the batch ended without a result for this request' } } }
}

function refusal({ message }: BatchError): unknown {
  return { error: { message, type: 'batch', param: null, code: null } }
}
