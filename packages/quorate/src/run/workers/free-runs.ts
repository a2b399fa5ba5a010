import type { SharedRun, SharedStore } from '../../store/shared-store.ts'

const PAGE = 100

/** Open runs that no single process owns, including halted ones, oldest first, after `start`. Read page by page. */
export async function* freeRuns({ runs }: SharedStore, start = ''): AsyncGenerator<SharedRun> {
  for (let after = start; ; ) {
    const page = await runs.open(PAGE, { after, isFree: true })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = last.runId
  }
}
