import { linkTo, usePlace } from '../../app/router.ts'
import { DataText } from '../../parts/data-text.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { DebateList } from './debate-list.tsx'
import { DebatePage } from './debate-page.tsx'
import '../../style/blocks.css'
import './debates.css'

/** #/debates is the list, #/debates/RUN/QUESTION is one debate. */
export function DebatesPage() {
  const { rest } = usePlace()
  const [runId, questionId] = rest
  if (runId === undefined || runId === '') return <DebateList />
  if (questionId === undefined) return <NoSuchDebate name={runId} />
  return <DebatePage key={JSON.stringify([runId, questionId])} runId={runId} questionId={questionId} />
}

/** The address of a debate names its run and its question. A single name may be meant as the question. */
function NoSuchDebate({ name }: { readonly name: string }) {
  return (
    <article className="debate">
      <PageHead title="There is no such debate" tools={<a href={linkTo('debates')}>All debates</a>} />
      <div className="body">
        <p>
          The address of a debate names its run and its question.{' '}
          <a href={linkTo('debates', [], { id: name })}>
            Search for questions that begin with <DataText text={name} />
          </a>
        </p>
      </div>
    </article>
  )
}
