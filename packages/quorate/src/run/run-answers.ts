import { z } from 'zod'
import type { Store } from '../store/store.ts'
import { storedDebates } from './calibration/recorded-debates.ts'
import { pages } from './pages.ts'

/** Whether the answers of a run could be read, over all its processes. */
export interface RunAnswers {
  readonly answers: number
  readonly unreadable: number
  /** Unreadable ones, by agent. */
  readonly byAgent: Readonly<Record<string, number>>
  /** What one of them said; null where there is none, or its text was erased. */
  readonly example: string | null
}

const turnSchema = z.object({
  agent: z.string(),
  answer: z.string().nullish(),
  beliefs: z.unknown(),
  samples: z.array(z.string().nullable()).nullish(),
  text: z.string().nullish(),
})

const debateSchema = z.object({ rounds: z.array(z.array(turnSchema)) })

/** Counts the turns of all debates that no option could be read from: a panel of such turns decides nothing. */
export async function answersOfRun(store: Store, runId: string): Promise<RunAnswers> {
  let answers = 0
  let example: string | null = null
  const byAgent = new Map<string, number>()
  for await (const { debate } of storedDebates(store, runId)) {
    const read = debateSchema.safeParse(JSON.parse(debate))
    for (const turn of read.success ? read.data.rounds.flat() : []) {
      answers += 1
      if (!isUnreadable(turn)) continue
      byAgent.set(turn.agent, (byAgent.get(turn.agent) ?? 0) + 1)
      example ??= turn.text ?? null
    }
  }
  const unreadable = [...byAgent.values()].reduce((sum, count) => sum + count, 0)
  return { answers, unreadable, byAgent: Object.fromEntries([...byAgent].sort()), example }
}

/** Beliefs or samples say something too, without one answer. */
function isUnreadable({ answer, beliefs, samples }: z.infer<typeof turnSchema>): boolean {
  return (answer ?? null) === null && (beliefs ?? null) === null && !(samples ?? []).some((sample) => sample !== null)
}

/** The last error of each agent, as the calls of the run have it. */
export async function lastErrors({ calls }: Store, runId: string): Promise<ReadonlyMap<string, string>> {
  const last = new Map<string, string>()
  const all = pages<{ readonly id: string; readonly agent: string; readonly error: string | null }, string | null>(
    (page) => calls.list(runId, page),
    null,
    ({ id }) => id,
  )
  for await (const { agent, error } of all) if (error !== null) last.set(agent, error)
  return last
}
