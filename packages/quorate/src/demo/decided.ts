import type { Decision } from '@quorate/certificate'
import { z } from 'zod'
import { compareCodePoints } from '../record/code-points.ts'
import { storedDebates } from '../run/calibration/recorded-debates.ts'
import { decisionsOf } from '../run/pages.ts'
import type { Store } from '../store/store.ts'

const debateSchema = z.object({
  id: z.string(),
  group: z.string(),
  question: z.string(),
  options: z.record(z.string(), z.string()),
  rounds: z.array(
    z.array(
      z.looseObject({
        agent: z.string(),
        answer: z.string().nullable(),
        conf: z.object({ verbal: z.number().nullable() }).nullable().default(null),
      }),
    ),
  ),
})

/** A question of the demo, and the debate on it as far as it was held. */
export interface HeldDebate extends z.infer<typeof debateSchema> {
  readonly gold: string
}

const isPath = (value: unknown): boolean => Array.isArray(value)
const pathSchema = z.custom<Decision['path']>(isPath, 'expected the rounds of a decision')
const isDrawn = z.boolean()

const recordSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('act'),
    ...{ round: z.number(), answer: z.string(), bound: z.number(), path: pathSchema, isDrawn },
  }),
  z.object({
    kind: z.literal('defer'),
    reason: z.enum([
      'bound-low',
      'too-few-labels',
      'uncalibrated',
      'budget-infeasible',
      'class-refused',
      'group-deferred',
    ]),
    ...{ path: pathSchema, isDrawn },
  }),
])

/** A question, the debate on it and what was decided, as the store has them. */
export interface Decided {
  readonly debate: HeldDebate
  readonly decision: Exclude<Decision, { kind: 'continue' }>
  /** For a spot check. */
  readonly isDrawn: boolean
}

/** What is right, as the run that debated the same questions has it. */
async function answersOf(store: Store, runId: string): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>()
  for await (const { questionId, debate } of storedDebates(store, runId)) {
    answers.set(questionId, answerSchema.parse(JSON.parse(debate)).gold)
  }
  return answers
}

const answerSchema = z.object({ gold: z.string() })

/** The decisions of a run in the order of their questions, with the answers that the other run knows. */
export async function readDecided(store: Store, runId: string, answeredRunId: string): Promise<Decided[]> {
  const answers = await answersOf(store, answeredRunId)
  const debates = new Map<string, HeldDebate>()
  for await (const { questionId, debate } of storedDebates(store, runId)) {
    const gold = answers.get(questionId)
    if (gold !== undefined) debates.set(questionId, { ...debateSchema.parse(JSON.parse(debate)), gold })
  }
  const decided: Decided[] = []
  for await (const { questionId, decision: json } of decisionsOf(store, runId)) {
    const { isDrawn, ...decision } = recordSchema.parse(JSON.parse(json))
    const debate = debates.get(questionId)
    if (debate !== undefined) decided.push({ debate, decision, isDrawn })
  }
  return decided.sort((a, b) => compareCodePoints(a.debate.id, b.debate.id))
}

export function actedWrongly({ decision, debate }: Decided): boolean {
  return decision.kind === 'act' && decision.answer !== debate.gold
}
