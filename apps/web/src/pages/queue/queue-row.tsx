import type { ReviewRow } from 'quorate/contract'
import { deferText } from 'quorate/record'
import { linkTo } from '../../app/router.ts'
import { DataText } from '../../parts/data-text.tsx'
import { Moment } from '../../parts/moment.tsx'
import { QUEUE_TEXT } from './queue-words.ts'
import { useNow, useServerAhead } from './session/use-review-session.ts'

/** The server cuts a question to this many letters. */
const EXCERPT = 200

interface QueueRowProps {
  readonly item: ReviewRow
  readonly me: string
  readonly canReview: boolean
  /** The row that the keys act on. */
  readonly isAt: boolean
  readonly isSelected?: boolean
  readonly select?: (isSelected: boolean) => void
}

/** One item of the queue. Without `select` it has no checkbox. */
export function QueueRow({ item, me, canReview, isAt, isSelected = false, select }: QueueRowProps) {
  const now = useNow(30_000) + useServerAhead()
  const { id, excerpt, group, createdAt, source, reason, status, claimedBy, assignedTo, dueAt } = item
  const isOverdue = dueAt !== null && dueAt <= now
  const isOthers = (claimedBy ?? (isOverdue ? null : assignedTo) ?? me) !== me
  return (
    <tr id={`row-${id}`} className={isAt ? 'is-chosen' : ''}>
      {select === undefined ? null : (
        <td className="select">
          <input
            type="checkbox"
            aria-label={`Select ${excerpt ?? id}`}
            checked={isSelected}
            onChange={({ target }) => select(target.checked)}
          />
        </td>
      )}
      <td className="age">
        <time dateTime={new Date(createdAt).toISOString()} title={new Date(createdAt).toLocaleString()}>
          {QUEUE_TEXT.age(now - createdAt)}
        </time>
      </td>
      <td className="long">
        {excerpt === null ? <span className="soft">no text stored</span> : <DataText text={excerptText(excerpt)} />}
      </td>
      <td data-name="Group">{group === null ? <Nothing /> : <DataText text={group} />}</td>
      <td data-name="Source">
        {source === null ? <span className="soft">hidden</span> : QUEUE_TEXT.source[source]}
        {reason === null ? null : (
          <span className="interval block">
            <DataText text={deferText(reason)} />
          </span>
        )}
      </td>
      <td data-name="Status">{status}</td>
      <td data-name="Due">
        {dueAt === null ? <Nothing /> : <Moment at={dueAt} />}
        {isOverdue && status === 'waiting' ? <span className="block text-wrong">overdue</span> : null}
      </td>
      <td data-name="Assigned to">
        {assignedTo === null ? <Nothing /> : assignedTo === me ? 'you' : <DataText text={assignedTo} />}
      </td>
      <td data-name="Reviewer">
        <Reviewer item={item} me={me} />
      </td>
      {canReview ? (
        <td className="claim">
          {status === 'waiting' && !isOthers ? (
            <a href={linkTo('review', ['item', id])}>
              Open
              <span className="hidden">: {excerpt === null ? id : <DataText text={excerpt} />}</span>
            </a>
          ) : (
            <Nothing />
          )}
        </td>
      ) : null}
    </tr>
  )
}

function Nothing() {
  return <span className="soft nothing">–</span>
}

/** The server sends only the beginning of a question. */
function excerptText(excerpt: string): string {
  return excerpt.length < EXCERPT ? excerpt : `${excerpt}…`
}

/** Who has claimed the item and until when, or who reviewed it. */
function Reviewer({
  item: { status, claimedBy, claimedUntil },
  me,
}: {
  readonly item: ReviewRow
  readonly me: string
}) {
  if (claimedBy === null) return status === 'waiting' ? <span className="soft">nobody</span> : <Nothing />
  return (
    <>
      {claimedBy === me ? 'you' : <DataText text={claimedBy} />}
      {claimedUntil === null || status !== 'waiting' ? null : (
        <span className="interval block">
          until <Moment at={claimedUntil} />
        </span>
      )}
    </>
  )
}
