import type { Warning } from '../early-warning.ts'
import type { RunPlan } from '../run-plan.ts'
import { openSharedRun, type SharedRunContext, type SharedRunTools } from './shared-run.ts'

/** Runs that this process works on. Each is read once, with its certificate, and forgotten after it was idle for a while. */
export interface OpenRuns {
  /** Calls `use` with the run, and opens the run first if necessary. */
  within<Result>(runId: string, use: (run: SharedRunContext) => Promise<Result>): Promise<Result>
  forgetIdle(): void
  /** The run is opened again when its next question comes. */
  forget(runId: string): void
  /** Why the run cannot succeed in this process; null while it may. */
  warningOf(runId: string): Warning | null
  /** Answered calls of all runs so far. */
  answered(): number
}

/** Longer than the pauses between questions of a run, and short compared with the lifetime of a worker. */
const KEPT_MS = 60_000

interface Known {
  readonly run: Promise<SharedRunContext>
  answered: () => number
  warning: () => Warning | null
  inside: number
  leftAt: number
}

export function createOpenRuns(plan: RunPlan, tools: SharedRunTools): OpenRuns {
  const runs = new Map<string, Known>()
  /** Forgotten runs with debates in progress, which may still count answers. */
  const leaving = new Set<Known>()
  let answeredBefore = 0

  function open(runId: string): Known {
    const run = openSharedRun(plan, tools, runId)
    const known: Known = { run, answered: () => 0, warning: () => null, inside: 0, leftAt: tools.now() }
    runs.set(runId, known)
    run.then(
      ({ calls, tools: { warning } }) => {
        known.answered = () => calls.meter.spent().answered
        known.warning = () => warning?.found() ?? null
      },
      // Callers that are waiting get the error. The next caller tries again.
      () => runs.delete(runId),
    )
    return known
  }

  return {
    async within(runId, use) {
      const known = runs.get(runId) ?? open(runId)
      known.inside += 1
      try {
        return await use(await known.run)
      } finally {
        known.inside -= 1
        known.leftAt = tools.now()
        if (known.inside === 0 && leaving.delete(known)) answeredBefore += known.answered()
      }
    },
    forgetIdle() {
      for (const [runId, { inside, leftAt, answered }] of runs) {
        if (inside > 0 || tools.now() - leftAt < KEPT_MS) continue
        answeredBefore += answered()
        runs.delete(runId)
      }
    },
    forget(runId) {
      const known = runs.get(runId)
      if (known === undefined) return
      runs.delete(runId)
      if (known.inside > 0) leaving.add(known)
      else answeredBefore += known.answered()
    },
    warningOf: (runId) => runs.get(runId)?.warning() ?? null,
    answered: () => [...runs.values(), ...leaving].reduce((sum, known) => sum + known.answered(), answeredBefore),
  }
}
