import { createHash, hash } from 'node:crypto'
import { canonicalJson } from '@quorate/certificate'
import type { Question } from '../questions/question.ts'
import type { RunQuestion } from '../store/store.ts'
import type { RunPlan } from './run-plan.ts'
import { writeQuestion } from './stored-question.ts'

export interface Intake {
  readonly rows: readonly Omit<RunQuestion, 'runId' | 'status'>[]
  /** SHA-256 over all questions in their order. */
  readonly hash: string
}

/** The questions as a run keeps them; whoever is to be spot-checked is drawn here, before any call. */
export async function takeIn(questions: AsyncIterable<Question>, plan: RunPlan): Promise<Intake> {
  const hash = createHash('sha256')
  const rows: Omit<RunQuestion, 'runId' | 'status'>[] = []
  for await (const question of questions) {
    const text = writeQuestion(question)
    hash.update(`${text}\n`)
    rows.push({
      position: rows.length,
      questionId: question.id,
      question: text,
      isDrawn: plan.kind === 'decide' && isDrawn(question.id, plan),
    })
  }
  return { rows, hash: hash.digest('hex') }
}

/** A coin for each question, from the seed and its id alone: the same in every order and on every machine. */
export function isDrawn(questionId: string, { seed, spotCheckRate }: Pick<RunPlan, 'seed' | 'spotCheckRate'>): boolean {
  const digits = hash('sha256', canonicalJson(['spot-check', seed, questionId])).slice(0, 13)
  return Number.parseInt(digits, 16) / 2 ** 52 < spotCheckRate
}
