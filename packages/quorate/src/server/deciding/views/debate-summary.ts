import type { DebateRow, DebateSummary, DebateSummaryQuery } from '../../../contract/debates.ts'
import type { VerdictFigures } from '../../../contract/decisions.ts'
import { neverActs } from '../../../record/decision-words.ts'

/** The latest debates, which a summary counts. */
export const MOST_SUMMED = 2000
/** Width of a bar of the histogram. */
const BAR = 0.02

/** Filters by `score - needs`. */
export function scoreFilter({ from, to }: DebateSummaryQuery): (row: DebateRow) => boolean {
  if (from === undefined && to === undefined) return () => true
  return ({ score, needs }) => {
    if (score === null || needs === null) return false
    return score - needs >= (from ?? -1) && score - needs < (to ?? Number.POSITIVE_INFINITY)
  }
}

export function summaryOf(rows: readonly DebateRow[]): Omit<DebateSummary, 'suggestion'> {
  const isWrong = ({ kind, answer, gold, isLabelled }: DebateRow) => kind === 'act' && isLabelled && gold !== answer
  const bars = new Map<number, { acted: number; deferred: number; wrong: number }>()
  for (const row of rows) {
    if (row.score === null || row.needs === null) continue
    const place = Math.floor((row.score - row.needs) / BAR + 1e-9)
    const bar = bars.get(place) ?? { acted: 0, deferred: 0, wrong: 0 }
    bar[row.kind === 'act' ? 'acted' : 'deferred'] += 1
    if (isWrong(row)) bar.wrong += 1
    bars.set(place, bar)
  }
  return {
    debates: rows.length,
    isCut: rows.length === MOST_SUMMED,
    acted: rows.filter(({ kind }) => kind === 'act').length,
    deferred: rows.filter(({ kind }) => kind === 'defer').length,
    wrong: rows.filter(isWrong).length,
    hidden: rows.filter(({ isHidden }) => isHidden).length,
    undecided: rows.filter(({ kind, isHidden }) => kind === null && !isHidden).length,
    answers: answersOf(rows),
    bars: [...bars]
      .sort(([left], [right]) => left - right)
      .map(([place, bar]) => ({ from: place * BAR, to: (place + 1) * BAR, ...bar })),
  }
}

/** A question that was decided several times counts once. */
function answersOf(rows: readonly DebateRow[]): DebateSummary['answers'] {
  const decided = new Map(
    rows.filter(({ kind, isHidden }) => kind !== null || isHidden).map((row) => [row.questionId, row]),
  )
  const waiting = [...decided.values()].filter(
    ({ kind, gold, isHidden }) => isHidden || (kind === 'defer' && gold === null),
  )
  return { rows: decided.size, waiting: waiting.length }
}

/** The bound of the round that acted, else the largest bound of all rounds. */
export function bestBound(figures: VerdictFigures | null) {
  if (figures?.kind === 'act') return { bound: figures.bound, boundRound: figures.round }
  const bounds = figures?.path.flatMap(({ lower, round }) => (lower === null ? [] : [{ lower, round }])) ?? []
  const [first, ...others] = bounds
  if (first === undefined) return { bound: null, boundRound: null }
  const best = others.reduce((found, step) => (step.lower > found.lower ? step : found), first)
  return { bound: best.lower, boundRound: best.round }
}

/** The score of the round that acted, else of the round that came nearest to what it needs, among those that may act. */
export function bestScore(figures: VerdictFigures | null) {
  const rounds = (figures?.path ?? []).flatMap(({ round, score, cut, lower, threshold, reason }) => {
    if (neverActs(reason)) return []
    if (score !== undefined && cut !== undefined) return [{ score, needs: cut, scoreRound: round }]
    return lower === null ? [] : [{ score: lower, needs: threshold, scoreRound: round }]
  })
  const acted = figures?.kind === 'act' ? rounds.find(({ scoreRound }) => scoreRound === figures.round) : undefined
  const [nearest] = rounds.toSorted((left, right) => right.score - right.needs - (left.score - left.needs))
  return acted ?? nearest ?? { score: null, needs: null, scoreRound: null }
}
