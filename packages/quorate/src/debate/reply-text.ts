/** Far above any reply; beyond it nothing is read rather than a part that may begin inside a quotation. */
export const LONGEST_REPLY = 200_000

/** Stands where something quoted was taken out. For private use, and no reply holds one: `withoutMarks` goes first. */
export const TAKEN_OUT = '\ue000'

/**
 * A reply in the one form that the parser reads: lines end in \n and nothing else, white space within a line is single, invisible and
 * control characters are gone, full-width angle brackets are plain.
 */
export function replyText(text: string): string {
  return withoutMarks(text.replaceAll('\r\n', '\n').replace(OTHER_LINE_ENDS, ' '))
    .replace(/[\p{Zs}\t]+/gu, ' ')
    .replace(/[＜﹤]/gu, '<')
    .replace(/[＞﹥]/gu, '>')
    .replace(/<\s?[／∕⁄]/gu, '</')
}

/** Who quotes by lines marks those that \n begins: after another kind of line end the quotation goes on. */
const OTHER_LINE_ENDS = /[\r\u0085\u2028\u2029\v\f]/gu

/** Without control and format characters (zero-width, direction, soft hyphen) and variation selectors; \n and \t stay. */
export function withoutMarks(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\p{Cf}\ue000]|\u034f|[\ufe00-\ufe0f]/gu, '')
}

/** For a reply whose markup came escaped, `&lt;answer&gt;` or `\<answer\>`: as it was meant. */
export function unescapedMarkup(text: string): string {
  return unescapedEntities(text).replace(/\\([<>/_*])/gu, '$1')
}

/** Once, so that `&amp;lt;` becomes `&lt;` and no further. */
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
