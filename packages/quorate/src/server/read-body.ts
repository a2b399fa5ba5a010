import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MiddlewareHandler } from 'hono'
import { LIMITS } from '../record/limits.ts'
import { ProblemError, type ProblemParts } from './problem-response.ts'

/** For a question or a debate. */
export const MOST_JSON_BYTES = 1_000_000
/** For any other body, whose longest text is a note of 5000 characters. */
const SMALL_JSON_BYTES = 100_000
/** Deeper than any schema of the contract. */
const MOST_LEVELS = 32
/** For field names and options together. Parsing many different keys takes very long. */
const MOST_KEYS = 1000
/** Ten times the longest list of the contract, the samples of a turn. */
const MOST_ITEMS = 10_000
/** Characters from which a body waits for its turn (`turnOfLargeBody`). */
const LARGE_LENGTH = 50_000

/** Reads a JSON body of at most `most` bytes for the validator. It refuses a body that would take long to parse. */
export function readJson(most: number = SMALL_JSON_BYTES): MiddlewareHandler {
  return async (context, next) => {
    checkLength(context.req.header('content-length'), most)
    if (context.req.header('content-length') === undefined && context.req.raw.body !== null) {
      const body = await new Response(limited(context.req.raw.body, most)).text()
      const { method, headers, signal } = context.req.raw
      context.req.raw = new Request(context.req.url, { method, headers, signal, body })
    }
    const text = await context.req.text()
    if (text.length > LARGE_LENGTH) await turnOfLargeBody()
    checkJson(text)
    return next()
  }
}

let lastTurn: Promise<void> = Promise.resolve()

/** Only one large body is parsed in each turn of the event loop, so that other requests are answered in between. */
export function turnOfLargeBody(): Promise<void> {
  lastTurn = lastTurn.then(() => nextTurn())
  return lastTurn
}

/** Checks the declared length. `limited` counts the bytes of a body without one. */
export function checkLength(header: string | undefined, most: number): void {
  if (header !== undefined && !(Number(header) <= most)) throw new ProblemError(tooLarge(most))
}

/** Fails as soon as more than `most` bytes arrived. */
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
  return { status: 413, detail: `The body must have at most ${most} bytes.` }
}

function checkJson(text: string): void {
  checkShape(text)
  // An escape may hide the name, so a text with such an escape is searched key by key.
  if (!/__proto__|\\u00(?:5f|6f|7[024])/i.test(text)) return
  const found = keyPath(text, '__proto__')
  if (found === null) return
  throw new ProblemError({
    status: 422,
    detail: 'An object of the body has the key __proto__.',
    next: 'Give options as a list, and another name to an option that beliefs are keyed by.',
    errors: [{ field: found, expected: 'any other key' }],
  })
}

/** Reads each character once and stops at the first limit. Invalid JSON is left to the parser. */
function checkShape(text: string): void {
  const keys = new Set<string>()
  /** Commas so far in each list or object that is still open. */
  const items: number[] = []
  let [from, to] = [0, 0]
  for (let index = 0; index < text.length; index++) {
    const letter = text.charCodeAt(index)
    if (letter === QUOTE) {
      from = index
      index = to = endOfText(text, index)
    } else if (letter === COLON) {
      keys.add(text.slice(from, to))
      if (keys.size > MOST_KEYS) throw new ProblemError(tooManyKeys())
    } else if (letter === COMMA) {
      const count = (items.pop() ?? 0) + 1
      if (count >= MOST_ITEMS) throw new ProblemError(tooManyItems())
      items.push(count)
    } else if (letter === OPEN_LIST || letter === OPEN_OBJECT) {
      if (items.push(0) > MOST_LEVELS) throw new ProblemError(tooDeep())
    } else if (letter === CLOSE_LIST || letter === CLOSE_OBJECT) items.pop()
  }
}

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** The index of the quotation mark that closes the string. */
function endOfText(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    const letter = text.charCodeAt(index)
    if (letter === QUOTE) return index
    if (letter === BACKSLASH) index++
  }
  return text.length
}

function tooDeep(): ProblemParts {
  return { status: 400, detail: `The body must be nested at most ${MOST_LEVELS} levels deep.` }
}

function tooManyKeys(): ProblemParts {
  return {
    status: 413,
    detail: `The objects of the body must have at most ${MOST_KEYS} different keys.`,
    next: `Give a question at most ${LIMITS.options} options.`,
  }
}

function tooManyItems(): ProblemParts {
  return {
    status: 413,
    detail: `A list of the body must have at most ${MOST_ITEMS} items.`,
    next: `Give a question at most ${LIMITS.options} options.`,
  }
}

/** The path of the first object with the key; null: there is none, or the text is not JSON, which the validator reports. */
function keyPath(text: string, wanted: string): string | null {
  const find = (value: unknown, path: readonly string[]): string | null => {
    if (typeof value !== 'object' || value === null) return null
    for (const [key, child] of Object.entries(value)) {
      const found = key === wanted ? [...path, key].join('.') : find(child, [...path, key])
      if (found !== null) return found
    }
    return null
  }
  try {
    return find(JSON.parse(text), [])
  } catch {
    return null
  }
}
