/**
 * JSON with object keys in code-unit order and no white space, as in RFC 8785. Equal values give equal text, so a
 * digest survives any store that reorders keys.
 */
export function canonicalJson(value: unknown): string {
  let text = ''
  canonicalPieces(value, (piece) => {
    text += piece
  })
  return text
}

/**
 * The same text in pieces of about 64,000 characters, split only between values, so a large text is never in memory as
 * a whole.
 */
export function canonicalPieces(value: unknown, take: (piece: string) => void): void {
  let piece = ''
  const write = (text: string) => {
    piece += text
    if (piece.length < LONGEST_PIECE) return
    take(piece)
    piece = ''
  }
  writeValue(value, write)
  if (piece !== '') take(piece)
}

const LONGEST_PIECE = 2 ** 16

type Write = (text: string) => void

function writeValue(value: unknown, write: Write): void {
  if (typeof value === 'number') write(Number.isFinite(value) ? String(value) : 'null')
  else if (typeof value !== 'object' || value === null) write(JSON.stringify(value) ?? '')
  else if (isIterable(value)) writeList(value, write)
  else writeObject(value, write)
}

/** Lists may be generated while they are written, since an array of them might not fit into memory. */
function isIterable(value: object): value is Iterable<unknown> {
  return Symbol.iterator in value
}

function writeList(list: Iterable<unknown>, write: Write): void {
  let before = '['
  for (const item of list) {
    write(before)
    writeValue(item, write)
    before = ','
  }
  write(before === '[' ? '[]' : ']')
}

function writeObject(object: object, write: Write): void {
  const members = object as Readonly<Record<string, unknown>> // read by names of its own only
  let before = '{'
  for (const name of Object.keys(members).sort()) {
    const member = members[name]
    if (member === undefined) continue
    write(`${before}${JSON.stringify(name)}:`)
    writeValue(member, write)
    before = ','
  }
  write(before === '{' ? '{}' : '}')
}
