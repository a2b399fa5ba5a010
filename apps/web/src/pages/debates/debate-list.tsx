import type { DebateRow } from 'quorate/contract'
import { countText } from 'quorate/figures'
import { useState } from 'react'
import { goTo, linkTo, usePlace } from '../../app/router.ts'
import { useRowKeys } from '../../app/row-keys.ts'
import { DataText } from '../../parts/data-text.tsx'
import { ExportLink } from '../../parts/export-link.tsx'
import { Empty, Failure, Loading } from '../../parts/page-states.tsx'
import { BulkBar, useBulk } from './bulk-bar.tsx'
import { DebateFilter } from './debate-filter.tsx'
import { DebateTable, keyOf } from './debate-table.tsx'
import {
  changed,
  type Filter,
  type FilterName,
  filterOf,
  isSameFilter,
  sentFilter,
  useDebates,
  useSummary,
} from './debates-queries.ts'
import { Peek } from './peek.tsx'
import { SaveView } from './save-view.tsx'
import { ScoreHistogram } from './score-histogram.tsx'

const VIEWS: readonly (readonly [string, Filter])[] = [
  ['All', {}],
  ['Acted and wrong', { outcome: 'wrong' }],
  ['Deferred', { kind: 'defer' }],
  ['Just below the threshold', { from: '-0.06', to: '0' }],
  ['No label', { outcome: 'unlabelled' }],
]
/** This tab is shown only if there are such debates. */
const UNDECIDED: Filter = { decided: 'false' }

/** Answers: which debates match, and what happened in one of them? */
export function DebateList() {
  const { query } = usePlace()
  const filter = filterOf(query)
  const summary = useSummary(filter).data
  const hasUndecided = (useSummary(UNDECIDED).data?.debates ?? 0) > 0
  return (
    <>
      <div className="head">
        <h1>Debates</h1>
        <nav className="tabs" aria-label="Views">
          {VIEWS.map(([name, view]) => (
            <ViewTab
              key={name}
              name={name === 'All' && hasUndecided ? 'All decided' : name}
              view={view}
              isOpen={isSameFilter(filter, view)}
            />
          ))}
          <ViewTab name="Without a decision" view={UNDECIDED} isOpen={isSameFilter(filter, UNDECIDED)} isOptional />
        </nav>
        <div className="tools">
          <SaveView filter={filter} />
          <ExportLink
            label="Export"
            filter={sentFilter(filter)}
            answers={summary?.answers}
            isCut={summary?.isCut === true}
          />
        </div>
      </div>
      <Found filter={filter} takesFocus={query.get('focus') === 'search'} />
    </>
  )
}

interface ViewTabProps {
  readonly name: string
  readonly view: Filter
  readonly isOpen: boolean
  readonly isOptional?: boolean
}

function ViewTab({ name, view, isOpen, isOptional = false }: ViewTabProps) {
  const summary = useSummary(view).data
  if (isOptional && !isOpen && (summary?.debates ?? 0) === 0) return null
  return (
    <a href={linkTo('debates', [], { ...view })} aria-current={isOpen ? 'page' : undefined}>
      {name}{' '}
      {summary === undefined ? null : (
        <span className="count">
          {countText(summary.debates)}
          {summary.isCut ? '+' : ''}
        </span>
      )}
    </a>
  )
}

/** The list of debates, with a preview of one beside it. */
function Found({ filter, takesFocus }: { readonly filter: Filter; readonly takesFocus: boolean }) {
  const debates = useDebates(filter)
  const rows = debates.data?.pages.flatMap(({ items }) => items) ?? []
  const bulk = useBulk()
  const list = useDebateKeys(rows, bulk)
  const { chosen, isPeeking, selected, select } = list
  const isOpen = chosen !== undefined && isPeeking
  return (
    <div className={`split ${isOpen ? 'is-open' : ''}`}>
      <div className="list">
        <DebateFilter filter={filter} takesFocus={takesFocus} />
        <Histogram filter={filter} />
        {rows.length === 0 ? null : (
          <DebateTable
            rows={rows}
            words={filter.q ?? ''}
            at={chosen === undefined ? null : keyOf(chosen)}
            choose={list.choose}
            selected={selected}
            select={select}
          />
        )}
        {debates.data === undefined ? (
          debates.isError ? (
            <Failure error={debates.error} again={() => void debates.refetch()} />
          ) : (
            <Loading what="debates" />
          )
        ) : rows.length === 0 ? (
          <NoDebates filter={filter} />
        ) : (
          <p className="more" aria-live="polite">
            {debates.hasNextPage ? `${countText(rows.length)} shown.` : `All ${countText(rows.length)} shown.`}{' '}
            {debates.hasNextPage ? (
              <button type="button" disabled={debates.isFetchingNextPage} onClick={() => void debates.fetchNextPage()}>
                {debates.isFetchingNextPage ? 'Loading more …' : 'More'}
              </button>
            ) : null}
          </p>
        )}
        {debates.isError && rows.length > 0 ? (
          <Failure error={debates.error} again={() => void debates.fetchNextPage()} />
        ) : null}
        <BulkBar rows={rows.filter((row) => selected.has(keyOf(row)))} bulk={bulk} clear={list.clear} />
      </div>
      {isOpen ? <Peek key={keyOf(chosen)} row={chosen} close={() => list.choose(null)} /> : null}
    </div>
  )
}

