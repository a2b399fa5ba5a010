import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'

/** What one request of a batch would have been answered alone. */
export type AnswerOne = (path: string, body: unknown) => { readonly status: number; readonly body: unknown }

interface Batch {
  readonly id: string
  readonly tag: string | null
  readonly lines: readonly { readonly custom_id: string; readonly path: string; readonly body: unknown }[]
  results: string | null
}

export interface FakeBatches {
  /** True where the request was one about batches. */
  handle(request: IncomingMessage, response: ServerResponse, body: () => Promise<Buffer>): Promise<boolean>
  list(): readonly { readonly id: string; readonly requests: number; readonly isEnded: boolean }[]
  /** Batches are answered from now on; until then all that were created wait. */
  release(): void
  pause(): void
  /** The next batch ends without answering this share of its requests. */
  expireNext(share: number): void
  /** Resolves when so many batches have been created. */
  created(count: number): Promise<void>
}

const Line = z.object({ custom_id: z.string(), method: z.literal('POST'), url: z.string(), body: z.unknown() })
const Create = z.object({
  input_file_id: z.string(),
  endpoint: z.literal('/v1/chat/completions'),
  completion_window: z.literal('24h'),
  metadata: z.record(z.string(), z.string()).optional(),
})
const Anthropic = z.object({
  requests: z.array(z.object({ custom_id: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/), params: z.unknown() })).min(1),
})

/** Batches by the documented schemas of OpenAI and Anthropic. */
export function fakeBatches(answer: AnswerOne): FakeBatches {
  const files = new Map<string, string>()
  const batches: Batch[] = []
  let isPaused = false
  let expiring = 0
  let awaited: { readonly count: number; resolve(): void }[] = []

  function end(batch: Batch): void {
    if (batch.results !== null || isPaused) return
    const kept = Math.ceil(batch.lines.length * (1 - expiring))
    expiring = 0
    const isOpenai = batch.id.startsWith('batch_')
    const lines = batch.lines.map(({ custom_id, path, body }, index) => {
      if (index >= kept) return isOpenai ? null : { custom_id, result: { type: 'expired' } }
      const { status, body: given } = answer(path, body)
      if (isOpenai)
        return { id: `r_${custom_id}`, custom_id, response: { status_code: status, body: given }, error: null }
      const result = status === 200 ? { type: 'succeeded', message: given } : { type: 'errored', error: given }
      return { custom_id, result }
    })
    batch.results = lines.flatMap((line) => (line === null ? [] : [`${JSON.stringify(line)}\n`])).join('')
  }

  function add(id: string, tag: string | null, lines: Batch['lines']): Batch {
    if (new Set(lines.map(({ custom_id }) => custom_id)).size !== lines.length) throw new Error('a custom_id twice')
    const batch: Batch = { id, tag, lines, results: null }
    batches.push(batch)
    for (const one of awaited) if (batches.length >= one.count) one.resolve()
    awaited = awaited.filter(({ count }) => batches.length < count)
    return batch
  }

  function openaiView({ id, tag, results }: Batch) {
    const status = results === null ? 'in_progress' : 'completed'
    const output = results === null ? null : `file-out-${id}`
    return { id, object: 'batch', status, output_file_id: output, error_file_id: null, metadata: { quorate: tag } }
  }

  function anthropicView({ id, lines, results }: Batch) {
    const counts = { processing: results === null ? lines.length : 0, succeeded: results === null ? 0 : lines.length }
    return {
      id,
      type: 'message_batch',
      processing_status: results === null ? 'in_progress' : 'ended',
      request_counts: counts,
    }
  }

  return {
    async handle(request, response, bodyOf) {
      const { pathname } = new URL(request.url ?? '', 'http://fake')
      const [method, path] = [request.method, pathname.replace(/^\/v1/, '')]
      const json = (value: unknown) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify(value))
        return true
      }
      const text = (value: string) => {
        response.writeHead(200, { 'content-type': 'application/jsonl' })
        response.end(value)
        return true
      }
      const found = batches.find(({ id }) => path.includes(id))
      if (found !== undefined) end(found)
      if (method === 'POST' && path === '/files') {
        const form = await new Response(new Uint8Array(await bodyOf()), {
          headers: { 'content-type': request.headers['content-type'] ?? '' },
        }).formData()
        const file = form.get('file')
        if (form.get('purpose') !== 'batch' || !(file instanceof File)) throw new Error('not a file for a batch')
        const id = `file-in-${files.size}`
        files.set(id, await file.text())
        return json({ id, object: 'file' })
      }
      if (method === 'POST' && path === '/batches') {
        const { input_file_id: file, metadata } = Create.parse(JSON.parse((await bodyOf()).toString()))
        const lines = (files.get(file) ?? '')
          .trim()
          .split('\n')
          .map((line) => Line.parse(JSON.parse(line)))
        const requests = lines.map(({ custom_id, url, body }) => ({ custom_id, path: url, body }))
        return json(openaiView(add(`batch_${batches.length}_`, metadata?.['quorate'] ?? null, requests)))
      }
      if (method === 'POST' && path === '/messages/batches') {
        const { requests } = Anthropic.parse(JSON.parse((await bodyOf()).toString()))
        const lines = requests.map(({ custom_id, params }) => ({ custom_id, path: '/v1/messages', body: params }))
        return json(anthropicView(add(`msgbatch_${batches.length}_`, null, lines)))
      }
      if (method !== 'GET') return false
      if (path.endsWith('/batches')) batches.forEach(end)
      if (path === '/batches')
        return json({ data: batches.filter(({ id }) => id.startsWith('batch_')).map(openaiView) })
      if (path === '/messages/batches') {
        return json({ data: batches.filter(({ id }) => id.startsWith('msg')).map(anthropicView) })
      }
      if (found === undefined) return false
      if (path.startsWith('/files/') || path.endsWith('/results')) return text(found.results ?? '')
      return json(path.startsWith('/batches/') ? openaiView(found) : anthropicView(found))
    },
    list: () => batches.map(({ id, lines, results }) => ({ id, requests: lines.length, isEnded: results !== null })),
    release() {
      isPaused = false
    },
    pause() {
      isPaused = true
    },
    expireNext(share) {
      expiring = share
    },
    created: (count) =>
      batches.length >= count
        ? Promise.resolve()
        : new Promise((resolve) => {
            awaited.push({ count, resolve })
          }),
  }
}
