import type { SharedRun, SharedStore } from '../store/shared-store.ts'
import type { LedgerRow, QuestionStatus, RunQuestion, Store, StoredCall, StoredDecision } from '../store/store.ts'

/** Rows that are read from the store at once, so that memory does not grow with the run. */
export const PAGE_ROWS = 200

/** All rows of a paged list, read page by page. */
export async function* pages<Row, Cursor>(
  read: (page: { readonly after: Cursor; readonly limit: number }) => Promise<readonly Row[]>,
  start: Cursor,
  cursorOf: (row: Row) => Cursor,
): AsyncGenerator<Row> {
  for (let after = start; ; ) {
    const page = await read({ after, limit: PAGE_ROWS })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE_ROWS) return
    after = cursorOf(last)
  }
}

/** The items in pages. The last one may be shorter. */
export async function* inPages<Item>(
  items: AsyncIterable<Item>,
  size: number = PAGE_ROWS,
): AsyncGenerator<readonly Item[]> {
  let page: Item[] = []
  for await (const item of items) {
    page.push(item)
    if (page.length < size) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

/** A list in pages. */
export function* pagesOf<Item>(list: readonly Item[], size: number = PAGE_ROWS): Generator<readonly Item[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size)
}

/** The questions of a run in order. With a status, only questions that have it when their page is read. */
export function questionRows(
  { runs }: Pick<Store, 'runs'>,
  runId: string,
  status?: QuestionStatus,
): AsyncGenerator<RunQuestion> {
  return pages(
    (page) => runs.questions(runId, status === undefined ? page : { ...page, status }),
    -1,
    ({ position }) => position,
  )
}

export function callRows({ calls }: Pick<Store, 'calls'>, runId: string): AsyncGenerator<StoredCall> {
  return pages<StoredCall, string | null>(
    (page) => calls.list(runId, page),
    null,
    ({ id }) => id,
  )
}

export function ledgerRows({ ledger }: Pick<Store, 'ledger'>, runId: string): AsyncGenerator<LedgerRow> {
  return pages(
    (page) => ledger.list(runId, page),
    0,
    ({ sequence }) => sequence,
  )
}

export function decisionsOf({ decisions }: Pick<Store, 'decisions'>, runId: string): AsyncGenerator<StoredDecision> {
  return pages<StoredDecision, string | null>(
    (page) => decisions.list(runId, page),
    null,
    ({ id }) => id,
  )
}

/** Open runs that no single process owns, including halted ones, oldest first, after `start`. */
export function freeRuns({ runs }: Pick<SharedStore, 'runs'>, start = ''): AsyncGenerator<SharedRun> {
  return pages(
    ({ after, limit }) => runs.open(limit, { after, isFree: true }),
    start,
    ({ runId }) => runId,
  )
}
