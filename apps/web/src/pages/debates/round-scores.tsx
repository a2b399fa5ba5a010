import type { DebateView } from 'quorate/contract'
import { neverActs, STEP_WORDS } from 'quorate/record'
import { BoundBar } from '../../parts/bound-bar.tsx'
import '../../style/matrix.css'

/** The score of each round against its threshold. */
export function RoundScores({ view: { verdict } }: { readonly view: DebateView }) {
  if (verdict === null || verdict.path.length === 0) return null
  return (
    <table className="round-scores">
      <tbody>
        {verdict.path.map(({ round, lower, score, cut, reason }) => (
          <tr key={round}>
            <th scope="row">Round {round}</th>
            <td>
              {score === undefined || cut === undefined ? (
                <BoundBar bound={lower} threshold={verdict.threshold} isPair />
              ) : (
                <BoundBar bound={score} threshold={cut} isPair />
              )}
              {reason === undefined || !neverActs(reason) ? null : (
                <span className="interval"> cannot act: {STEP_WORDS[reason]}</span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
