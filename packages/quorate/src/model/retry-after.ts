/**
 * Milliseconds that a provider asks to wait: `retry-after-ms`, or `retry-after` in seconds or as an HTTP date. A date is
 * read against the provider's own clock where it sent one. Null where nothing readable was said.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: () => number): number | null {
  const named = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.trim()]))
  const milliseconds = plainNumber(named.get('retry-after-ms'))
  if (milliseconds !== null) return Math.ceil(milliseconds)
  const after = named.get('retry-after')
  const seconds = plainNumber(after)
  if (seconds !== null) return Math.ceil(seconds * 1000)
  const until = httpDate(after)
  return until === null ? null : Math.max(0, until - (httpDate(named.get('date')) ?? now()))
}

function plainNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d+(\.\d+)?$/.test(text) ? Number(text) : null
}

/** `Date.parse` alone takes almost anything for a date. */
function httpDate(text: string | undefined): number | null {
  const time = /^[A-Z][a-z]{2,8},? .*\d{2}:\d{2}/.test(text ?? '') ? Date.parse(text ?? '') : Number.NaN
  return Number.isNaN(time) ? null : time
}
