import { z } from 'zod'
import type { DecisionView, VerdictFigures } from '../../contract/decisions.ts'
import type { Question } from '../../questions/question.ts'
import type { Job } from '../../runs/run-job.ts'
import { writeQuestion } from '../../runs/stored-question.ts'
import type { Millis, RunQuestion } from '../../store/store.ts'

/** A question that was accepted and is not decided yet. */
export interface PendingQuestion {
  /** Of the decision that it will have; made at intake, so that ids are in order of arrival. */
  readonly id: string
  readonly row: RunQuestion
  readonly job: Job
  /** Its number among those that count; null: it does not, or an earlier process took it in. */
  readonly arrival: number | null
  status: 'pending' | 'running' | 'failed'
  /** After each round. */
  readonly figures: VerdictFigures[]
  /** Rounds held. */
  rounds: number
  decided: DecisionView | null
  /** Called at every change. */
  readonly listeners: Set<() => void>
}

const intakeSchema = z.object({ decisionId: z.string(), requestKey: z.string().nullish() })

export type Intake = z.infer<typeof intakeSchema>

/** The run keeps with the question what who goes on after a crash must know. */
export function writeIntake(question: Question, { decisionId, requestKey }: Intake): string {
  const key = typeof requestKey === 'string' ? { requestKey } : {}
  return JSON.stringify({ ...JSON.parse(writeQuestion(question)), decisionId, ...key })
}

/** Null: its text was erased, or it was asked otherwise. */
export function readIntake(question: string | null): Intake | null {
  const read = intakeSchema.safeParse(question === null ? null : JSON.parse(question))
  return read.success ? read.data : null
}

export function readDecisionId(question: string | null): string | null {
  return readIntake(question)?.decisionId ?? null
}

export function pendingQuestion(asked: Pick<PendingQuestion, 'id' | 'row' | 'job' | 'arrival'>): PendingQuestion {
  const empty = { figures: [], rounds: 0, decided: null, listeners: new Set<() => void>() }
  return { ...asked, status: 'pending', ...empty }
}

export function pendingView({ id, row, job, status, rounds, decided }: PendingQuestion): DecisionView {
  if (decided !== null) return decided
  const { runId, questionId } = row
  const certificate = job.deciding?.certified.id ?? null
  const nothing = { decision: null, reviewId: null, isHidden: false }
  return { id, runId, questionId, status, createdAt: timeOf(id), rounds, certificate, ...nothing }
}

/** Ids begin with their milliseconds (UUID version 7). */
export function timeOf(id: string): Millis {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

export function tell({ listeners }: PendingQuestion): void {
  for (const listener of listeners) listener()
}

/** Resolves at the next change, or when the signal fires. */
export function nextChange({ listeners }: PendingQuestion, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = () => {
      listeners.delete(done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    listeners.add(done)
    signal.addEventListener('abort', done, { once: true })
  })
}
