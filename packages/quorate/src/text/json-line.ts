/** Characters that are legal in JSON but control a terminal: C1 controls, line separators and bidirectional marks. */
const HIDDEN = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g

/** One line of JSON for machines that a person may also print on a terminal. */
export function jsonLine(value: unknown): string {
  const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
  return `${JSON.stringify(value).replace(HIDDEN, escaped)}\n`
}

const FENCE = '```'

/**
 * JSON without the code fence around it; any other text unchanged. It uses no regular expression and takes time in
 * proportion to the text.
 */
export function unfencedJson(text: string): string {
  const whole = text.trim()
  if (whole.length < 2 * FENCE.length || !whole.startsWith(FENCE) || !whole.endsWith(FENCE)) return text
  const named = whole.slice(FENCE.length, -FENCE.length)
  const inside = named.startsWith('json') ? named.slice('json'.length) : named
  const before = inside.slice(0, inside.length - inside.trimStart().length)
  const after = inside.slice(inside.trimEnd().length)
  return before.includes('\n') && after.includes('\n') ? inside.trim() : text
}
