import type { DebateRow } from 'quorate/contract'
import { countText } from 'quorate/figures'
import { useEffect, useState } from 'react'
import { keysRest } from '../../app/keys.tsx'
import { goTo, linkTo, usePlace } from '../../app/router.ts'
import { BoundBar } from '../../parts/bound-bar.tsx'
import { DataText } from '../../parts/data-text.tsx'
import { ExportLink } from '../../parts/export-link.tsx'
import { Mark } from '../../parts/mark.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Empty, Failure, Loading } from '../../parts/page-states.tsx'
import { Term } from '../../parts/term.tsx'
import { TEXT } from '../../text/english.ts'
import { DebateFilter } from './debate-filter.tsx'
import { type Filter, filterOf, useDebates, useSummary } from './debates-queries.ts'
import { DecisionMark } from './decision-mark.tsx'
import { MarkedText } from './marked-text.tsx'
import { Peek } from './peek.tsx'
import { SaveView } from './save-view.tsx'
import { ScoreHistogram } from './score-histogram.tsx'
import { VoteCells } from './vote-cells.tsx'

const VIEWS: readonly (readonly [string, Filter])[] = [
  ['All', {}],
  ['Acted and wrong', { outcome: 'wrong' }],
  ['Deferred', { kind: 'defer' }],
  ['Spot checks', { sampled: 'true' }],
  ['No label', { outcome: 'unlabelled' }],
]

/** Which debates are like this, and what happened in one? */
export function DebateList() {
  const { query } = usePlace()
  const filter = filterOf(query)
  const debates = useDebates(filter)
  const rows = debates.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <>
      <div className="head">
        <h1>{TEXT.debates.title}</h1>
        <nav className="tabs" aria-label="Views">
          {VIEWS.map(([name, view]) => (
            <a
              key={name}
              href={linkTo('debates', [], view as Record<string, string>)}
              aria-current={isSame(filter, view) ? 'page' : undefined}
            >
              {name}
            </a>
          ))}
        </nav>
        <div className="tools">
          <SaveView filter={filter} />
          <ExportLink label="Export" {...(filter.run === undefined ? {} : { run: filter.run })} />
        </div>
      </div>
      <Split rows={rows} filter={filter}>
        <DebateFilter filter={filter} takesFocus={query.get('focus') === 'search'} />
        <Histogram filter={filter} />
        {debates.data === undefined ? (
          debates.isError ? (
            <Failure error={debates.error} again={() => void debates.refetch()} />
          ) : (
            <Loading what={TEXT.debates.what} />
          )
        ) : rows.length === 0 ? (
          <NoDebates filter={filter} />
        ) : null}
        {rows.length === 0 ? null : (
          <p className="more" aria-live="polite">
            {TEXT.debates.shown(countText(rows.length), !debates.hasNextPage)}{' '}
            {debates.hasNextPage ? (
              <button type="button" disabled={debates.isFetchingNextPage} onClick={() => void debates.fetchNextPage()}>
                {debates.isFetchingNextPage ? TEXT.debates.moreLoading : TEXT.debates.more}
              </button>
            ) : null}
          </p>
        )}
        {debates.isError && rows.length > 0 ? (
          <Failure error={debates.error} again={() => void debates.fetchNextPage()} />
        ) : null}
      </Split>
    </>
  )
}

function isSame(filter: Filter, view: Filter): boolean {
  const entries = (one: Filter) => JSON.stringify(Object.entries(one).sort())
  return entries(filter) === entries(view)
}

function Histogram({ filter }: { readonly filter: Filter }) {
  const summary = useSummary(filter).data
  if (summary === undefined || summary.debates === 0) return null
  return (
    <>
      <ScoreHistogram summary={summary} />
      <p className="small soft">
        {summary.isCut ? 'The latest ' : ''}
        {countText(summary.debates)} {summary.debates === 1 ? 'debate' : 'debates'}
        {filter.q === undefined ? null : (
          <>
            {' '}
            {summary.debates === 1 ? 'contains' : 'contain'} “<DataText text={filter.q} />”
          </>
        )}
        . Newest first.
      </p>
    </>
  )
}

interface SplitProps {
  readonly rows: readonly DebateRow[]
  readonly filter: Filter
  readonly children: React.ReactNode
}

