import type { PolicyEvent } from '../../../store/decisions/policy-events.ts'
import type { Store } from '../../../store/store.ts'

/**
 * The last arrival for a certificate that its monitors no longer count: that before the last release. Without a release
 * all count, also what was decided before its activation.
 */
export async function beginningOf(
  { policy }: Store,
  certificateId: string,
  release: PolicyEvent | null,
): Promise<number> {
  return release === null ? 0 : policy.arrivalBefore(release, certificateId)
}
