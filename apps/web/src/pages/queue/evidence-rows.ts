import type { DebateView, VerdictFigures } from 'quorate/contract'
import type { BoundRow } from 'quorate/figures'

export type Turn = DebateView['turns'][number][number]

export interface AnswerGroup {
  /** Null: no answer. */
  readonly answer: string | null
  readonly turns: readonly Turn[]
}

/** The turns of a round by answer, in the order of the options; who had none come last. */
export function answerGroups(round: readonly Turn[], options: readonly string[]): readonly AnswerGroup[] {
  const place = ({ answer }: AnswerGroup) => {
    if (answer === null) return options.length + 1
    const index = options.indexOf(answer)
    return index < 0 ? options.length : index
  }
  const groups = new Map<string | null, Turn[]>()
  for (const turn of round) groups.set(turn.answer, [...(groups.get(turn.answer) ?? []), turn])
  return [...groups].map(([answer, turns]) => ({ answer, turns })).toSorted((left, right) => place(left) - place(right))
}

const WITHOUT_BOUND = {
  'too-few-labels': 'no bound: too few labelled debates',
  'no-vote': 'no bound: no agent voted',
  'not-nominated': 'no bound: its score is too low',
} as const

/** The rounds of a decision as bars; the last one has the mark of what was decided. */
export function stepRows({ kind, path }: VerdictFigures): readonly BoundRow[] {
  return path.map((step, index) => {
    const { lower, mean, envelope, slack, neighbours, successes } = step
    const label = `round ${step.round}`
    const isLast = index === path.length - 1
    const isWhole = ![mean, envelope, slack, neighbours, successes].includes(undefined)
    if (lower === null || !isWhole) {
      return { label, lower: null, reason: step.reason === undefined ? 'no bound' : WITHOUT_BOUND[step.reason] }
    }
    const parts = { mean: mean ?? lower, envelope: envelope ?? 0, slack: slack ?? 0 }
    const counts = { rows: neighbours ?? 0, successes: successes ?? 0 }
    return { label, lower, ...parts, ...counts, mark: isLast && kind !== 'continue' ? kind : null }
  })
}
