import type { Spend, Store } from '../../store/store.ts'
import { decidingRuns } from './deciding-runs.ts'

type Sums = Pick<Spend, 'committedMicroUsd' | 'reservedMicroUsd' | 'unpricedCalls'> & { readonly calls: number }

const COUNTED_MS = 60_000

/**
 * What runs of a certificate spent that are not at work in this process, such as those of the command line. The store
 * counts it over all their calls, so it is asked seldom.
 */
export function createBatchSpend(store: Store) {
  let last: { readonly key: string; readonly at: number; readonly sums: Promise<Sums> } | null = null
  return (certificateId: string | null, working: ReadonlySet<string>, at: number): Promise<Sums> => {
    const key = [certificateId, ...working].join(' ')
    if (last === null || last.key !== key || at - last.at >= COUNTED_MS) {
      last = { key, at, sums: sumOf(store, certificateId, working) }
      last.sums.catch(() => {
        last = null
      })
    }
    return last.sums
  }
}

async function sumOf(store: Store, certificateId: string | null, working: ReadonlySet<string>): Promise<Sums> {
  const sums = { calls: 0, committedMicroUsd: 0, reservedMicroUsd: 0, unpricedCalls: 0 }
  if (certificateId === null) return sums
  for await (const { id } of decidingRuns(store, certificateId)) {
    if (working.has(id)) continue
    const spend = await store.calls.spend(id)
    sums.calls += spend.calls.answered
    sums.committedMicroUsd += spend.committedMicroUsd
    sums.reservedMicroUsd += spend.reservedMicroUsd
    sums.unpricedCalls += spend.unpricedCalls
  }
  return sums
}
