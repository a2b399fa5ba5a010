import type { DebateView, StepFigures } from 'quorate/contract'
import { type BoundRow, debatePathFigure, debateStepsFigure } from 'quorate/figures'
import { Figure } from '../../parts/figure.tsx'
import { TEXT } from '../../text/english.ts'

/** The bound's path against the line, and the arithmetic of each round. */
export function Evidence({ view: { verdict, kind, turns } }: { readonly view: DebateView }) {
  if (verdict === null || verdict.path.length === 0) {
    return (
      <section>
        <h2>{TEXT.debate.evidence}</h2>
        <p className="blank">{TEXT.debate.noEvidence}</p>
      </section>
    )
  }
  const { path, threshold } = verdict
  const rows = path.map((step, index) => boundRow(step, kind, index === path.length - 1))
  const bounds = path.map(({ lower }) => lower)
  return (
    <section className="pair">
      <div>
        <h2>{TEXT.debate.path}</h2>
        <p className="reading">{TEXT.debate.pathReading}</p>
        <Figure
          draw={(width) => debatePathFigure({ threshold, rounds: Math.max(path.length, turns.length), bounds }, width)}
        />
      </div>
      <div>
        <h2>{TEXT.debate.steps}</h2>
        <p className="reading">{TEXT.debate.stepsReading}</p>
        <Figure draw={(width) => debateStepsFigure({ threshold, rows }, width)} />
      </div>
    </section>
  )
}

/** A step with a bound has all of its parts; one that lacks any is shown without a bar. */
function boundRow(step: StepFigures, kind: DebateView['kind'], isLast: boolean): BoundRow {
  const label = TEXT.debate.round(step.round)
  const { lower, mean, envelope, slack, neighbours, successes, threshold } = step
  const parts = [mean, envelope, slack, neighbours, successes]
  if (lower === null || parts.includes(undefined)) {
    return {
      label,
      lower: null,
      reason: step.reason === undefined ? TEXT.parts.noBound : TEXT.debate.stepReasons[step.reason],
    }
  }
  const mark = lower >= threshold ? 'act' : isLast && kind === 'defer' ? 'defer' : null
  return {
    label,
    lower,
    mark,
    mean: mean ?? 0,
    envelope: envelope ?? 0,
    slack: slack ?? 0,
    rows: neighbours ?? 0,
    successes: successes ?? 0,
  }
}
