import type { Certified } from '../../../run/calibration/certified.ts'
import type { ServiceTools } from '../../services.ts'
import { type GatheredDebates, gatherDebates } from './stored-debates.ts'

export type Gather = (certified: Certified) => Promise<GatheredDebates>

interface CertificateGathering {
  readonly certificateId: string
  /** The position of the store when gathering began. */
  readonly position: Promise<string>
  readonly found: Promise<GatheredDebates>
  /** Null while it is in progress. */
  made: { readonly at: number; readonly took: number } | null
}

/** A result is reused for this many times the duration of gathering it, even if more was stored since. */
const REUSE_FACTOR = 4

/** Gathers the stored debates once for all callers, until something is stored. Gathering many takes seconds. */
export function createGathering({ store, now }: Pick<ServiceTools, 'store' | 'now'>): Gather {
  let last: CertificateGathering | null = null

  async function isFresh({ position, made }: CertificateGathering): Promise<boolean> {
    if (made === null || now() - made.at < REUSE_FACTOR * made.took) return true
    return (await position) === (await store.monitor.position())
  }

  function begin(certified: Certified): CertificateGathering {
    const began = now()
    const position = store.monitor.position()
    const found = position.then(() => gatherDebates(store, certified))
    const next: CertificateGathering = { certificateId: certified.id, position, found, made: null }
    last = next
    found.then(
      () => {
        const at = now()
        next.made = { at, took: at - began }
      },
      () => {
        if (last === next) last = null
      },
    )
    return next
  }

  return async (certified) => {
    const before = last
    if (before === null || before.certificateId !== certified.id) return begin(certified).found
    if (await isFresh(before)) return before.found
    // Another caller may have begun in the meantime.
    const meanwhile = last
    const isBegun = meanwhile !== null && meanwhile !== before && meanwhile.certificateId === certified.id
    return (isBegun ? meanwhile : begin(certified)).found
  }
}
