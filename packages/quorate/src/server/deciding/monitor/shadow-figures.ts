import type { MonitorView } from '../../../contract/monitor.ts'
import type { ListedDebate } from '../../../store/runs/listed-debates.ts'
import type { ServiceContext } from '../service-context.ts'
import { readRecord } from '../views/verdict-figures.ts'

/** The latest debates, which are counted. */
const MOST_DEBATES = 1000
const CACHE_MS = 5000

interface AskedFigures {
  readonly at: number
  readonly hidesBlind: boolean
}

/** The part of a debate that is counted. Nothing else stays in memory: the texts may be erased at any time. */
interface CountedDebate {
  /** Null: it is not decided. */
  readonly decision: { readonly at: number; readonly certificateId: string; readonly wouldAct: boolean } | null
  /** Whether the answer is right by its label; null: it has no label. */
  readonly isRight: boolean | null
}

/**
 * What a policy in shadow mode would have done; null if it is not in shadow mode. Everything goes to people, so most questions
 * that it would have acted on get a label.
 */
export function createShadowFigures({ tools, policy }: ServiceContext) {
  let cached: { readonly key: string; readonly at: number; readonly rows: Promise<readonly CountedDebate[]> } | null =
    null

  function rowsOf(since: number, { at, hidesBlind }: AskedFigures): Promise<readonly CountedDebate[]> {
    const key = `${since} ${hidesBlind}`
    if (cached !== null && cached.key === key && at - cached.at < CACHE_MS) return cached.rows
    const latest = tools.store.debates.latest({
      after: null,
      limit: MOST_DEBATES,
      // Questions that are hidden from the caller are not counted.
      filter: hidesBlind ? { isShown: true } : {},
      now: at,
      hides: hidesBlind ? 'what-may-be-blind' : 'what-is-blind',
    })
    const rows = latest.then((debates) => debates.map(countedDebate))
    cached = { key, at, rows }
    rows.catch(() => {
      cached = null
    })
    return rows
  }

  return async (asked: AskedFigures): Promise<MonitorView['shadow']> => {
    const { cause, since } = policy.state()
    const active = policy.activeId()
    if (cause !== 'shadow' || since === null || active === null) return null
    const all = await rowsOf(since, asked)
    const decided = all.filter(
      ({ decision }) => decision !== null && decision.at >= since && decision.certificateId === active,
    )
    const acting = decided.filter(({ decision }) => decision?.wouldAct === true)
    return {
      questions: decided.length,
      wouldAct: acting.length,
      labelled: acting.filter(({ isRight }) => isRight !== null).length,
      wrong: acting.filter(({ isRight }) => isRight === false).length,
      isCut: all.length === MOST_DEBATES,
    }
  }
}

function countedDebate({ decision, label }: ListedDebate): CountedDebate {
  if (decision === null) return { decision: null, isRight: null }
  const { at, certificateId, reason } = decision
  const wouldAct = reason === 'shadow'
  // A question that nobody could judge counts as wrong.
  const isRight = wouldAct && label !== null ? wouldAnswer(decision) === label.gold : null
  return { decision: { at, certificateId, wouldAct }, isRight }
}

/** The answer of the round that reached the threshold. */
function wouldAnswer(decision: NonNullable<ListedDebate['decision']>): string | null {
  return readRecord(decision).path.at(-1)?.answer ?? null
}
