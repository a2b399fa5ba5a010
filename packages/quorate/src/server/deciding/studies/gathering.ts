import type { Certified } from '../../../run/calibration/certified.ts'
import type { ServiceTools } from '../../services.ts'
import { type GatheredDebates, gatherDebates } from './stored-debates.ts'

export type Gather = (certified: Certified) => Promise<GatheredDebates>

interface Gathering {
  readonly certificateId: string
  /** Where the store was when it began. */
  readonly position: Promise<string>
  readonly found: Promise<GatheredDebates>
  /** Null while it is made. */
  made: { readonly at: number; readonly took: number } | null
}

/** For so many times as long as it took to make, what was gathered is shown again though more was stored since. */
const RESTS = 4

/** The stored debates, gathered once for all who ask until something is stored; many take seconds. */
export function createGathering({ store, now }: Pick<ServiceTools, 'store' | 'now'>): Gather {
  let last: Gathering | null = null

  async function isFresh({ position, made }: Gathering): Promise<boolean> {
    if (made === null || now() - made.at < RESTS * made.took) return true
    return (await position) === (await store.monitor.position())
  }

  function begin(certified: Certified): Gathering {
    const began = now()
    const position = store.monitor.position()
    const found = position.then(() => gatherDebates(store, certified))
    const next: Gathering = { certificateId: certified.id, position, found, made: null }
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
    // Somebody else may have begun while the store was asked.
    const meanwhile = last
    const isBegun = meanwhile !== null && meanwhile !== before && meanwhile.certificateId === certified.id
    return (isBegun ? meanwhile : begin(certified)).found
  }
}
