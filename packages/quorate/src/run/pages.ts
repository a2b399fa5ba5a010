import type { Store, StoredDecision } from '../store/store.ts'

const PAGE = 200

/** All rows of a paged list, read page by page, so memory does not grow with the run. */
export async function* pages<Row, Cursor>(
  read: (page: { readonly after: Cursor; readonly limit: number }) => Promise<readonly Row[]>,
  start: Cursor,
  cursorOf: (row: Row) => Cursor,
): AsyncGenerator<Row> {
  for (let after = start; ; ) {
    const page = await read({ after, limit: PAGE })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = cursorOf(last)
  }
}

export function decisionsOf({ decisions }: Store, runId: string): AsyncGenerator<StoredDecision> {
  return pages<StoredDecision, string | null>(
    (page) => decisions.list(runId, page),
    null,
    ({ id }) => id,
  )
}
