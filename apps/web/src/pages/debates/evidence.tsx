import type { DebateView } from 'quorate/contract'
import { debatePathFigure, debateStepsFigure } from 'quorate/figures'
import { boundRows } from '../../parts/bound-rows.ts'
import { Figure } from '../../parts/figure.tsx'
import { TEXT } from '../../text/english.ts'

/** The bound's path against the line, and the arithmetic of each round. */
export function Evidence({ view: { verdict, turns } }: { readonly view: DebateView }) {
  if (verdict === null || verdict.path.length === 0) {
    return (
      <section>
        <h2>{TEXT.debate.evidence}</h2>
        <p className="blank">{TEXT.debate.noEvidence}</p>
      </section>
    )
  }
  const { path, threshold } = verdict
  const rows = boundRows(verdict)
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
