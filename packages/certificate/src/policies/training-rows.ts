import { labelsOf, questionKeys, type ReadDebate, type ReadDebates } from '../certificate/read-debates.ts'
import { CertificateError } from '../certificate-error.ts'
import type { PolicyName, PolicyOptions, Unfit } from './policy.ts'

/** Labelled debates with every round, as the baselines use them. */
export interface TrainingRows {
  readonly debates: readonly ReadDebate[]
  readonly rounds: number
  /** Row-major: 1 where the panel's answer after that round was right. */
  readonly correct: Uint8Array
}

export function trainingRows(name: PolicyName, { debates }: ReadDebates): TrainingRows | Unfit {
  const [first] = debates
  if (first === undefined) return unfit('there are no labelled debates to learn from')
  const rounds = first.rounds.length
  const correct = new Uint8Array(debates.length * rounds)
  for (const [row, debate] of debates.entries()) {
    const place = `train[${row}]`
    if (debate.rounds.length !== rounds) {
      throw new CertificateError(name, `${place}.rounds`, `of ${rounds} rounds like train[0]`, debate.rounds.length)
    }
    correct.set(labelsOf(debate, name, place), row * rounds)
  }
  return { debates, rounds, correct }
}

export function unfit(reason: string): Unfit {
  return { kind: 'unfit', reason }
}

/**
 * Key of the question of each row; null if neither the debates nor the caller name any, so every row is its own
 * question.
 */
export function questionsOf(debates: readonly ReadDebate[], { questionOf }: PolicyOptions): readonly string[] | null {
  if (questionOf === undefined && debates.every(({ record }) => record.questionOf === null)) return null
  return questionKeys(debates, questionOf)
}

export const TOO_FEW_OF_A_KIND = 'too few answers of both kinds, right and wrong, to learn from'

export function hasBothLabels(correct: Uint8Array): boolean {
  return correct.includes(0) && correct.includes(1)
}

/** A selection of the rows. */
export function pickRows({ debates, rounds, correct }: TrainingRows, rows: readonly number[]): TrainingRows {
  const picked = rows.flatMap((row) => [...correct.subarray(row * rounds, (row + 1) * rounds)])
  return { debates: rows.map((row) => debates[row]!), rounds, correct: Uint8Array.from(picked) }
}
