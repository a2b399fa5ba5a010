import { ledgerLineSchema } from '../../record/ledger.ts'
import { parseStored } from '../../record/parse-stored.ts'
import type { SharedStore } from '../../store/shared-store.ts'
import type { Millis, Run, Store } from '../../store/store.ts'

const LATELY_MS = 60 * 60_000
/** Of the runs that began last: older ones are named with --run. */
const MOST_LOOKED_AT = 20
const MOST_TOLD = 3

const closingSchema = ledgerLineSchema.pick({ at: true })

/** Ids of runs that workers held and that came to their end within the last hour, newest first. */
export async function recentlyEnded(store: Store, { runs }: SharedStore, now: Millis): Promise<readonly string[]> {
  const wasLately = async ({ id }: Run) => {
    const [shared, head] = await Promise.all([runs.find(id), store.ledger.head(id)])
    if (shared === null || head === null) return false
    return now - parseStored(closingSchema, head.line, `the ledger of run ${id}`).at < LATELY_MS
  }
  const done = (await store.runs.list(MOST_LOOKED_AT)).filter(({ status }) => status === 'done')
  const isLate = await Promise.all(done.map(wasLately))
  return done
    .filter((_, index) => isLate[index])
    .slice(0, MOST_TOLD)
    .map(({ id }) => id)
}
