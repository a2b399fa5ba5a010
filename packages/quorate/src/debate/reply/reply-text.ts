/** Far longer than any reply. A longer text is not read. */
export const LONGEST_REPLY = 200_000

/**
 * Normalises a reply for the readers: lines end in \n and nothing else, white space within a line is single, invisible
 * and control characters are removed, full-width angle brackets become plain.
 */
export function replyText(text: string): string {
  // Nearly all text is plain, and then only white space needs work.
  if (PLAIN.test(text)) return text.replace(/ {2,}/g, ' ')
  return withoutInvisible(text.replaceAll('\r\n', '\n').replace(/[\r\u0085\u2028\u2029\v\f]/gu, '\n'))
    .replace(/[\p{Zs}\t]+/gu, ' ')
    .replace(/[＜﹤]/gu, '<')
    .replace(/[＞﹥]/gu, '>')
    .replace(/<\s?[／∕⁄]/gu, '</')
}

const PLAIN = /^[\n\x20-\x7e]*$/

/** Removes control and format characters (zero-width, direction, soft hyphen) and variation selectors; \n and \t stay. */
export function withoutInvisible(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\p{Cf}]|\u034f|[\ufe00-\ufe0f]/gu, '')
}

/** Unescapes the markup of a reply that came as `&lt;answer&gt;` or `\<answer\>`. */
export function unescapedMarkup(text: string): string {
  if (!text.includes('&') && !text.includes('\\')) return text
  return unescapedEntities(text).replace(/\\([<>/_*-])/gu, '$1')
}

/** Unescapes once, so that `&amp;lt;` becomes `&lt;` and no more. */
export function unescapedEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,6}));/giu, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES.get(String(name).toLowerCase()) ?? whole
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    const isText = code >= 0x20 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
    return isText ? String.fromCodePoint(code) : whole
  })
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['deg', '°'],
  ['times', '×'],
  ['minus', '−'],
  ['le', '≤'],
  ['ge', '≥'],
])
