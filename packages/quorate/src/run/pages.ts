import type { SharedRun, SharedStore } from '../store/shared-store.ts'
import type { LedgerRow, QuestionStatus, RunQuestion, Store, StoredCall, StoredDecision } from '../store/store.ts'

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
