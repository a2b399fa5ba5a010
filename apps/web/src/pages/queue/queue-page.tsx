import { useSession } from '../../api/queries.ts'
import { usePlace } from '../../app/router.ts'
import { QueueList } from './queue-list.tsx'
import { ReviewPage } from './review-page.tsx'
import { MayNotReview } from './review-states.tsx'
import './queue.css'

/** #/review is the next item, #/review/item/ID or #/review/ID a certain one, #/review/list all of them. */
export function QueuePage() {
  const session = useSession()
  const { rest } = usePlace()
  const [first = '', id = ''] = rest
  if (session.data === undefined) return null
  if (first === 'list') return <QueueList session={session.data} />
  const { role, kind } = session.data
  if (role === 'viewer' || kind === 'machine') return <MayNotReview role={role} kind={kind} />
  const wanted = first === 'item' ? id : first
  return <ReviewPage session={session.data} wanted={wanted === '' ? null : wanted} />
}
