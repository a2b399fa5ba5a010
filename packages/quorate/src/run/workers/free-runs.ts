import type { SharedRun, SharedStore } from '../../store/shared-store.ts'

const PAGE = 100

/** Open runs that no single process holds, halted ones too, oldest first from the one after `start` on, a page at a time. */
export async function* freeRuns({ runs }: SharedStore, start = ''): AsyncGenerator<SharedRun> {
  for (let after = start; ; ) {
    const page = await runs.open(PAGE, { after, isFree: true })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = last.runId
  }
}
