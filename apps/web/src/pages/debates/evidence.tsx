import type { DebateView } from 'quorate/contract'
import { atLeastText, countText, debatePathFigure, debateStepsFigure } from 'quorate/figures'
import { Figure } from '../../parts/figure.tsx'
import { declaredText } from '../../parts/number-text.ts'
import { boundRows } from './bound-rows.ts'
import { RoundScores } from './round-scores.tsx'

/** The bounds of the rounds against the threshold, and how each was computed. */
export function Evidence({ view }: { readonly view: DebateView }) {
  const { verdict, turns } = view
  if (verdict === null || verdict.path.length === 0) {
    return (
      <section>
        <h2>Evidence</h2>
        <p className="blank">No bound was computed for this debate.</p>
      </section>
    )
  }
  const { path, threshold } = verdict
  if (path.some(({ score, cut }) => score !== undefined && cut !== undefined)) return <Scored view={view} />
  const rows = boundRows(verdict)
  const bounds = path.map(({ lower }) => lower)
  return (
    <section className="pair">
      <div>
        <h2>The bound’s path</h2>
        <p className="reading">It acts at the first round whose bound reaches the threshold.</p>
        <Figure
          draw={(width) => debatePathFigure({ threshold, rounds: Math.max(path.length, turns.length), bounds }, width)}
        />
      </div>
      <div>
        <h2>How each bound is computed</h2>
        <p className="reading">
          Share right among comparable labelled debates, minus allowances for their distance and for the few labels.
        </p>
        <Figure draw={(width) => debateStepsFigure({ threshold, rows }, width)} />
      </div>
    </section>
  )
}

/** Profile total: a score stops the debate, and the class decides whether it may act. */
function Scored({ view }: { readonly view: DebateView }) {
  const judged = view.verdict?.path.findLast(({ neighbours }) => neighbours !== undefined)
  return (
    <section className="pair">
      <div>
        <h2>Score by round</h2>
        <p className="reading">It stops at the first round whose score reaches its threshold.</p>
        <RoundScores view={view} />
      </div>
      <div>
        <h2>Its class</h2>
        <p className="reading">Labelled debates that went the same way, which say how often acting is right.</p>
        {judged?.neighbours === undefined || judged.successes === undefined || judged.lower === null ? (
          <p>
            {view.reason === 'class-refused'
              ? 'Refused by the floor: it goes to people.'
              : 'None: no round stopped it.'}
          </p>
        ) : (
          <p>
            <strong>{countText(judged.successes)}</strong> of {countText(judged.neighbours)} were right, at least{' '}
            <strong>{atLeastText(judged.lower)} %</strong> of new ones. The floor is {declaredText(judged.threshold)} %.
          </p>
        )}
      </div>
    </section>
  )
}
