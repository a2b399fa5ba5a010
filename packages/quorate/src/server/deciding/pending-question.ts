import type { DecisionView, VerdictFigures } from '../../contract/decisions.ts'
import type { Deciding } from '../../run/deciding.ts'
import { readIntake } from '../../run/stored-question.ts'
import type { Millis, Run, RunQuestion } from '../../store/store.ts'
import type { Arrived } from './monitor/monitor-watch.ts'

/** A question that was accepted and is not decided yet. */
export interface PendingQuestion {
  /** The id of its future decision, created when the question is accepted, so that ids are in order of arrival. */
  readonly id: string
  readonly row: RunQuestion
  readonly served: ServedRun
  /** Its number among the questions that the monitors count; null: they do not count it, or an earlier process accepted it. */
  readonly arrival: number | null
  status: 'pending' | 'running' | 'failed'
  /** The figures after each round. */
  readonly figures: VerdictFigures[]
  /** Rounds debated. */
  rounds: number
  decided: DecisionView | null
  /** It is debated only while a client waits for it (`attend` of the debate service). */
  isAttended: boolean
  /** How many clients wait for it in that way. */
  attendants: number
  /** Its debate is paused, and it is not in the queue, until a client attends it. */
  isParked: boolean
  /** Fires when the last attendant has left. */
  leaving: AbortController
  /** Called at every change. */
  readonly listeners: Set<() => void>
}

/** The run of a certificate's questions. */
export interface ServedRun {
  readonly run: Run
  readonly deciding: Deciding
}

export function pendingQuestion(asked: Pick<PendingQuestion, 'id' | 'row' | 'served' | 'arrival'>): PendingQuestion {
  const empty = { figures: [], rounds: 0, decided: null, listeners: new Set<() => void>() }
  const isAttended = readIntake(asked.row.question)?.isAttended ?? false
  const attendance = { isAttended, attendants: 0, isParked: false, leaving: new AbortController() }
  return { ...asked, status: 'pending', ...empty, ...attendance }
}

/** The question in the form that the monitors use. */
export function arrivedAs({ row, served, arrival }: PendingQuestion): Arrived {
  const { runId, questionId } = row
  return { runId, questionId, arrival, certificateId: served.deciding.certified.id }
}

/** Ids begin with their milliseconds (UUID version 7). */
export function timeOf(id: string): Millis {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

export function notify({ listeners }: PendingQuestion): void {
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
