import { useQuery } from '@tanstack/react-query'
import type { Page, ReviewRow } from 'quorate/contract'
import { ask } from '../../api/client.ts'
import { linkTo } from '../../app/router.ts'
import { ageText } from '../../parts/age-text.ts'
import { DataText } from '../../parts/data-text.tsx'
import { useNow, useServerAhead } from './use-review-session.ts'

const SHOWN = 30

/** What waits, oldest first: nothing in it tells a spot check from a deferral. */
export function Rail({ current }: { readonly current: string }) {
  const now = useNow(30_000) + useServerAhead()
  const rows = useQuery({
    queryKey: ['reviews', 'rail', current],
    queryFn: ({ signal }) => ask<Page<ReviewRow>>(`/v1/reviews?status=waiting&limit=${SHOWN}`, { signal }),
    placeholderData: (before) => before,
  })
  return (
    <nav className="rail" aria-label="Waiting">
      <h2>Waiting</h2>
      <ul>
        {(rows.data?.items ?? []).map(({ id, excerpt, createdAt, assignee, lockedUntil }) => {
          const isTaken = assignee !== null && lockedUntil !== null && lockedUntil > now
          return (
            <li key={id}>
              <a href={linkTo('review', ['item', id])} aria-current={id === current ? 'true' : undefined}>
                <span className="cut">{excerpt === null ? 'no text stored' : <DataText text={excerpt} />}</span>
                <span className="small">{ageText(now - createdAt)}</span>
                <span className="small">
                  {id === current ? 'yours' : isTaken ? <DataText text={assignee} /> : 'waiting'}
                </span>
              </a>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
