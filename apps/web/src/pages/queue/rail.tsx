import { useQuery } from '@tanstack/react-query'
import type { Page, ReviewItem, ReviewRow } from 'quorate/contract'
import { request } from '../../api/client.ts'
import { linkTo } from '../../app/router.ts'
import { DataText } from '../../parts/data-text.tsx'
import { ageText } from '../../parts/number-text.ts'
import { useNow, useServerAhead } from './session/use-review-session.ts'

const SHOWN = 30

/** The items assigned to the reviewer and those that wait, oldest first. Nothing reveals whether one is a spot check. */
export function Rail({ item, me }: { readonly item: ReviewItem; readonly me: string }) {
  const current = item.id
  const own = useWaiting(current, me).data?.items ?? []
  const waiting = useWaiting(current, null).data
  const others = (waiting?.items ?? []).filter(({ assignedTo }) => assignedTo !== me)
  const isListed = [...own, ...others].some(({ id }) => id === current)
  return (
    <nav className="rail" aria-label="Waiting">
      {waiting === undefined || isListed ? null : <CurrentItem item={item} />}
      {own.length === 0 ? null : <Items title="Assigned to you" items={own} current={current} />}
      <Items title={own.length === 0 ? 'Waiting' : 'Next'} items={others} current={current} />
    </nav>
  )
}

/** The current item, if it is beyond the end of the list. */
function CurrentItem({ item: { id, question, createdAt } }: { readonly item: ReviewItem }) {
  const now = useNow(30_000) + useServerAhead()
  return (
    <>
      <h2>Yours now</h2>
      <ul>
        <li>
          <a href={linkTo('review', ['item', id])} aria-current="true">
            <span className="cut">{question === null ? 'no text stored' : <DataText text={question} />}</span>
            <span className="small">{ageText(now - createdAt)}</span>
            <span className="small">yours</span>
          </a>
        </li>
      </ul>
    </>
  )
}

function useWaiting(current: string, person: string | null) {
  return useQuery({
    queryKey: ['reviews', 'rail', current, person],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ status: 'waiting', limit: String(SHOWN) })
      if (person !== null) query.set('assignedTo', person)
      return request<Page<ReviewRow>>(`/v1/reviews?${query}`, { signal })
    },
    placeholderData: (before) => before,
  })
}

function Items({
  title,
  items,
  current,
}: {
  readonly title: string
  readonly items: readonly ReviewRow[]
  readonly current: string
}) {
  const now = useNow(30_000) + useServerAhead()
  return (
    <>
      <h2>{title}</h2>
      <ul>
        {items.map(({ id, excerpt, group, createdAt, claimedBy, claimedUntil, assignedTo, dueAt }) => {
          const isTaken = claimedBy !== null && claimedUntil !== null && claimedUntil > now
          const reviewer = isTaken ? claimedBy : assignedTo
          return (
            <li key={id}>
              <a href={linkTo('review', ['item', id])} aria-current={id === current ? 'true' : undefined}>
                <span className="cut">{excerpt === null ? 'no text stored' : <DataText text={excerpt} />}</span>
                <span className="small">{ageText(now - createdAt)}</span>
                <span className="small">
                  {id === current ? 'yours' : <DataText text={reviewer ?? group ?? 'waiting'} />}
                  {dueAt === null ? null : dueAt <= now ? ', overdue' : `, due in ${ageText(dueAt - now)}`}
                </span>
              </a>
            </li>
          )
        })}
      </ul>
    </>
  )
}
