import { figure } from '../evaluation/figures.ts'
import type { Tally } from '../evaluation/tally.ts'
import { callsFigure, countsOf, rateFigures } from '../evaluation/tally-figures.ts'
import type { OperatingFigures } from './plan.ts'

/** What certificates did on their test halves, one tally a split; null without any. */
export function operatingFigures(tallies: readonly Tally[]): OperatingFigures | null {
  if (tallies.length === 0) return null
  return {
    ...rateFigures(tallies.map(countsOf)),
    roundsUsed: figure(tallies.map(roundsUsed))!, // never null: there is a tally
    calls: callsFigure(tallies),
  }
}

/** Mean over the debates; a deferral uses all rounds. */
function roundsUsed(tally: Tally): number {
  const { debates, acted } = countsOf(tally)
  const untilAction = tally.acted.reduce((sum, count, at) => sum + count * (at + 1), 0)
  return (untilAction + (debates - acted) * tally.acted.length) / debates
}
