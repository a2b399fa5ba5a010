import { countText } from 'quorate/figures'
import { linkTo } from '../../app/router.ts'
import { DataText } from '../../parts/data-text.tsx'
import { Rate } from '../../parts/rate.tsx'
import { shareOf } from '../../parts/share-of.ts'
import { TEXT } from '../../text/english.ts'

/** A failure of infrastructure is never reported as a judgement. */
const FAILURES: ReadonlySet<string> = new Set(['agent-failure', 'time-out', 'spend-cap'])

interface DeferralsProps {
  readonly deferred: Readonly<Record<string, number>>
  /** What is said where there is none. */
  readonly none: string
}

export function Deferrals({ deferred, none }: DeferralsProps) {
  const rows = Object.entries(deferred).toSorted(([, a], [, b]) => b - a)
  const total = rows.reduce((sum, [, count]) => sum + count, 0)
  return (
    <section>
      <h2>{TEXT.overview.deferrals}</h2>
      {total === 0 ? (
        <p className="blank">{none}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{TEXT.overview.reason}</th>
              <th scope="col" className="number">
                {TEXT.overview.count}
              </th>
              <th scope="col" className="number">
                {TEXT.overview.ofDeferrals}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([reason, count]) => (
              <tr key={reason}>
                <th scope="row">
                  <a href={linkTo('debates', [], { kind: 'defer', reason })}>
                    <DataText text={reason} />
                  </a>
                  <span className="interval">
                    {TEXT.parts.reasons[reason] ?? null}
                    {FAILURES.has(reason) ? ` · ${TEXT.overview.infrastructure}` : null}
                  </span>
                </th>
                <td className="number">{countText(count)}</td>
                <td className="number">
                  <Rate share={shareOf(count, total)} why={none} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
