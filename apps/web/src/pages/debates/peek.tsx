import type { DebateRow, DebateView } from 'quorate/contract'
import { shortRunId } from 'quorate/record'
import { linkTo } from '../../app/router.ts'
import { DataBlock, DataText } from '../../parts/data-text.tsx'
import { Failure, Loading } from '../../parts/page-states.tsx'
import { AnswersByRound } from './answers-by-round.tsx'
import { useDebate } from './debates-queries.ts'
import { DecisionMark } from './decision-mark.tsx'
import { Words } from './decision-sentence.tsx'
import { RoundScores } from './round-scores.tsx'

/** A preview of one debate: the reason, scores and answers by round, and facts. */
export function Peek({ row, close }: { readonly row: DebateRow; readonly close: () => void }) {
  const debate = useDebate(row.runId, row.questionId)
  return (
    <aside className="peek" aria-label="Peek">
      <header>
        <code>
          <DataText text={row.questionId} />
        </code>
        <span className="tools">
          <kbd>K</kbd> <kbd>J</kbd>
          <a className="button" href={linkTo('debates', [row.runId, row.questionId])}>
            Open <kbd>↵</kbd>
          </a>
          <button type="button" className="quiet" onClick={close}>
            Close
          </button>
        </span>
      </header>
      <p>
        <DecisionMark row={row} />
      </p>
      {debate.data === undefined ? (
        debate.isError ? (
          <Failure error={debate.error} again={() => void debate.refetch()} />
        ) : (
          <Loading what="the debate" />
        )
      ) : (
        <Shown view={debate.data} />
      )}
    </aside>
  )
}

function Shown({ view }: { readonly view: DebateView }) {
  return (
    <>
      {view.question === null ? null : <DataBlock text={view.question} className="ticket" />}
      <section className="section">
        <h2>{view.kind === 'act' ? 'Why it acted' : view.kind === 'defer' ? 'Why it deferred' : 'Decision'}</h2>
        <p>
          <Words view={view} />
        </p>
        <RoundScores view={view} />
      </section>
      <AnswersByRound view={view} />
      <dl className="peek-facts">
        <dt>Label</dt>
        <dd>
          {view.isHidden || (view.isWaiting === true && !view.isLabelled) ? (
            'in review'
          ) : view.gold !== null || view.goldText !== undefined ? (
            <DataText text={view.goldText ?? view.label?.text ?? view.gold ?? ''} />
          ) : view.isLabelled ? (
            'cannot tell'
          ) : (
            'none'
          )}
        </dd>
        <dt>Certificate</dt>
        <dd>
          {view.certificate === null ? (
            'none'
          ) : (
            <a href={linkTo('certificates', [view.certificate])}>{view.certificate.slice(0, 6)}</a>
          )}
        </dd>
        <dt>Run</dt>
        <dd>
          <a href={linkTo('debates', [], { run: view.runId })}>{shortRunId(view.runId)}</a>
        </dd>
      </dl>
    </>
  )
}
