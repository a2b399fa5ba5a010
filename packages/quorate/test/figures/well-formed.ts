/**
 * Why a text is not one well-formed XML element, or null if it is. It finds tags that do not nest, attributes that are
 * repeated or without quotes, an unescaped `<` or `&`, and characters that XML does not allow.
 */
export function malformation(text: string): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML forbids
  const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/u.exec(text)
  if (forbidden) return `forbidden character at ${forbidden.index}`
  const open: string[] = []
  let at = 0
  while (at < text.length) {
    const start = text.indexOf('<', at)
    const between = text.slice(at, start < 0 ? undefined : start)
    if (/&(?!(amp|lt|gt|quot|#39);)/.test(between) || between.includes('>'))
      return `bare sign in "${between.slice(0, 40)}"`
    if (start < 0) break
    const tag = TAG.exec(text.slice(start))
    if (tag === null) return `no tag at "${text.slice(start, start + 40)}"`
    const [whole, closing, name = '', attributes = '', single] = tag
    if (closing && open.pop() !== name) return `</${name}> closes another element`
    if (!closing && !single) open.push(name)
    const names = [...attributes.matchAll(/([\w:-]+)="([^"]*)"/g)]
    if (new Set(names.map(([, known]) => known)).size !== names.length) return `an attribute twice in ${whole}`
    if (names.some(([, , value = '']) => /&(?!(amp|lt|gt|quot|#39);)/.test(value))) return `bare & in ${whole}`
    at = start + whole.length
  }
  return open.length > 0 ? `<${open.at(-1)}> is not closed` : null
}

const TAG = /^<(\/?)([a-z][\w-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/i
