import type { DebateView } from 'quorate/contract'

/** What the bound of a round was counted from. */
export interface RoundCount {
  readonly round: number
  readonly labels: number
  readonly successes: number
  /** Of cells; null of neighbours. */
  readonly cell: string | null
  /** Of neighbours: the largest distance. */
  readonly farthest: number | null
}

export function roundCounts(compared: DebateView['compared']): readonly RoundCount[] {
  switch (compared.kind) {
    case 'none':
      return []
    case 'cells':
      return compared.rows.map((row) => ({ ...row, farthest: null }))
    case 'neighbours':
      return [...new Set(compared.rows.map(({ round }) => round))]
        .toSorted((a, b) => a - b)
        .map((round) => {
          const near = compared.rows.filter((row) => row.round === round)
          return {
            round,
            labels: near.length,
            successes: near.filter(({ correct }) => correct).length,
            cell: null,
            farthest: near.reduce((most, { distance }) => Math.max(most, distance), 0),
          }
        })
  }
}
