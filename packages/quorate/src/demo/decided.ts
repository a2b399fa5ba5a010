import { compareCodePoints, type Decision } from '@quorate/certificate'
import { z } from 'zod'
import { turnSchema } from '../record/answer.ts'
import { debateSchema } from '../record/debate.ts'
import { CERTIFICATE_REASONS, decisionSchema } from '../record/decision.ts'
import type { Immutable } from '../record/immutable.ts'
import { parseStored } from '../record/parse-stored.ts'
import { storedDebates } from '../run/calibration/recorded-debates.ts'
import { decisionsOf } from '../run/pages.ts'
import type { Store } from '../store/store.ts'

const demoTurnSchema = turnSchema.pick({ agent: true, answer: true }).extend({
  conf: z.object({ verbal: z.number().nullable() }).nullable().default(null),
})

const demoDebateSchema = debateSchema.extend({
  group: z.string(),
  question: z.string(),
  options: z.record(z.string(), z.string()),
  rounds: z.array(z.array(demoTurnSchema)),
})

/** A question of the demo with its right answer, and the debated rounds. */
export interface LabelledDebate extends Immutable<z.infer<typeof demoDebateSchema>> {
  readonly gold: string
}

/** A question, its debate and its decision, as they are in the store. */
export interface DemoDecision {
  readonly debate: LabelledDebate
  readonly decision: Exclude<Decision, { kind: 'continue' }>
  /** Whether the question was sampled for a spot check. */
  readonly isSpotCheck: boolean
}

/** A simulated panel neither fails nor spends, so only the certificate can be the reason for a deferral. */
const demoDecisionSchema = decisionSchema.extend({ reason: z.enum(CERTIFICATE_REASONS).nullable() })

/** Turns a stored decision back into the decision of the certificate. */
function decisionOf(record: z.infer<typeof demoDecisionSchema>): DemoDecision['decision'] {
  const { kind, answer, reason, round, bound } = record
  const path = record.path as unknown as Decision['path'] // steps of the certificate, as it wrote them
  if (kind === 'act' && answer !== null && bound !== null) return { kind, round, answer, bound, path }
  return { kind: 'defer', reason: reason ?? 'bound-low', path }
}

/** The decisions of a run in the order of their questions. The run itself did not know the right `answers`. */
export async function readDecided(
  store: Store,
  runId: string,
  answers: ReadonlyMap<string, string>,
): Promise<DemoDecision[]> {
  const debates = new Map<string, LabelledDebate>()
  for await (const { questionId, debate } of storedDebates(store, runId)) {
    const gold = answers.get(questionId)
    if (gold !== undefined)
      debates.set(questionId, { ...parseStored(demoDebateSchema, debate, `the debate of ${questionId}`), gold })
  }
  const decided: DemoDecision[] = []
  for await (const { questionId, decision: json } of decisionsOf(store, runId)) {
    const record = parseStored(demoDecisionSchema, json, `the decision on ${questionId}`)
    const debate = debates.get(questionId)
    if (debate !== undefined) decided.push({ debate, decision: decisionOf(record), isSpotCheck: record.isSpotCheck })
  }
  return decided.sort((a, b) => compareCodePoints(a.debate.id, b.debate.id))
}

export function actedWrongly({ decision, debate }: DemoDecision): boolean {
  return decision.kind === 'act' && decision.answer !== debate.gold
}
