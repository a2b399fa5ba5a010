import type { Store } from '../store/store.ts'
import type { Sleep } from '../traffic/traffic.ts'

export interface UpkeepTools {
  readonly store: Pick<Store, 'prune'>
  readonly now: () => number
  readonly sleep: Sleep
  readonly stopping: AbortSignal
  readonly report: (words: string, cause?: unknown) => void
}

const DAY_MS = 86_400_000

/** Once a day: sessions that are over, and with `retainDays` the texts and messages that are older. */
export async function keepUp(retainDays: number | null, tools: UpkeepTools): Promise<void> {
  const { store, now, sleep, stopping, report } = tools
  while (!stopping.aborted) {
    const before = retainDays === null ? 0 : now() - retainDays * DAY_MS
    try {
      const { erased, messages, sessions } = await store.prune({ before, now: now() })
      if (erased + messages + sessions > 0) {
        report(`upkeep: erased ${erased} rows of text, ${messages} messages, ${sessions} sessions`)
      }
    } catch (cause) {
      report('upkeep failed; it is tried again tomorrow', cause)
    }
    await sleep(DAY_MS, stopping)
  }
}
