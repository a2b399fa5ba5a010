import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Page, ReleasedClaims, ReviewRow, SessionView } from 'quorate/contract'
import { countText } from 'quorate/figures'
import { ask } from '../../api/client.ts'
import { goTo, linkTo, usePlace } from '../../app/router.ts'
import { DataText } from '../../parts/data-text.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Empty, Failure, Loading } from '../../parts/page-states.tsx'
import { ScrollRegion } from '../../parts/scroll-region.tsx'
import { TEXT } from '../../text/english.ts'
import { useNow, useServerAhead } from './use-review-session.ts'
import '../../style/blocks.css'

const WORDS = TEXT.queue.list
const EXCERPT = 200
const STATUSES = ['waiting', 'submitted', 'retracted'] as const

/** The queue by age, for who looks for one item or wants to see who has what. */
export function QueueList({ session }: { readonly session: SessionView }) {
  const asked = usePlace().query.get('status') ?? 'waiting'
  const status = STATUSES.find((one) => one === asked) ?? null
  const rows = useRows(status)
  const canReview = session.role !== 'viewer' && session.kind === 'human'
  const canRelease = session.role === 'admin' && session.kind === 'human'
  return (
    <section className="queue-list">
      <PageHead
        title={WORDS.title}
        tools={
          canReview ? (
            <a className="button" href={linkTo('review')}>
              {TEXT.queue.toReviewing}
            </a>
          ) : undefined
        }
      />
      <div className="body">
        <div className="list-tools">
          <label>
            {WORDS.status}{' '}
            <select
              value={status ?? 'any'}
              onChange={(event) => goTo(linkTo('review', ['list'], { status: event.target.value }))}
            >
              {STATUSES.map((one) => (
                <option key={one} value={one}>
                  {WORDS.statuses[one]}
                </option>
              ))}
              <option value="any">{WORDS.any}</option>
            </select>
          </label>
        </div>
        <Rows rows={rows} me={session.name} canReview={canReview} canRelease={canRelease} />
      </div>
    </section>
  )
}

function useRows(status: ReviewRow['status'] | null) {
  return useInfiniteQuery({
    queryKey: ['reviews', status],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ limit: '50', ...(status === null ? {} : { status }) })
      if (pageParam !== null) query.set('cursor', pageParam)
      return ask<Page<ReviewRow>>(`/v1/reviews?${query}`, { signal })
    },
    initialPageParam: null as string | null, // the type of the cursors to come
    getNextPageParam: ({ next }) => next,
    refetchInterval: 15_000,
  })
}

interface RowsProps {
  readonly rows: ReturnType<typeof useRows>
  readonly me: string
  readonly canReview: boolean
  /** An administrator puts items back that somebody else claimed. */
  readonly canRelease: boolean
}

function Rows({ rows, me, canReview, canRelease }: RowsProps) {
  const now = useNow(30_000) + useServerAhead()
  if (rows.isPending) return <Loading what={WORDS.what} />
  if (rows.isError) return <Failure error={rows.error} again={() => void rows.refetch()} />
  const items = rows.data.pages.flatMap((page) => page.items)
  if (items.length === 0) {
    return (
      <Empty title={WORDS.empty}>
        <p>{WORDS.emptyWhy}</p>
      </Empty>
    )
  }
  return (
    <>
      <ScrollRegion name={WORDS.title}>
        <table className="stacked">
          <caption>{WORDS.caption}</caption>
          <thead>
            <tr>
              <th scope="col">{WORDS.columns.age}</th>
              <th scope="col">{WORDS.columns.question}</th>
              <th scope="col">{WORDS.columns.group}</th>
              <th scope="col">{WORDS.columns.source}</th>
              <th scope="col">{WORDS.columns.status}</th>
              <th scope="col">{WORDS.columns.with}</th>
              {canReview ? <th scope="col">{WORDS.columns.claim}</th> : null}
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <Row key={item.id} item={item} now={now} me={me} canReview={canReview} canRelease={canRelease} />
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <p className="soft after">{WORDS.shown(countText(items.length), !rows.hasNextPage)}</p>
      {rows.hasNextPage ? (
        <p>
          <button type="button" disabled={rows.isFetchingNextPage} onClick={() => void rows.fetchNextPage()}>
            {rows.isFetchingNextPage ? WORDS.moreLoading : WORDS.more}
          </button>
        </p>
      ) : null}
    </>
  )
}

interface RowProps {
  readonly item: ReviewRow
  readonly now: number
  readonly me: string
  readonly canReview: boolean
  readonly canRelease: boolean
}

function Row({ item, now, me, canReview, canRelease }: RowProps) {
  const { id, excerpt, group, createdAt, source, reason, status, assignee } = item
  const isOthers = assignee !== null && assignee !== me
  return (
    <tr>
      <td className="age">
        <time dateTime={new Date(createdAt).toISOString()} title={new Date(createdAt).toLocaleString()}>
          {TEXT.queue.age(now - createdAt)}
        </time>
      </td>
      <td className="long">
        {excerpt === null ? <span className="soft">{WORDS.noText}</span> : <DataText text={excerptText(excerpt)} />}
      </td>
      <td data-name={WORDS.columns.group}>
        {group === null ? <span className="soft">–</span> : <DataText text={group} />}
      </td>
      <td data-name={WORDS.columns.source}>
        {source === null ? <span className="soft">{WORDS.hidden}</span> : TEXT.queue.source[source]}
        {reason === null ? null : (
          <span className="interval block">
            <DataText text={TEXT.parts.reasons[reason] ?? reason} />
          </span>
        )}
      </td>
      <td data-name={WORDS.columns.status}>{WORDS.statuses[status]}</td>
      <td data-name={WORDS.columns.with}>
        <Holder item={item} me={me} />
        {canRelease && isOthers && status === 'waiting' ? <Release reviewer={assignee} /> : null}
      </td>
      {canReview ? (
        <td className="claim">
          {status === 'waiting' && !isOthers ? (
            <a href={linkTo('review', ['item', id])}>
              {WORDS.claim}
              <span className="hidden">: {excerpt === null ? id : <DataText text={excerpt} />}</span>
            </a>
          ) : (
            <span className="soft">–</span>
          )}
        </td>
      ) : null}
    </tr>
  )
}

/** The server sends the first letters only. */
function excerptText(excerpt: string): string {
  return excerpt.length < EXCERPT ? excerpt : `${excerpt}…`
}

function Holder({ item: { status, assignee, lockedUntil }, me }: { readonly item: ReviewRow; readonly me: string }) {
  if (assignee === null) return <span className="soft">{status === 'waiting' ? WORDS.free : '–'}</span>
  return (
    <>
      {assignee === me ? WORDS.you : <DataText text={assignee} />}
      {lockedUntil === null ? null : (
        <span className="interval block">
          {WORDS.until} <Moment at={lockedUntil} />
        </span>
      )}
    </>
  )
}

/** Puts every item that this person claimed back into the queue. */
function Release({ reviewer }: { readonly reviewer: string }) {
  const client = useQueryClient()
  const releasing = useMutation({
    mutationFn: () => ask<ReleasedClaims>('/v1/claims/release', { method: 'POST', body: { reviewer } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['reviews'] }),
  })
  return (
    <span className="block">
      <button type="button" disabled={releasing.isPending} onClick={() => releasing.mutate()}>
        {WORDS.release} <DataText text={reviewer} />
      </button>
      {releasing.isError ? <span role="alert">{releasing.error.message}</span> : null}
    </span>
  )
}
