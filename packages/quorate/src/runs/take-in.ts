import { createHash, hash } from 'node:crypto'
import { canonicalJson } from '@quorate/certificate'
import type { Question } from '../questions/question.ts'
import type { RunQuestion } from '../store/store.ts'
import type { RunPlan } from './run-plan.ts'
import { writeQuestion } from './stored-question.ts'

export interface Intake {
  readonly rows: readonly TakenIn[]
  /** SHA-256 over the ids in their order. Not over texts: what is erased must not be there to be guessed. */
  readonly hash: string
}

export type TakenIn = Pick<RunQuestion, 'position' | 'questionId' | 'question'>

/** The questions as a run keeps them. */
export async function takeIn(questions: AsyncIterable<Question>): Promise<Intake> {
  const hash = createHash('sha256')
  const rows: TakenIn[] = []
  for await (const question of questions) {
    hash.update(`${JSON.stringify(question.id)}\n`)
    rows.push({ position: rows.length, questionId: question.id, question: writeQuestion(question) })
  }
  return { rows, hash: hash.digest('hex') }
}

/** Draws who is to be spot-checked, when the run has its id and before any call. */
export function drawRows(
  rows: readonly TakenIn[],
  plan: Pick<RunPlan, 'kind' | 'seed' | 'spotCheckRate'>,
  runId: string,
): readonly (TakenIn & Pick<RunQuestion, 'isDrawn'>)[] {
  const coin = { ...plan, runId }
  return rows.map((row) => ({ ...row, isDrawn: plan.kind === 'decide' && isDrawn(row.questionId, coin) }))
}

export interface Coin extends Pick<RunPlan, 'seed' | 'spotCheckRate'> {
  readonly runId: string
}

/**
 * A coin for each question of a run. The run's id is random: nobody knows beforehand who will be drawn, ids that come
 * back every night are drawn afresh, and whoever has the ledger can toss it again.
 */
export function isDrawn(questionId: string, { runId, seed, spotCheckRate }: Coin): boolean {
  const digits = hash('sha256', canonicalJson(['spot-check', runId, seed, questionId])).slice(0, 13)
  return Number.parseInt(digits, 16) / 2 ** 52 < spotCheckRate
}
