import type { DebateRow } from 'quorate/contract'
import { countText } from 'quorate/figures'
import { linkTo, usePlace } from '../../app/router.ts'
import { BoundBar } from '../../parts/bound-bar.tsx'
import { DataText } from '../../parts/data-text.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Empty, Failure, Loading } from '../../parts/page-states.tsx'
import { Missing } from '../../parts/rate.tsx'
import { TEXT } from '../../text/english.ts'
import { DebateFilter } from './debate-filter.tsx'
import { filterOf, useDebates } from './debates-queries.ts'
import { DecisionMark } from './decision-mark.tsx'

export function DebateList() {
  const filter = filterOf(usePlace().query)
  const debates = useDebates(filter)
  return (
    <>
      <h1>{TEXT.debates.title}</h1>
      <DebateFilter key={JSON.stringify(filter)} filter={filter} />
      {debates.data === undefined ? (
        debates.isError ? (
          <Failure error={debates.error} again={() => void debates.refetch()} />
        ) : (
          <Loading what={TEXT.debates.what} />
        )
      ) : (
        <Found debates={debates} isFiltered={Object.keys(filter).length > 0} />
      )}
    </>
  )
}

type Debates = ReturnType<typeof useDebates>

function Found({ debates, isFiltered }: { readonly debates: Debates; readonly isFiltered: boolean }) {
  const rows = debates.data?.pages.flatMap(({ items }) => items) ?? []
  if (rows.length === 0) return <NoDebates isFiltered={isFiltered} />
  return (
    <div className={debates.isPlaceholderData ? 'passing' : ''}>
      <DebateTable rows={rows} />
      <p className="more" aria-live="polite">
        {TEXT.debates.shown(countText(rows.length), !debates.hasNextPage)}{' '}
        {debates.hasNextPage ? (
          <button type="button" disabled={debates.isFetchingNextPage} onClick={() => void debates.fetchNextPage()}>
            {debates.isFetchingNextPage ? TEXT.debates.moreLoading : TEXT.debates.more}
          </button>
        ) : null}
      </p>
      {debates.isError ? <Failure error={debates.error} again={() => void debates.fetchNextPage()} /> : null}
    </div>
  )
}

function NoDebates({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <Empty title={TEXT.debates.noneFits}>
        <p>
          <a href={linkTo('debates')}>{TEXT.debates.clear}</a>
        </p>
      </Empty>
    )
  }
  return (
    <Empty title={TEXT.debates.empty}>
      <p>{TEXT.debates.emptyNext}</p>
      <pre>{TEXT.debates.emptyCommand}</pre>
    </Empty>
  )
}

function DebateTable({ rows }: { readonly rows: readonly DebateRow[] }) {
  const columns = TEXT.debates.columns
  return (
    <table className="stacked debate-table">
      <caption>{TEXT.debates.caption}</caption>
      <thead>
        <tr>
          <th scope="col">{columns.decision}</th>
          <th scope="col">{columns.question}</th>
          <th scope="col">{columns.bound}</th>
          <th scope="col" className="number">
            {columns.round}
          </th>
          <th scope="col">{columns.group}</th>
          <th scope="col">{columns.at}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={JSON.stringify([row.runId, row.questionId])} row={row} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ row }: { readonly row: DebateRow }) {
  return (
    <tr className={row.isHidden ? 'unseen' : ''}>
      <td className="decision">
        <DecisionMark row={row} />
      </td>
      <th scope="row">
        <a className="excerpt" href={linkTo('debates', [row.runId, row.questionId])}>
          {row.excerpt === null ? (
            <span className="soft">{TEXT.debates.redacted}</span>
          ) : (
            <DataText text={row.excerpt} />
          )}
        </a>
        <span className="interval facts">
          <DataText text={row.questionId} />
          {row.isSpotCheck ? <span>{TEXT.debates.isSpotCheck}</span> : null}
          {row.gold === null ? null : (
            <span>
              {TEXT.debates.rightIs} <DataText text={row.gold} />
            </span>
          )}
        </span>
      </th>
      <td className="bound">
        {row.isHidden ? (
          <Missing why={TEXT.debates.hiddenBound} />
        ) : (
          <>
            <BoundBar bound={row.bound} threshold={row.threshold} />
            {row.boundRound === null ? null : (
              <span className="interval">
                {TEXT.debates.boundOf[row.kind === 'act' ? 'act' : 'defer'](row.boundRound)}
              </span>
            )}
          </>
        )}
      </td>
      <td className="number" data-name={TEXT.debates.columns.round}>
        {row.rounds ?? <span className="soft">–</span>}
      </td>
      <td className="group">{row.group === null ? <span className="soft">–</span> : <DataText text={row.group} />}</td>
      <td className="when">
        <Moment at={row.at} />
      </td>
    </tr>
  )
}
