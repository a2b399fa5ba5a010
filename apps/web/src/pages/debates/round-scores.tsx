import type { DebateView } from 'quorate/contract'
import { probabilityText } from 'quorate/figures'
import { BoundBar } from '../../parts/bound-bar.tsx'
import '../../style/matrix.css'

/** The score of each round against its threshold. */
export function RoundScores({ view: { verdict } }: { readonly view: DebateView }) {
  if (verdict === null || verdict.path.length === 0) return null
  return (
    <table className="round-scores">
      <tbody>
        {verdict.path.map(({ round, lower }) => (
          <tr key={round}>
            <th scope="row">Round {round}</th>
            <td>
              <BoundBar bound={lower} threshold={verdict.threshold} />
            </td>
            <td className="number interval">
              {lower === null ? null : lower >= verdict.threshold ? '≥' : '<'} {probabilityText(verdict.threshold)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