/** The list, and beside it one debate of it to peek at. */
function Split({ rows, filter, children }: SplitProps) {
  const [at, setAt] = useState<string | null>(null)
  const [isPeeking, setPeeking] = useState(true)
  const index = rows.findIndex((row) => keyOf(row) === at)
  const chosen = rows[index]
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (localStorage.getItem('quorate-review-keys') === 'off' || keysRest(event)) return
      const { key, target } = event
      const isOnControl = target instanceof HTMLElement && target.closest('a, button, summary, input') !== null
      if (key === 'j' || key === 'k') {
        const next = rows[Math.max(0, Math.min(rows.length - 1, key === 'j' ? index + 1 : index - 1))]
        if (next === undefined) return
        setAt(keyOf(next))
        document.getElementById(`row-${keyOf(next)}`)?.scrollIntoView({ block: 'nearest' })
      } else if (key === ' ' && chosen !== undefined && !isOnControl) setPeeking(!isPeeking)
      else if (key === 'Enter' && chosen !== undefined && !isOnControl) {
        goTo(linkTo('debates', [chosen.runId, chosen.questionId]))
      } else if (key === 'Escape' && chosen !== undefined) setAt(null)
      else if (key === 'f') document.querySelector<HTMLElement>('.find select')?.focus()
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  })
  const [controls, histogram, ...rest] = Array.isArray(children) ? children : [children]
  const isOpen = chosen !== undefined && isPeeking
  return (
    <div className={`split ${isOpen ? 'is-open' : ''}`}>
      <div className="list">
        {controls}
        {histogram}
        {rows.length === 0 ? null : <DebateTable rows={rows} words={filter.q ?? ''} at={at} choose={setAt} />}
        {rest}
      </div>
      {isOpen ? <Peek key={keyOf(chosen)} row={chosen} close={() => setAt(null)} /> : null}
    </div>
  )
}

function keyOf({ runId, questionId }: DebateRow): string {
  return JSON.stringify([runId, questionId])
}

function NoDebates({ filter }: { readonly filter: Filter }) {
  if (Object.keys(filter).length > 0) {
    return (
      <Empty title={filter.q === undefined ? TEXT.debates.noneFits : `No debate contains “${filter.q}”.`}>
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

interface DebateTableProps {
  readonly rows: readonly DebateRow[]
  readonly words: string
  readonly at: string | null
  readonly choose: (key: string) => void
}

function DebateTable({ rows, words, at, choose }: DebateTableProps) {
  return (
    <table className="rows">
      <colgroup>
        <col className="is-decision" />
        <col />
        <col className="is-votes" />
        <col className="is-score" />
        <col className="is-label" />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">Decision</th>
          <th scope="col">Question</th>
          <th scope="col">Rounds</th>
          <th scope="col">
            Score,{' '}
            <Term name="threshold" opensLeft>
              threshold
            </Term>
          </th>
          <th scope="col">Label</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const key = keyOf(row)
          return (
            <tr key={key} id={`row-${key}`} className={key === at ? 'is-chosen' : ''} onClick={() => choose(key)}>
              <td className="decision">
                <DecisionMark row={row} />
              </td>
              <th scope="row" className="question">
                <a className="cut" href={linkTo('debates', [row.runId, row.questionId])}>
                  {row.excerpt === null ? (
                    <span className="soft">{TEXT.debates.redacted}</span>
                  ) : (
                    <MarkedText text={row.excerpt} words={words} />
                  )}
                </a>
                <span className="interval cut">
                  <DataText text={row.questionId} />
                  {row.group === null ? null : (
                    <>
                      , <DataText text={row.group} />
                    </>
                  )}
                  , <Moment at={row.at} />
                </span>
              </th>
              <td className="panel">
                <VoteCells row={row} />
              </td>
              <td className="score">
                {row.isHidden ? null : (
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
              <td className="label">
                <LabelCell row={row} />
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function LabelCell({ row: { isHidden, gold, kind, answer, isSpotCheck } }: { readonly row: DebateRow }) {
  if (isHidden) return <span className="soft">in review</span>
  const source = isSpotCheck === true ? <span className="interval">{TEXT.debates.isSpotCheck}</span> : null
  if (gold === null) {
    return (
      <>
        <span className="faint">no label</span>
        {source}
      </>
    )
  }
  if (kind !== 'act') {
    return (
      <>
        <DataText text={gold} />
        {source}
      </>
    )
  }
  return (
    <>
      {gold === answer ? (
        <span>
          <Mark name="right" /> right
        </span>
      ) : (
        <span className="text-wrong">
          <Mark name="wrong" /> wrong
        </span>
      )}
      {source}
    </>
  )
}
