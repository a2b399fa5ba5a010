/** Line ends, tabs, and the joiners that scripts and emoji need. None of them can reorder or hide text. */
const KEPT = new Set(['\n', '\t', '\u200c', '\u200d'])
const CONTROL_PICTURES = 0x2400

/** Text from outside with its lines. A character that is invisible, or that reorders others, is shown by its code. */
export function shownText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/\p{C}/gu, (sign) => (KEPT.has(sign) ? sign : named(sign)))
}

function named(sign: string): string {
  const code = sign.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(CONTROL_PICTURES + code)
  return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, '0')}\u27e9`
}
