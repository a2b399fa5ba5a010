import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ChangedReviews, Page, ReviewRow, SessionView } from 'quorate/contract'
import { countText } from 'quorate/figures'
import { useState } from 'react'
import { request } from '../../api/client.ts'
import { goTo, linkTo, usePlace } from '../../app/router.ts'
import { useRowKeys } from '../../app/row-keys.ts'
import { AssignDialog, changedText, usePeople } from '../../parts/assign-dialog.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Empty, Failure, Loading } from '../../parts/page-states.tsx'
import { ScrollRegion } from '../../parts/scroll-region.tsx'
import { Agreement } from './agreement.tsx'
import { QueueRow } from './queue-row.tsx'
import '../../style/blocks.css'

const STATUSES = ['waiting', 'submitted', 'retracted'] as const
const NOBODY = '-'
const COLUMNS = ['Age', 'Question', 'Group', 'Source', 'Status', 'Due', 'Assigned to', 'Reviewer'] as const

/** The queue by age, to find an item or to assign items to reviewers. */
export function QueueList({ session }: { readonly session: SessionView }) {
  const { query } = usePlace()
  const wanted = query.get('status') ?? 'waiting'
  const status = STATUSES.find((one) => one === wanted) ?? null
  const person = query.get('assigned')
  const rows = useRows(status, person)
  const isHuman = session.kind === 'human'
  const canReview = session.role !== 'viewer' && isHuman
  const isLead = session.role === 'admin' && isHuman
  const people = usePeople(isLead)
  const show = (change: { readonly status?: string; readonly assigned?: string }) => {
    const next = { status: wanted, ...(person === null ? {} : { assigned: person }), ...change }
    goTo(linkTo('review', ['list'], Object.fromEntries(Object.entries(next).filter(([, value]) => value !== ''))))
  }
  return (
    <section className="queue-list">
      <PageHead
        title="All items of the queue"
        tools={
          canReview ? (
            <a className="button" href={linkTo('review')}>
              Review
            </a>
          ) : undefined
        }
      />
      <div className="body">
        <div className="list-tools">
          <label>
            Status{' '}
            <select value={status ?? 'any'} onChange={(event) => show({ status: event.target.value })}>
              {STATUSES.map((one) => (
                <option key={one}>{one}</option>
              ))}
              <option>any</option>
            </select>
          </label>
          <label>
            Assigned to{' '}
            <select value={person ?? ''} onChange={(event) => show({ assigned: event.target.value })}>
              <option value="">all</option>
              {canReview ? <option value={session.name}>you</option> : null}
              {people
                .filter((name) => name !== session.name)
                .map((name) => (
                  <option key={name}>{name}</option>
                ))}
              <option value={NOBODY}>nobody</option>
            </select>
          </label>
        </div>
        <Rows rows={rows} isOfPerson={person !== null} me={session.name} canReview={canReview} isLead={isLead} />
        <Agreement />
      </div>
    </section>
  )
}

function useRows(status: ReviewRow['status'] | null, person: string | null) {
  return useInfiniteQuery({
    queryKey: ['reviews', status, person],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ limit: '50', ...(status === null ? {} : { status }) })
      if (person !== null) query.set('assignedTo', person)
      if (pageParam !== null) query.set('cursor', pageParam)
      return request<Page<ReviewRow>>(`/v1/reviews?${query}`, { signal })
    },
    initialPageParam: null as string | null, // later pages have a cursor
    getNextPageParam: ({ next }) => next,
    refetchInterval: 15_000,
  })
}

interface RowsProps {
  readonly rows: ReturnType<typeof useRows>
  /** The list is limited to the items of one person, or to unassigned ones. */
  readonly isOfPerson: boolean
  readonly me: string
  readonly canReview: boolean
  /** An administrator, who assigns items and puts back those that others have claimed. */
  readonly isLead: boolean
}

function Rows({ rows, isOfPerson, me, canReview, isLead }: RowsProps) {
  const items = rows.data?.pages.flatMap((page) => page.items) ?? []
  const [isAssigning, setAssigning] = useState(false)
  const [news, setNews] = useState('')
  const list = useRowKeys({
    keys: items.map(({ id }) => id),
    open: (id) => goTo(linkTo('review', ['item', id])),
    also: {
      a: () => withSelected(() => setAssigning(true)),
      p: () => withSelected((ids) => release.mutate(ids)),
    },
  })
  const release = useRelease(setNews)
  function withSelected(run: (ids: readonly string[]) => void): boolean {
    const ids = [...list.selected]
    if (isLead && ids.length > 0) run(ids)
    return isLead && ids.length > 0
  }
  if (rows.isPending) return <Loading what="the queue" />
  if (rows.isError) return <Failure error={rows.error} again={() => void rows.refetch()} />
  if (items.length === 0) {
    return (
      <Empty title={isOfPerson ? 'No item of this status is assigned like this' : 'No item of this status'}>
        <p>The queue fills as the panel defers questions and spot checks are sampled.</p>
      </Empty>
    )
  }
  const ids = items.map(({ id }) => id)
  const isAll = ids.every((id) => list.selected.has(id))
  return (
    <>
      <ScrollRegion name="All items of the queue">
        <table className="stacked">
          <caption>Oldest first. An unclaimed item may become blind, so its source is not shown.</caption>
          <thead>
            <tr>
              {isLead ? (
                <th scope="col">
                  <input
                    type="checkbox"
                    aria-label="Select all shown"
                    checked={isAll}
                    onChange={() => list.select(ids, !isAll)}
                  />
                </th>
              ) : null}
              {COLUMNS.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
              {canReview ? <th scope="col">Claim</th> : null}
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <QueueRow
                key={item.id}
                item={item}
                me={me}
                canReview={canReview}
                isAt={list.at === item.id}
                {...(isLead
                  ? { isSelected: list.selected.has(item.id), select: (is: boolean) => list.select([item.id], is) }
                  : {})}
              />
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <p className="soft after">
        {rows.hasNextPage ? `${countText(items.length)} shown.` : `All ${countText(items.length)} shown.`}
      </p>
      {rows.hasNextPage ? (
        <p>
          <button type="button" disabled={rows.isFetchingNextPage} onClick={() => void rows.fetchNextPage()}>
            {rows.isFetchingNextPage ? 'Loading more …' : 'More'}
          </button>
        </p>
      ) : null}
      <p role="status">{news}</p>
      {list.selected.size === 0 ? null : (
        <section className="bulk" aria-label="Selected items">
          <strong aria-live="polite">{countText(list.selected.size)} selected</strong>
          <button type="button" onClick={() => setAssigning(true)}>
            Assign … <kbd>A</kbd>
          </button>
          <button type="button" disabled={release.isPending} onClick={() => release.mutate([...list.selected])}>
            Put back <kbd>P</kbd>
          </button>
          <button type="button" className="quiet" onClick={list.clear}>
            Clear <kbd>Esc</kbd>
          </button>
        </section>
      )}
      <AssignDialog
        of={{ ids: [...list.selected] }}
        count={list.selected.size}
        isOpen={isAssigning}
        close={() => setAssigning(false)}
        done={setNews}
      />
    </>
  )
}

/** Puts claimed items back into the queue, including those of other reviewers. */
function useRelease(done: (sentence: string) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (ids: readonly string[]) =>
      request<ChangedReviews>('/v1/reviews/release', { method: 'POST', body: { ids } }),
    onSuccess: (changed) => done(changedText(changed, 'put back')),
    onError: (error) => done(error.message),
    onSettled: () => client.invalidateQueries({ queryKey: ['reviews'] }),
  })
}
