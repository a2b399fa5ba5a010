/** Joiners that scripts and emoji need; they cannot reorder or hide anything. */
const KEPT = new Set(['\n', '\t', '\u200c', '\u200d'])
const CONTROL_PICTURES = 0x2400

/** Text of others with its lines: what cannot be seen, or would reorder what can, is shown by its name. */
export function shownText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/\p{C}/gu, (sign) => (KEPT.has(sign) ? sign : named(sign)))
}

function named(sign: string): string {
  const code = sign.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(CONTROL_PICTURES + code)
  return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, '0')}\u27e9`
}
