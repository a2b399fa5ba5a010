import { setImmediate as nextTurn } from 'node:timers/promises'
import { createStudyTurns, type StudyTurns } from './deciding/studies/study-turns.ts'
import { clientDisconnected, ProblemError } from './problem-response.ts'

/** Responses that take long to compute and to write: one at a time for each key, so that callers do not delay each other. */
export interface LongAnswers {
  /** The JSON of the value that `make` resolves to. It is written once for each object. */
  take(key: string, signal: AbortSignal, make: () => Promise<unknown>): Promise<Uint8Array<ArrayBuffer>>
}

const RETRY_AFTER_SECONDS = 2

export function createLongAnswers(): LongAnswers {
  const queues = new Map<string, { readonly turns: StudyTurns; requests: number }>()
  const written = new WeakMap<object, Promise<Uint8Array<ArrayBuffer>>>()

  async function textOf(make: () => Promise<unknown>): Promise<Uint8Array<ArrayBuffer>> {
    const value = await make()
    if (typeof value !== 'object' || value === null) return new TextEncoder().encode(JSON.stringify(value))
    const text = written.get(value) ?? jsonBytes(value)
    written.set(value, text)
    return text
  }

  return {
    async take(key, signal, make) {
      const queue = queues.get(key) ?? { turns: createStudyTurns(tooManyRequests), requests: 0 }
      queues.set(key, queue)
      queue.requests += 1
      try {
        return await queue.turns.take(() => textOf(make), signal)
      } catch (error) {
        throw signal.aborted ? clientDisconnected() : error
      } finally {
        queue.requests -= 1
        if (queue.requests === 0) queues.delete(key)
      }
    },
  }
}

function tooManyRequests(): ProblemError {
  const detail = 'This token already has several such requests in progress.'
  return new ProblemError({ status: 429, detail, retryAfterSeconds: RETRY_AFTER_SECONDS })
}

/** Items of a list that are written before other requests get a turn. */
const AT_ONCE = 5000

/** The same bytes as `JSON.stringify`, written in pieces so that other requests are served in between. */
export async function jsonBytes(value: object): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Buffer[] = []
  for (const piece of jsonPieces(value)) {
    pieces.push(Buffer.from(piece))
    if (piece.length > AT_ONCE) await nextTurn()
  }
  return new Uint8Array(Buffer.concat(pieces))
}

function* jsonPieces(value: unknown): Generator<string> {
  if (Array.isArray(value) && value.length > AT_ONCE) {
    for (let from = 0; from < value.length; from += AT_ONCE) {
      yield from === 0 ? '[' : ','
      yield JSON.stringify(value.slice(from, from + AT_ONCE)).slice(1, -1)
    }
    yield ']'
  } else if (isPlain(value)) {
    let before = '{'
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue
      yield `${before}${JSON.stringify(name)}:`
      yield* jsonPieces(member)
      before = ','
    }
    yield before === '{' ? '{}' : '}'
  } else yield JSON.stringify(value)
}

/** An object that is written member by member. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !('toJSON' in value)
}
