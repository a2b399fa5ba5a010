import { readFile, stat } from 'node:fs/promises'
import type { z } from 'zod'
import { FileError, refusal } from '../files/file-error.ts'
import { plainText } from '../text/plain-text.ts'

/** Node cannot hold a longer text. */
const LARGEST_JSON = 500 * 2 ** 20

/** Reads a JSON document as a whole. */
export async function readJsonFile(path: string): Promise<unknown> {
  const name = plainText(path)
  let text: string
  try {
    const { size } = await stat(path)
    if (size > LARGEST_JSON) throw new FileError(`${name} must have at most ${LARGEST_JSON} bytes, got ${size}`)
    text = await readFile(path, 'utf8')
  } catch (cause) {
    if (cause instanceof FileError) throw cause
    throw new FileError(`cannot read ${name}`, { cause })
  }
  return parseJson(text, name)
}

export function parseJson(text: string, place: string): unknown {
  const bare = text.startsWith('\ufeff') ? text.slice(1) : text
  try {
    return JSON.parse(bare)
  } catch (cause) {
    // Without its cause, which quotes the text of the file.
    throw new FileError(`${place} must be JSON, got ${JSON.stringify(plainText(bare).slice(0, 60))}${lineOf(cause)}`)
  }
}

/** V8 reports the line in a long text. */
function lineOf(cause: unknown): string {
  const found = /line (\d+) column (\d+)/.exec(cause instanceof Error ? cause.message : '')
  return found === null ? '' : ` (the mistake is at line ${found[1]}, column ${found[2]})`
}

/** The value as the schema parses it. Throws one sentence with the place and the field. */
export function parsedAs<Schema extends z.ZodType>(schema: Schema, value: unknown, place: string): z.infer<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const path = issue?.path ?? []
  const received = path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined,
    value,
  )
  throw refusal(`${place}: ${pathText(path)}`, expectedBy(issue), received)
}

function pathText(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'it'
  return path.map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at > 0 ? '.' : ''}${String(key)}`)).join('')
}

function expectedBy(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'invalid_type') return `${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`
  if (issue?.code === 'invalid_value') return issue.values.map((value) => JSON.stringify(value)).join(' or ')
  if (issue?.code === 'invalid_union') return 'of another type'
  return issue?.message ?? 'something else'
}
