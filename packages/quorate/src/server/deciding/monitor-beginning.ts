import type { PolicyEvent } from '../../store/policy-events.ts'
import type { Store } from '../../store/store.ts'

/**
 * The last arrival for a certificate that its monitors no longer count: that before the last release, whose event knows it
 * of the certificate that was active then. Without a release all count, also what was decided before its activation.
 */
export async function beginningOf(
  store: Pick<Store, 'runs' | 'monitor'>,
  certificateId: string,
  release: PolicyEvent | null,
): Promise<number> {
  if (release === null) return 0
  if (release.certificateId === certificateId) return release.arrival
  return arrivalAt(store, certificateId, release.at)
}

/** The last arrival up to this moment. They are numbered as they come, so halving finds it. */
async function arrivalAt(
  { runs, monitor }: Pick<Store, 'runs' | 'monitor'>,
  certificateId: string,
  at: number,
): Promise<number> {
  let before = 0
  let after = (await runs.arrivals(certificateId)) + 1
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    const [row] = await monitor.arrived({ certificateId, after: middle - 1, limit: 1 })
    if (row === undefined || row.arrivedAt > at) after = middle
    else before = middle
  }
  return before
}
