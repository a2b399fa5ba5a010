import type { DebateRow } from 'quorate/contract'
import { visibleText } from 'quorate/figures'
import { linkTo } from '../../app/router.ts'
import { BoundBar } from '../../parts/bound-bar.tsx'
import { DataText } from '../../parts/data-text.tsx'
import { Mark } from '../../parts/mark.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Term } from '../../parts/term.tsx'
import { DecisionMark } from './decision-mark.tsx'

export function keyOf({ runId, questionId }: DebateRow): string {
  return JSON.stringify([runId, questionId])
}

interface DebateTableProps {
  readonly rows: readonly DebateRow[]
  /** The search words, which are highlighted. */
  readonly words: string
  readonly at: string | null
  readonly choose: (key: string) => void
  readonly selected: ReadonlySet<string>
  readonly select: (keys: readonly string[], isSelected: boolean) => void
}

/** One row per debate: decision, question, answers by round, score and label. */
export function DebateTable({ rows, words, at, choose, selected, select }: DebateTableProps) {
  const all = rows.map(keyOf)
  const isAll = all.length > 0 && all.every((key) => selected.has(key))
  return (
    <table className="rows">
      <colgroup>
        <col className="is-select" />
        <col className="is-decision" />
        <col />
        <col className="is-votes" />
        <col className="is-score" />
        <col className="is-label" />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">
            <input type="checkbox" aria-label="Select all shown" checked={isAll} onChange={() => select(all, !isAll)} />
          </th>
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
              <td className="select">
                <input
                  type="checkbox"
                  aria-label={`Select ${row.questionId}`}
                  checked={selected.has(key)}
                  onClick={(event) => event.stopPropagation()}
                  onChange={({ target }) => select([key], target.checked)}
                />
              </td>
              <td className="decision">
                <DecisionMark row={row} />
              </td>
              <QuestionCell row={row} words={words} />
              <td className="panel">
                <VoteCells row={row} />
              </td>
              <td className="score">
                <ScoreCell row={row} />
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

function QuestionCell({ row, words }: { readonly row: DebateRow; readonly words: string }) {
  const { runId, questionId, excerpt, group, at } = row
  return (
    <th scope="row" className="question">
      <a className="cut" href={linkTo('debates', [runId, questionId])}>
        {excerpt === null ? (
          <span className="soft">text redacted or not known</span>
        ) : (
          <MarkedText text={excerpt} words={words} />
        )}
      </a>
      <span className="interval cut">
        <MarkedText text={questionId} words={words} />
        {group === null ? null : (
          <>
            , <DataText text={group} />
          </>
        )}
        , <Moment at={at} />
      </span>
    </th>
  )
}

function ScoreCell({ row: { isHidden, kind, score, needs } }: { readonly row: DebateRow }) {
  if (isHidden) return null
  if (score === null || needs === null) return <span className="faint">no score</span>
  return <BoundBar bound={score} threshold={needs} isPair {...(kind === null ? {} : { kind })} />
}

const GRADES = { right: 'right', wrong: 'wrong', 'cannot-tell': 'cannot tell' } as const

function LabelCell({
  row: { isHidden, gold, goldText, grade, kind, answer, isSpotCheck, isLabelled, isWaiting },
}: {
  readonly row: DebateRow
}) {
  if (isHidden || (isWaiting === true && !isLabelled)) return <span className="soft">in review</span>
  const source = isSpotCheck === true ? <span className="interval">spot check</span> : null
  if (gold === null && (goldText !== undefined || grade !== undefined)) {
    return (
      <>
        {goldText === undefined ? null : <DataText text={goldText} />}
        {grade === undefined ? null : <span className="interval">graded {GRADES[grade]}</span>}
      </>
    )
  }
  if (gold === null) {
    return (
      <>
        {!isLabelled ? (
          <span className="faint">no label</span>
        ) : kind === 'act' ? (
          <span className="text-wrong">
            <Mark name="wrong" /> cannot tell
          </span>
        ) : (
          'cannot tell'
        )}
        {source}
      </>
    )
  }
  if (kind !== 'act') {
    return (
      <>
        <DataText text={goldText ?? gold} />
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

/** A text from outside with the search words highlighted. No markup in it is interpreted. */
function MarkedText({ text, words }: { readonly text: string; readonly words: string }) {
  const shown = visibleText(text)
  const found = words === '' ? -1 : shown.toLowerCase().indexOf(words.toLowerCase())
  return (
    <bdi className="data-text">
      {found < 0 ? (
        shown
      ) : (
        <>
          {shown.slice(0, found)}
          <mark>{shown.slice(found, found + words.length)}</mark>
          {shown.slice(found + words.length)}
        </>
      )}
    </bdi>
  )
}

const CELL = 13
const GAP = 4
const HEIGHT = 6

/** A column per round and a row per agent: filled for the panel's answer, empty for another, a dot for none. */
function VoteCells({ row: { votes, kind } }: { readonly row: DebateRow }) {
  if (votes === null || votes.length === 0) return null
  const agents = Math.max(...votes.map((round) => round.length))
  const width = votes.length * (CELL + GAP)
  const height = agents * (HEIGHT + 3) + 4
  const words = votes
    .map((round, index) => `round ${index + 1}: ${round.filter((vote) => vote === 'same').length} of ${round.length}`)
    .join(', ')
  return (
    <svg
      className="votes"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={words}
    >
      <title>{words}</title>
      {votes.flatMap((round, column) =>
        round.map((vote, index) => {
          const place = [column, index].join(' ')
          const [x, y] = [column * (CELL + GAP) + 1, index * (HEIGHT + 3) + 1]
          return vote === 'none' ? (
            <circle key={place} className="is-none" cx={x + CELL / 2} cy={y + HEIGHT / 2} r="1.5" />
          ) : (
            <rect key={place} className={`is-${vote}`} x={x} y={y} width={CELL - 2} height={HEIGHT - 1} rx="1" />
          )
        }),
      )}
      {kind === null ? null : (
        <line
          className={`stop is-${kind}`}
          x1={width - CELL - GAP + 1}
          x2={width - GAP - 1}
          y1={height - 1}
          y2={height - 1}
        />
      )}
    </svg>
  )
}
