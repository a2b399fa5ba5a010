import { type Content, contentKey } from './content-hash.ts'

/** What many debates asked, by their ids, in 128 bytes each. */
export interface ContentColumns extends Iterable<Content> {
  set(id: string, content: Content): void
  /** Equal for debates that ask the same; undefined for an id without content. */
  keyOf(id: string): string | undefined
}

const BYTES = 32
const DIGESTS = 4
const ROW = DIGESTS * BYTES
/** Rows of one block, so that none is ever copied to grow. */
const ROWS = 1024

/** Ids are set once each. */
export function contentColumns(): ContentColumns {
  const rowOf = new Map<string, number>()
  const blocks: Buffer[] = []
  // Options that are bare marks have no text, in either reading.
  const isBare: Uint8Array[] = []

  function contentAt(row: number): Content {
    const block = blocks[Math.floor(row / ROWS)]
    const digest = (place: number) => {
      const start = (row % ROWS) * ROW + place * BYTES
      return block?.toString('hex', start, start + BYTES) ?? ''
    }
    const bare = isBare[Math.floor(row / ROWS)]?.[row % ROWS] === 1
    return {
      asked: digest(0),
      whole: bare ? null : digest(1),
      folded: { asked: digest(2), whole: bare ? null : digest(3) },
    }
  }

  return {
    set(id, { asked, whole, folded }) {
      const row = rowOf.size
      if (row % ROWS === 0) {
        blocks.push(Buffer.alloc(ROWS * ROW))
        isBare.push(new Uint8Array(ROWS))
      }
      rowOf.set(id, row)
      const [block, marks] = [blocks.at(-1), isBare.at(-1)]
      for (const [place, digest] of [asked, whole, folded.asked, folded.whole].entries()) {
        block?.write(digest ?? '', (row % ROWS) * ROW + place * BYTES, 'hex')
      }
      if (marks !== undefined) marks[row % ROWS] = whole === null ? 1 : 0
    },
    keyOf(id) {
      const row = rowOf.get(id)
      return row === undefined ? undefined : contentKey(contentAt(row))
    },
    *[Symbol.iterator]() {
      for (let row = 0; row < rowOf.size; row++) yield contentAt(row)
    },
  }
}
