import type { Debate } from '@quorate/certificate'

/** Who asks for another reading does not want the beliefs: they may be why, and the door refuses broken ones. */
export function withoutBeliefs(debate: Debate): Debate {
  const rounds: unknown = debate?.rounds
  if (!Array.isArray(rounds) || !rounds.every((turns) => Array.isArray(turns))) return debate // the door says so
  const bare = rounds.map((turns: readonly unknown[]) => turns.map(withoutTurnBeliefs))
  return { ...debate, rounds: bare as Debate['rounds'] } // the door checks the turns
}

function withoutTurnBeliefs(turn: unknown): unknown {
  return typeof turn === 'object' && turn !== null && !Array.isArray(turn) ? { ...turn, beliefs: null } : turn
}
