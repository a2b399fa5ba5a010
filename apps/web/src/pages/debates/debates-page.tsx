import { usePlace } from '../../app/router.ts'
import { DebateList } from './debate-list.tsx'
import { DebatePage } from './debate-page.tsx'
import '../../style/blocks.css'
import './debates.css'

/** #/debates is the list, #/debates/RUN/QUESTION one debate. */
export function DebatesPage() {
  const { rest } = usePlace()
  const [runId, questionId] = rest
  if (runId === undefined || questionId === undefined) return <DebateList />
  return <DebatePage key={JSON.stringify([runId, questionId])} runId={runId} questionId={questionId} />
}
