import { isUnreadable } from '../record/answer.ts'
import { debateRoundsSchema } from '../record/debate.ts'
import { findStored } from '../record/parse-stored.ts'
import type { Store } from '../store/store.ts'
import { storedDebates } from './calibration/recorded-debates.ts'
import { callRows } from './pages.ts'

/** How many answers of a run could not be read, over all its processes. */
export interface RunAnswers {
  readonly answers: number
  readonly unreadable: number
  /** Unreadable answers, by agent. */
  readonly byAgent: Readonly<Record<string, number>>
  /** The text of one of them; null if there is none, or its text was erased. */
  readonly example: string | null
}

/** Counts the turns of all debates, and those from which no option could be read. A panel of such turns decides nothing. */
export async function answersOfRun(store: Store, runId: string): Promise<RunAnswers> {
  let answers = 0
  let example: string | null = null
  const byAgent = new Map<string, number>()
  for await (const { debate } of storedDebates(store, runId)) {
    for (const turn of findStored(debateRoundsSchema, debate)?.rounds.flat() ?? []) {
      answers += 1
      if (!isUnreadable(turn)) continue
      byAgent.set(turn.agent, (byAgent.get(turn.agent) ?? 0) + 1)
      example ??= turn.text ?? null
    }
  }
  const unreadable = [...byAgent.values()].reduce((sum, count) => sum + count, 0)
  return { answers, unreadable, byAgent: Object.fromEntries([...byAgent].sort()), example }
}

/** The answers of several runs, counted together. */
export function allAnswers(runs: readonly RunAnswers[]): RunAnswers {
  const byAgent: Record<string, number> = {}
  for (const run of runs) {
    for (const [agent, count] of Object.entries(run.byAgent)) byAgent[agent] = (byAgent[agent] ?? 0) + count
  }
  return {
    answers: runs.reduce((sum, { answers }) => sum + answers, 0),
    unreadable: runs.reduce((sum, { unreadable }) => sum + unreadable, 0),
    byAgent,
    example: runs.find(({ example }) => example !== null)?.example ?? null,
  }
}

/** The last error of each agent in the calls of the run. */
export async function lastErrors(store: Store, runId: string): Promise<ReadonlyMap<string, string>> {
  const last = new Map<string, string>()
  for await (const { agent, error } of callRows(store, runId)) if (error !== null) last.set(agent, error)
  return last
}
