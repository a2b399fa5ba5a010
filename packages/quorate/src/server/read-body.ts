import type { MiddlewareHandler } from 'hono'
import { ProblemError, type ProblemParts } from './problem-response.ts'

export const MOST_JSON_BYTES = 1_000_000
/** Deeper than anything of the contract. */
const MOST_LEVELS = 32

/** Reads a JSON body of at most 1 MB for the validator behind it. */
export function readJson(): MiddlewareHandler {
  return async (context, next) => {
    checkLength(context.req.header('content-length'), MOST_JSON_BYTES)
    if (context.req.header('content-length') === undefined && context.req.raw.body !== null) {
      const body = await new Response(limited(context.req.raw.body, MOST_JSON_BYTES)).text()
      const { method, headers, signal } = context.req.raw
      context.req.raw = new Request(context.req.url, { method, headers, signal, body })
    }
    checkJson(await context.req.text())
    return next()
  }
}

/** Refuses by the length that is told; what comes without one is counted by `limited`. */
export function checkLength(header: string | undefined, most: number): void {
  if (header !== undefined && !(Number(header) <= most)) throw new ProblemError(tooLarge(most))
}

/** Fails as soon as more than `most` bytes came. */
export function limited(body: ReadableStream<Uint8Array>, most: number): ReadableStream<Uint8Array> {
  let length = 0
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      length += chunk.byteLength
      if (length > most) controller.error(new ProblemError(tooLarge(most)))
      else controller.enqueue(chunk)
    },
  })
  return body.pipeThrough(count)
}

function tooLarge(most: number): ProblemParts {
  return { status: 413, detail: `the body must have at most ${most} bytes` }
}

function checkJson(text: string): void {
  if (levels(text) > MOST_LEVELS) {
    throw new ProblemError({ status: 400, detail: `the body must be nested at most ${MOST_LEVELS} levels deep` })
  }
  // An escape may hide the name, so where there is one each key is looked at.
  if (!/__proto__|\\u00(?:5f|6f|7[024])/i.test(text)) return
  const found = keyPath(text, '__proto__')
  if (found === null) return
  throw new ProblemError({
    status: 422,
    detail: 'an object of the body has the key __proto__',
    next: 'give options as a list, and another name to an option that beliefs are keyed by',
    errors: [{ field: found, expected: 'any other key' }],
  })
}

function levels(text: string): number {
  let [depth, deepest, inText] = [0, 0, false]
  for (let index = 0; index < text.length; index++) {
    const letter = text.charCodeAt(index)
    if (inText) {
      if (letter === 0x5c) index++
      else if (letter === 0x22) inText = false
    } else if (letter === 0x22) inText = true
    else if (letter === 0x5b || letter === 0x7b) deepest = Math.max(deepest, ++depth)
    else if (letter === 0x5d || letter === 0x7d) depth--
  }
  return deepest
}

/** Where the first object is that has the key; null: none, or no JSON, which the validator says. */
function keyPath(text: string, wanted: string): string | null {
  const look = (value: unknown, path: readonly string[]): string | null => {
    if (typeof value !== 'object' || value === null) return null
    for (const [key, held] of Object.entries(value)) {
      const found = key === wanted ? [...path, key].join('.') : look(held, [...path, key])
      if (found !== null) return found
    }
    return null
  }
  try {
    return look(JSON.parse(text), [])
  } catch {
    return null
  }
}
