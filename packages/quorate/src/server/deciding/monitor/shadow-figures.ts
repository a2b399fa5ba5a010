import type { MonitorView } from '../../../contract/monitor.ts'
import type { ListedDebate } from '../../../store/runs/listed-debates.ts'
import type { ServiceContext } from '../service-context.ts'
import { readRecord } from '../views/verdict-figures.ts'

/** The latest debates, which are counted. */
const MOST_DEBATES = 1000
const CACHE_MS = 5000

interface Asked {
  readonly at: number
  readonly hidesBlind: boolean
}

/**
 * What a policy in shadow mode would have done; null if it is not in shadow mode. Everything goes to people, so most questions
 * that it would have acted on get a label.
 */
export function createShadowFigures({ tools, policy }: ServiceContext) {
  let cached: { readonly key: string; readonly at: number; readonly rows: Promise<readonly ListedDebate[]> } | null =
    null

  function rowsOf(since: number, { at, hidesBlind }: Asked): Promise<readonly ListedDebate[]> {
    const key = `${since} ${hidesBlind}`
    if (cached !== null && cached.key === key && at - cached.at < CACHE_MS) return cached.rows
    const rows = tools.store.debates.latest({
      after: null,
      limit: MOST_DEBATES,
      // Questions that are hidden from the caller are not counted.
      filter: hidesBlind ? { isShown: true } : {},
      now: at,
      hides: hidesBlind ? 'what-may-be-blind' : 'what-is-blind',
    })
    cached = { key, at, rows }
    rows.catch(() => {
      cached = null
    })
    return rows
  }

  return async (asked: Asked): Promise<MonitorView['shadow']> => {
    const { cause, since } = policy.state()
    const active = policy.activeId()
    if (cause !== 'shadow' || since === null || active === null) return null
    const all = await rowsOf(since, asked)
    const decided = all.filter(
      ({ decision }) => decision !== null && decision.at >= since && decision.certificateId === active,
    )
    const rows = decided.filter(({ decision }) => decision?.reason === 'shadow')
    const labelled = rows.filter(({ label }) => label !== null)
    // A question that nobody could judge counts as wrong.
    const wrong = labelled.filter(({ decision, label }) => decision !== null && wouldAnswer(decision) !== label?.gold)
    return {
      questions: decided.length,
      wouldAct: rows.length,
      labelled: labelled.length,
      wrong: wrong.length,
      isCut: all.length === MOST_DEBATES,
    }
  }
}

/** The answer of the round that reached the threshold. */
function wouldAnswer(decision: NonNullable<ListedDebate['decision']>): string | null {
  return readRecord(decision).path.at(-1)?.answer ?? null
}
