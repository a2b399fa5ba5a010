import type { AgentTurn } from '@quorate/certificate'

/** The answer most agents give; equal counts go to the larger stated confidence. Undefined when nobody answers. */
export function majorityAnswer(turns: readonly AgentTurn[]): string | undefined {
  const support = new Map<string, { votes: number; stated: number }>()
  for (const { answer, conf } of turns) {
    if (answer === null) continue
    const { votes, stated } = support.get(answer) ?? { votes: 0, stated: 0 }
    support.set(answer, { votes: votes + 1, stated: stated + (conf?.verbal ?? 0) })
  }
  const ranked = [...support].sort(([, a], [, b]) => b.votes - a.votes || b.stated - a.stated)
  return ranked[0]?.[0]
}
