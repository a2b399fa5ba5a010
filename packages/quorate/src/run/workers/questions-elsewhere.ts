import type { AddedQuestion } from '../../store/settlement.ts'
import type { QuestionProgress } from '../../store/shared-store.ts'
import type { NewQuestion, Run } from '../../store/store.ts'
import type { OpenRunOptions } from '../open-run.ts'

/** Questions that this process takes in and others debate: filled by whoever knows those others. */
export interface QuestionsElsewhere {
  /** Begins the run, or goes on with it; whatever of it is pending is seen to. */
  open(options: OpenRunOptions): Promise<Run>
  /** When it resolves the question is stored, and somebody will debate it. */
  add(runId: string, question: NewQuestion): Promise<AddedQuestion>
  /** Of those that are waited for, the ones that somebody has begun with since, or ended. */
  progress(waited: WaitedFor): Promise<readonly QuestionProgress[]>
  /** Whether anybody who would debate them is there. */
  isAttended(): Promise<boolean>
}

/** Ids of questions, by what is known of them. */
export interface WaitedFor {
  readonly runIds: readonly string[]
  readonly pending: readonly string[]
  readonly begun: readonly string[]
}
