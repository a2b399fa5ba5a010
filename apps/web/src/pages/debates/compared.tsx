import type { DebateView } from 'quorate/contract'
import { countText } from 'quorate/figures'
import { DataText } from '../../parts/data-text.tsx'
import { Rate } from '../../parts/rate.tsx'
import { shareOf } from '../../parts/share-of.ts'
import { TEXT } from '../../text/english.ts'
import { type RoundCount, roundCounts } from './round-counts.ts'

const MOST_ROWS = 100

/** The labelled debates behind the bounds: never a bare "confidence". */
export function Compared({ view: { compared } }: { readonly view: DebateView }) {
  const counts = roundCounts(compared)
  return (
    <section>
      <h2>{TEXT.debate.compared}</h2>
      {counts.length === 0 ? <p className="blank">{TEXT.debate.comparedNone}</p> : <Counts counts={counts} />}
      {compared.kind === 'neighbours' && compared.rows.length > 0 ? <Neighbours rows={compared.rows} /> : null}
    </section>
  )
}

function Counts({ counts }: { readonly counts: readonly RoundCount[] }) {
  return (
    <table className="stacked counts">
      <thead>
        <tr>
          <th scope="col">{TEXT.debate.roundColumn}</th>
          <th scope="col">{TEXT.debate.sentence}</th>
          <th scope="col" className="number">
            {TEXT.debate.share}
          </th>
          <th scope="col">{counts.some(({ cell }) => cell !== null) ? TEXT.debate.cell : TEXT.debate.farthest}</th>
        </tr>
      </thead>
      <tbody>
        {counts.map((count) => (
          <tr key={`${count.round} ${count.cell}`}>
            <th scope="row">{TEXT.debate.round(count.round)}</th>
            <td>
              {TEXT.debate[count.cell === null ? 'nearSentence' : 'cellSentence'](
                countText(count.labels),
                countText(count.successes),
              )}
            </td>
            <td className="number" data-name={TEXT.debate.share}>
              <Rate share={shareOf(count.successes, count.labels)} why={TEXT.debate.comparedNone} />
            </td>
            <td data-name={count.cell === null ? TEXT.debate.farthest : TEXT.debate.cell}>
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
  const shown = rows.toSorted((a, b) => a.round - b.round || a.distance - b.distance).slice(0, MOST_ROWS)
  return (
    <details>
      <summary>{TEXT.debate.allNeighbours(countText(rows.length))}</summary>
      {shown.length < rows.length ? (
        <p className="soft">{TEXT.debate.firstOf(countText(shown.length), countText(rows.length))}</p>
      ) : null}
      <table>
        <thead>
          <tr>
            <th scope="col">{TEXT.debate.roundColumn}</th>
            <th scope="col">{TEXT.debate.neighbour}</th>
            <th scope="col" className="number">
              {TEXT.debate.distance}
            </th>
            <th scope="col">{TEXT.debate.right}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ round, id, distance, correct }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a labelled debate may stand in a round twice
            <tr key={index}>
              <td>{round}</td>
              <td>{id === null ? <span className="soft">{TEXT.debate.noId}</span> : <DataText text={id} />}</td>
              <td className="number">{distance.toFixed(4)}</td>
              <td className={correct ? '' : 'bad'}>
                {correct ? `✓ ${TEXT.debate.wasRight}` : `✕ ${TEXT.debate.wrong}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
