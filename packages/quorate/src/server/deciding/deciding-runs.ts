import type { Run, Store } from '../../store/store.ts'

const RUNS_AT_ONCE = 100

/** Runs that may act with the certificate, those of the command line too. */
export async function* decidingRuns({ runs }: Store, certificateId: string): AsyncGenerator<Run> {
  for (let before: string | undefined; ; ) {
    const page: readonly Run[] = await runs.list(RUNS_AT_ONCE, before)
    yield* page.filter((run) => run.kind === 'decide' && !run.isShadow && run.certificateId === certificateId)
    before = page.at(-1)?.id
    if (page.length < RUNS_AT_ONCE) return
  }
}
