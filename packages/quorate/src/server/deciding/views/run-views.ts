import { z } from 'zod'
import type { RunRow } from '../../../contract/runs.ts'
import { findStored } from '../../../record/parse-stored.ts'
import type { Run, RunFigures, Spend, Store } from '../../../store/store.ts'
import type { Services } from '../../services.ts'
import { servedHash } from '../server-runs.ts'
import type { ServiceContext } from '../service-context.ts'
import { badCursor, pageOfRows } from './lists.ts'

/** How long the spend of an open run is cached. That of a closed run is read once. */
const SPEND_CACHE_MS = 60_000

/** Runs of the command line, of the server and of workers, latest first. */
export function runService({ tools, spendOf }: ServiceContext): Services['runs'] {
  const { store, now, undoMs } = tools
  return {
    async list({ cursor, limit }, { hidesBlind }) {
      if (cursor !== undefined && !RUN_ID.test(cursor)) throw badCursor()
      const found = await store.runs.list(limit + 1, cursor)
      const { items, next } = pageOfRows(found, limit, ({ id }) => id)
      const at = now()
      const ids = items.map(({ id }) => id)
      const figures = await store.runs.figures(ids, { now: at, hides: hidesBlind, undoMs })
      const rows: RunRow[] = []
      for (const run of items) {
        const own = figures.find(({ runId }) => runId === run.id)
        if (own !== undefined) rows.push(rowOf(run, own, await spendOf(run, at, SPEND_CACHE_MS)))
      }
      return { items: rows, next }
    },
  }
}

const RUN_ID = /^[\w-]{1,100}$/

function rowOf(run: Run, figures: RunFigures, spend: Spend): RunRow {
  const { id, kind, createdAt, certificateId: certificate, isShadow, status } = run
  const { questions, pending, failed, acted, deferred, hidden, sampled, labelled } = figures
  const { committedMicroUsd, reservedMicroUsd, unpricedCalls, calls } = spend
  return {
    id,
    kind,
    ...sourceOf(run),
    createdAt,
    certificate,
    isShadow,
    status,
    questions,
    pending,
    failed,
    acted,
    deferred,
    hidden,
    spotChecks: { sampled, labelled },
    costMicroUsd: calls.answered === 0 ? null : committedMicroUsd,
    reservedMicroUsd,
    unpricedCalls,
  }
}

const postedSchema = z.object({ certify: z.literal(true), postedBy: z.object({ name: z.string() }) })

function sourceOf({ questionsHash, certificateId, config }: Run): Pick<RunRow, 'source' | 'postedBy'> {
  const served = (kind: 'serve' | 'certify') =>
    certificateId !== null && questionsHash === servedHash(kind, certificateId)
  if (served('serve')) return { source: 'api', postedBy: null }
  if (!served('certify')) return { source: 'cli', postedBy: null }
  return { source: 'posted', postedBy: findStored(postedSchema, config)?.postedBy.name ?? null }
}

export type SpendOf = (run: Run, at: number, maxAgeMs: number) => Promise<Spend>

/** The spend of a run, at most `maxAgeMs` old. Several pages request it at once, and the store sums it over many calls. */
export function createSpendOf({ calls }: Store): SpendOf {
  const cache = new Map<string, { readonly at: number; readonly isLast: boolean; readonly spend: Promise<Spend> }>()
  return ({ id, status }, at, maxAgeMs) => {
    const before = cache.get(id)
    const isEnded = status === 'done'
    if (before !== undefined && ((before.isLast && isEnded) || at - before.at < maxAgeMs)) return before.spend
    const spend = calls.spend(id)
    cache.set(id, { at, isLast: isEnded, spend })
    spend.catch(() => cache.delete(id))
    return spend
  }
}
