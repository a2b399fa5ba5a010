import type { MonitorView } from '../../../contract/monitor.ts'
import type { ListedDebate } from '../../../store/runs/listed-debates.ts'
import type { ServiceContext } from '../service-context.ts'
import { readRecord } from '../views/verdict-figures.ts'

/** Questions that are looked at, the latest. */
const MOST = 1000
const KEPT_MS = 5000

interface Asked {
  readonly at: number
  readonly hidesBlind: boolean
}

/**
 * What a policy in shadow would have done: everything goes to people, so that most of what it would have acted on gets a label.
 * Null while it is not in shadow.
 */
export function createShadowFigures({ tools, policy }: ServiceContext) {
  let kept: { readonly key: string; readonly at: number; readonly rows: Promise<readonly ListedDebate[]> } | null = null

  function rowsOf(since: number, { at, hidesBlind }: Asked): Promise<readonly ListedDebate[]> {
    const key = `${since} ${hidesBlind}`
    if (kept !== null && kept.key === key && at - kept.at < KEPT_MS) return kept.rows
    const rows = tools.store.debates.latest({
      after: null,
      limit: MOST,
      // What is hidden from who asks is not counted.
      filter: hidesBlind ? { isShown: true } : {},
      now: at,
      hides: hidesBlind ? 'what-may-be-blind' : 'what-is-blind',
    })
    kept = { key, at, rows }
    rows.catch(() => {
      kept = null
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
    // What nobody can tell counts as wrong.
    const wrong = labelled.filter(({ decision, label }) => decision !== null && wouldAnswer(decision) !== label?.gold)
    return {
      questions: decided.length,
      wouldAct: rows.length,
      labelled: labelled.length,
      wrong: wrong.length,
      isCut: all.length === MOST,
    }
  }
}

/** What the round that reached the threshold stood for. */
function wouldAnswer(decision: NonNullable<ListedDebate['decision']>): string | null {
  return readRecord(decision).path.at(-1)?.answer ?? null
}
