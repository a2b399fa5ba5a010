import type { AgentTurn, Debate } from '@quorate/certificate'
import { FileError } from './file-error.ts'

/** A deliberation that asks more agents instead of asking again: round t has the answers of the first `sizes[t]` agents. */
export interface GrowingPanel {
  readonly sizes: readonly number[]
  /** Indexes of the agents in the recorded round, in the order in which they are polled; absent: as recorded. */
  readonly order?: readonly number[]
}

/** The debate of a growing panel, made from one recorded round in which every agent answered alone. */
export function asGrowingPanel(debate: Debate, { sizes, order }: GrowingPanel, place: string): Debate {
  // The debate is not validated yet. `rounds` may be anything, and the reader will refuse it.
  const rounds: unknown = debate?.rounds
  if (!Array.isArray(rounds) || !Array.isArray(rounds[0])) return debate
  if (rounds.length !== 1) {
    throw new FileError(
      `${place}.rounds must be one round of independent answers for a growing panel, got ${rounds.length}`,
    )
  }
  if ((debate.grades ?? null) !== null) {
    const expected = 'null for a growing panel, whose smaller panels may answer something that nobody graded'
    throw new FileError(`${place}.grades must be ${expected}. Use gold or correct`)
  }
  const turns: readonly AgentTurn[] = rounds[0]
  const needed = Math.max(...sizes, ...(order ?? []).map((index) => index + 1))
  if (turns.length < needed) {
    throw new FileError(`${place}.rounds[0] must contain the answers of at least ${needed} agents, got ${turns.length}`)
  }
  const polled = order ? order.map((index) => turns[index]) : turns
  return { ...debate, rounds: sizes.map((size) => polled.slice(0, size)) as AgentTurn[][] } // the reader checks the turns
}
