import type { ResolvedConfig } from '../../config/resolve-config.ts'
import type { SharedStore } from '../../store/shared-store.ts'
import type { Store } from '../../store/store.ts'
import { countOf } from '../../text/number-text.ts'
import { plainText } from '../../text/plain-text.ts'

const MOST_RUNS = 100
const HASH_LETTERS = 16

/** Which runs a worker takes, and whether there are any: one with another config would wait without a word. */
export async function servingText(store: Store, shared: SharedStore, { file, hash }: ResolvedConfig): Promise<string> {
  const open = await shared.runs.open(MOST_RUNS)
  const runs = await Promise.all(open.map(({ runId }) => store.runs.find(runId)))
  const own = runs.filter((run) => run?.configHash === hash).length
  const others = runs.length - own
  const waiting = own === 0 ? 'none is open yet' : `${countOf(own, 'run')} open`
  const text =
    others === 0
      ? ''
      : `; ${countOf(others, 'open run')} of other configs ${others === 1 ? 'waits' : 'wait'} for other workers`
  return `takes runs of ${plainText(file)} (hash ${hash.slice(0, HASH_LETTERS)}): ${waiting}${text}`
}
