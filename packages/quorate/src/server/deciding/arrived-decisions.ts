import { decisionsOf, pages } from '../../runs/pages.ts'
import type { Run, RunQuestion, Store, StoredDecision } from '../../store/store.ts'
import { servedHash } from './server-runs.ts'

export interface ArrivedDecision {
  readonly stored: StoredDecision
  /** Made when the question arrived: ids of this kind are in the order of arrival. */
  readonly arrivedAs: string
}

const RUNS_AT_ONCE = 100

/** What was decided with a certificate, in order of arrival, over all runs that count as arrivals, from the store. */
export async function* arrivedDecisions(store: Store, certificateId: string): AsyncGenerator<ArrivedDecision> {
  const streams: AsyncGenerator<ArrivedDecision>[] = []
  for await (const run of decidingRuns(store, certificateId)) streams.push(decisionsOfRun(store, run))
  yield* merged(streams)
}

/** Runs that may act with the certificate, those of the command line too. */
export async function* decidingRuns({ runs }: Store, certificateId: string): AsyncGenerator<Run> {
  for (let before: string | undefined; ; ) {
    const page: readonly Run[] = await runs.list(RUNS_AT_ONCE, before)
    yield* page.filter((run) => run.kind === 'decide' && !run.isShadow && run.certificateId === certificateId)
    before = page.at(-1)?.id
    if (page.length < RUNS_AT_ONCE) return
  }
}

/** A server names a decision when its question arrives; all questions of another run arrive when it begins. */
async function* decisionsOfRun(store: Store, run: Run): AsyncGenerator<ArrivedDecision> {
  if (isServed(run)) {
    for await (const stored of decisionsOf(store, run.id)) yield { stored, arrivedAs: stored.id }
    return
  }
  // By place, not by the time of the decision: short debates are decided first.
  const questions = pages<RunQuestion, number>(
    (page) => store.runs.questions(run.id, page),
    -1,
    ({ position }) => position,
  )
  for await (const { questionId } of questions) {
    const stored = await store.decisions.find(run.id, questionId)
    if (stored !== null) yield { stored, arrivedAs: run.id }
  }
}

function isServed({ questionsHash, certificateId }: Run): boolean {
  return (['serve', 'certify'] as const).some((kind) => questionsHash === servedHash(kind, certificateId ?? ''))
}

/** Several streams by arrival as one. */
async function* merged(streams: readonly AsyncGenerator<ArrivedDecision>[]): AsyncGenerator<ArrivedDecision> {
  const heads = await Promise.all(streams.map((stream) => stream.next()))
  for (;;) {
    let first = -1
    let least: ArrivedDecision | null = null
    for (const [at, head] of heads.entries()) {
      if (head.done === true || (least !== null && head.value.arrivedAs >= least.arrivedAs)) continue
      first = at
      least = head.value
    }
    const stream = streams[first]
    if (least === null || stream === undefined) return
    yield least
    heads[first] = await stream.next()
  }
}
