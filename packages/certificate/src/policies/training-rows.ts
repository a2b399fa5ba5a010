import { labelsOf, type Panels, questionKeys, type ReadPanel } from '../certificate/panel.ts'
import { CertificateError } from '../certificate-error.ts'
import type { PolicyName, PolicyOptions, Unfit } from './policy.ts'

/** Labelled debates with every round, as the baselines use them. */
export interface TrainingRows {
  readonly panels: readonly ReadPanel[]
  readonly rounds: number
  /** Row-major: 1 where the panel's answer after that round was right. */
  readonly correct: Uint8Array
}

export function trainingRows(name: PolicyName, { panels }: Panels): TrainingRows | Unfit {
  const [first] = panels
  if (first === undefined) return unfit('there are no labelled debates to learn from')
  const rounds = first.rounds.length
  const correct = new Uint8Array(panels.length * rounds)
  for (const [row, panel] of panels.entries()) {
    const place = `train[${row}]`
    if (panel.rounds.length !== rounds) {
      throw new CertificateError(name, `${place}.rounds`, `of ${rounds} rounds like train[0]`, panel.rounds.length)
    }
    correct.set(labelsOf(panel, name, place), row * rounds)
  }
  return { panels, rounds, correct }
}

export function unfit(reason: string): Unfit {
  return { kind: 'unfit', reason }
}

/**
 * Key of the question of each row; null if neither the debates nor the caller name any, so every row is its own
 * question.
 */
export function questionsOf(panels: readonly ReadPanel[], { questionOf }: PolicyOptions): readonly string[] | null {
  if (questionOf === undefined && panels.every(({ record }) => record.questionOf === null)) return null
  return questionKeys(panels, questionOf)
}

export const TOO_FEW_OF_A_KIND = 'too few answers of both kinds, right and wrong, to learn from'

export function hasBothLabels(correct: Uint8Array): boolean {
  return correct.includes(0) && correct.includes(1)
}

/** A selection of the rows. */
export function pickRows({ panels, rounds, correct }: TrainingRows, rows: readonly number[]): TrainingRows {
  const picked = rows.flatMap((row) => [...correct.subarray(row * rounds, (row + 1) * rounds)])
  return { panels: rows.map((row) => panels[row]!), rounds, correct: Uint8Array.from(picked) }
}
