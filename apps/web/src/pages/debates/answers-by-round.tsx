import type { DebateView } from 'quorate/contract'
import { DataText } from '../../parts/data-text.tsx'
import { ScrollRegion } from '../../parts/scroll-region.tsx'
import { answerName, panelAnswer } from '../queue/outcome-text.tsx'
import '../../style/matrix.css'

/** The answer of each agent in each round. The panel's answer is bold, and a changed answer is underlined. */
export function AnswersByRound({ view }: { readonly view: DebateView }) {
  const { turns } = view
  if (turns.length === 0) return null
  const names = [...new Set(turns.flat().map(({ agent }) => agent))]
  const answer = panelAnswer(view)
  return (
    <section className="section">
      <h2>Answers by round</h2>
      <ScrollRegion name={`Answers by round of ${view.questionId}`}>
        <table className="matrix">
          <thead>
            <tr>
              <th scope="col">Agent</th>
              {turns.map((_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a round is identified by its index
                <th key={index} scope="col">
                  Round {index + 1}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {names.map((agent) => {
              const own = turns.map((round) => round.find((turn) => turn.agent === agent))
              return (
                <tr key={agent}>
                  <th scope="row">
                    <DataText text={agent} />
                  </th>
                  {own.map((turn, index) => {
                    const before = own[index - 1]?.answer
                    const now = turn?.answer ?? null
                    const isPanel = now !== null && now === answer
                    const isChange = index > 0 && before !== undefined && before !== now
                    return (
                      // biome-ignore lint/suspicious/noArrayIndexKey: a round is identified by its index
                      <td key={index} className={`${isPanel ? 'is-panel' : ''} ${isChange ? 'is-change' : ''}`}>
                        {now === null ? <span className="faint">none</span> : <DataText text={answerName(view, now)} />}{' '}
                        {turn?.confidence === null || turn?.confidence === undefined ? null : (
                          <span className="interval">{turn.confidence.toFixed(2).replace(/^0/, '')}</span>
                        )}
                      </td>
                    )
                  })}
                </tr>
              )
            })}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  )
}