/** Adds to the keys of every list: Space previews, F filters, S sends the selected debates to review, A assigns them. */
function useDebateKeys(rows: readonly DebateRow[], bulk: ReturnType<typeof useBulk>) {
  const [isPeeking, setPeeking] = useState(true)
  const byKey = new Map(rows.map((row) => [keyOf(row), row]))
  const list = useRowKeys({
    keys: [...byKey.keys()],
    open: (key) => {
      const row = byKey.get(key)
      if (row !== undefined) goTo(linkTo('debates', [row.runId, row.questionId]))
    },
    also: {
      ' ': (isOnControl) => {
        if (chosen === undefined || isOnControl) return false
        setPeeking(!isPeeking)
        return true
      },
      f: () => {
        document.querySelector<HTMLElement>('.find .add-filter')?.focus()
        return true
      },
      s: () => {
        const selected = rows.filter((row) => list.selected.has(keyOf(row)))
        if (!bulk.canSend || selected.length === 0) return false
        bulk.send(selected)
        return true
      },
      a: () => {
        if (!bulk.canAssign || list.selected.size === 0) return false
        bulk.setAssigning(true)
        return true
      },
    },
  })
  const chosen = list.at === null ? undefined : byKey.get(list.at)
  return { ...list, chosen, isPeeking }
}

function Histogram({ filter }: { readonly filter: Filter }) {
  const summary = useSummary(filter).data
  const left = useLeftOut(filter)
  if (summary === undefined) return <div className="skeleton is-histogram" aria-hidden="true" />
  if (summary.debates === 0) return null
  const drag = (from: number, to: number) =>
    goTo(linkTo('debates', [], { ...filter, from: from.toFixed(2), to: to.toFixed(2) }))
  return (
    <>
      <ScoreHistogram summary={summary} choose={drag} />
      <p className="small soft">
        {summary.isCut ? 'The latest ' : ''}
        {countText(summary.debates)} {summary.debates === 1 ? 'debate' : 'debates'}
        {filter.q === undefined ? null : (
          <>
            {' '}
            {summary.debates === 1 ? 'contains' : 'contain'} “<DataText text={filter.q} />”
          </>
        )}
        {summary.undecided === 0 ? '' : `, ${countText(summary.undecided)} of them debated without a decision`}.{' '}
        {summary.hidden === 0
          ? ''
          : `${countText(summary.hidden)} of them ${summary.hidden === 1 ? 'waits' : 'wait'} for review. Until then it is hidden whether they were acted on or deferred. `}
        {left === 0
          ? ''
          : `${countText(left)} that ${left === 1 ? 'waits' : 'wait'} for review ${left === 1 ? 'is' : 'are'} in no such filter. `}
        Newest first.
      </p>
    </>
  )
}

const REVEALING: readonly FilterName[] = ['kind', 'outcome', 'reason', 'status', 'sampled', 'from', 'to']

/**
 * How many hidden debates the filter leaves out. A hidden debate matches no filter that would reveal its decision, so they are
 * counted without such filters.
 */
function useLeftOut(filter: Filter): number {
  const others = Object.entries(filter).filter(([name]) => !REVEALING.some((one) => one === name))
  const hidden = useSummary(Object.fromEntries(others)).data?.hidden ?? 0
  return others.length === Object.keys(filter).length ? 0 : hidden
}

function NoDebates({ filter }: { readonly filter: Filter }) {
  const suggestion = useSummary(filter).data?.suggestion ?? null
  if (Object.keys(filter).length === 0) {
    return (
      <Empty title="No debate is stored yet">
        <p>Ask the panel on the page Runs or over HTTP, send your own debates (POST /v1/certify), or run:</p>
        <pre>quorate decide questions.jsonl --certificate certificate.json</pre>
      </Empty>
    )
  }
  return (
    <Empty title={filter.q === undefined ? 'No debate fits this filter' : `No debate contains “${filter.q}”.`}>
      <p>
        {suggestion === null ? null : (
          <>
            Did you mean{' '}
            <a href={linkTo('debates', [], changed(filter, 'q', suggestion.q))}>
              <DataText text={suggestion.q} />
            </a>{' '}
            ({countText(suggestion.debates)})? Or{' '}
          </>
        )}
        <a href={linkTo('debates')}>{suggestion === null ? 'Clear all filters' : 'clear the filters'}</a>.
      </p>
    </Empty>
  )
}
