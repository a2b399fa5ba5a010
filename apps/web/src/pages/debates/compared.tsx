import type { DebateView } from 'quorate/contract'
import { countText } from 'quorate/figures'
import { DataText } from '../../parts/data-text.tsx'
import { shareOf } from '../../parts/number-text.ts'
import { Rate } from '../../parts/rate.tsx'

const WORDS = {
  round: (round: number) => `round ${round}`,
  nearSentence: (labels: string, successes: string) =>
    `of the ${labels} nearest labelled debates, ${successes} were right`,
  cellSentence: (labels: string, successes: string) =>
    `of ${labels} labelled debates that went the same way, ${successes} were right`,
  allNeighbours: (count: string) => `Each of them (${count})`,
  firstOf: (shown: string, of: string) => `The nearest ${shown} of ${of} are shown.`,
} as const

const MAX_ROWS = 100

/** The labelled debates that the bounds are computed from. No bare "confidence" is shown. */
export function Compared({ view: { compared } }: { readonly view: DebateView }) {
  const counts = roundCounts(compared)
  return (
    <section>
      <h2>Labelled debates it was compared with</h2>
      {counts.length === 0 ? <p className="blank">It was compared with none.</p> : <Counts counts={counts} />}
      {compared.kind === 'neighbours' && compared.rows.length > 0 ? <Neighbours rows={compared.rows} /> : null}
    </section>
  )
}

function Counts({ counts }: { readonly counts: readonly RoundCount[] }) {
  return (
    <table className="stacked counts">
      <thead>
        <tr>
          <th scope="col">Round</th>
          <th scope="col">What was counted</th>
          <th scope="col" className="number">
            Right (95 % interval)
          </th>
          <th scope="col">{counts.some(({ cell }) => cell !== null) ? 'Class' : 'Farthest'}</th>
        </tr>
      </thead>
      <tbody>
        {counts.map((count) => (
          <tr key={`${count.round} ${count.cell}`}>
            <th scope="row">{WORDS.round(count.round)}</th>
            <td>
              {(count.cell === null ? WORDS.nearSentence : WORDS.cellSentence)(
                countText(count.labels),
                countText(count.successes),
              )}
            </td>
            <td className="number" data-name="Right (95 % interval)">
              <Rate share={shareOf(count.successes, count.labels)} why="It was compared with none." />
            </td>
            <td data-name={count.cell === null ? 'Farthest' : 'Class'}>
              {count.cell === null ? count.farthest?.toFixed(3) : <DataText text={count.cell} />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type Near = Extract<DebateView['compared'], { kind: 'neighbours' }>['rows']

function Neighbours({ rows }: { readonly rows: Near }) {
  const shown = rows.toSorted((a, b) => a.round - b.round || a.distance - b.distance).slice(0, MAX_ROWS)
  return (
    <details>
      <summary>{WORDS.allNeighbours(countText(rows.length))}</summary>
      {shown.length < rows.length ? (
        <p className="soft">{WORDS.firstOf(countText(shown.length), countText(rows.length))}</p>
      ) : null}
      <table>
        <thead>
          <tr>
            <th scope="col">Round</th>
            <th scope="col">Labelled debate</th>
            <th scope="col" className="number">
              Distance
            </th>
            <th scope="col">Right</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ round, id, distance, correct }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a labelled debate may stand in a round twice
            <tr key={index}>
              <td>{round}</td>
              <td>{id === null ? <span className="soft">id not known</span> : <DataText text={id} />}</td>
              <td className="number">{distance.toFixed(4)}</td>
              <td className={correct ? '' : 'bad'}>{correct ? '✓ right' : '✕ wrong'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

/** The labelled debates that the bound of a round was computed from. */
interface RoundCount {
  readonly round: number
  readonly labels: number
  readonly successes: number
  /** The name of the cell; null for neighbours. */
  readonly cell: string | null
  /** The largest distance of a neighbour; null for cells. */
  readonly farthest: number | null
}

function roundCounts(compared: DebateView['compared']): readonly RoundCount[] {
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
