import type { Debate } from '@quorate/certificate'
import { FileError } from './file-error.ts'

/**
 * Removes the beliefs of a debate that is read by another elicitation. Broken beliefs may be the reason for it, and the
 * reader would refuse them. `place` names the file and the line.
 */
export function withoutBeliefs(debate: Debate, place: string): Debate {
  const rounds: unknown = debate?.rounds
  if (!Array.isArray(rounds) || !rounds.every((turns) => Array.isArray(turns))) return debate // the reader refuses it
  if (hasUnnamedGrades(debate) && rounds.flat().some(hasBeliefs)) {
    throw new FileError(
      `${place}.grades must name the answer that they grade if beliefs are not read as recorded: the panel may then answer something else`,
    )
  }
  const bare = rounds.map((turns: readonly unknown[]) => turns.map(withoutTurnBeliefs))
  return { ...debate, rounds: bare as Debate['rounds'] } // the reader checks the turns
}

function hasUnnamedGrades({ grades }: Debate): boolean {
  return Array.isArray(grades) && grades.some((grade) => (grade?.answer ?? null) === null)
}

function hasBeliefs(turn: unknown): boolean {
  return typeof turn === 'object' && turn !== null && 'beliefs' in turn && turn.beliefs !== null
}

function withoutTurnBeliefs(turn: unknown): unknown {
  return typeof turn === 'object' && turn !== null && !Array.isArray(turn) ? { ...turn, beliefs: null } : turn
}
