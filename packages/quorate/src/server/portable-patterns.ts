import { PLAIN_NAME } from '../record/names.ts'

/**
 * The document with patterns that every validator reads: the literal's flags are no part of a pattern, and classes such as
 * \p{Cc} need a flag that JSON has no place for. Halves of surrogate pairs are refused by the server alone.
 */
export function withPortablePatterns<Document>(document: Document): Document {
  const read: unknown = JSON.parse(JSON.stringify(document), (key, value: unknown) =>
    key === 'pattern' && typeof value === 'string' ? portable(value) : value,
  )
  return read as Document // the same document but for the texts of its patterns
}

const PORTABLE: ReadonlyMap<string, string> = new Map([[PLAIN_NAME.source, '^[^\\x00-\\x1f\\x7f-\\x9f]*$']])

/** zod-to-openapi leaves the end of a literal such as /^a$/u in place; a slash of the pattern itself has a backslash. */
function portable(pattern: string): string {
  const source = pattern.replace(/(?<!\\)\/[a-z]*$/, '')
  return PORTABLE.get(source) ?? source
}
