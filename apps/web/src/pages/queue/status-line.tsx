import { countText } from 'quorate/figures'
import { ApiError } from '../../api/client.ts'
import { useMonitor } from '../../api/queries.ts'
import { linkTo } from '../../app/router.ts'
import { DataText } from '../../parts/data-text.tsx'
import { errorText } from '../../parts/error-text.ts'
import { commandKey } from './key-commands.ts'
import { LastItems } from './last-items.tsx'
import { OutcomeText, PanelText } from './outcome-text.tsx'
import { QUEUE_TEXT } from './queue-words.ts'
import { claimOf, type ReviewState } from './session/review-state.ts'
import { reviewSession } from './session/use-review-session.ts'
import { PanelLater, TakeBack } from './take-back.tsx'

const WORDS = QUEUE_TEXT

interface StatusLineProps {
  readonly state: ReviewState
  readonly hasKeys: boolean
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
  readonly onHelp: () => void
  readonly onTakeBack: (id: string) => void
  /** Retries the submission that failed. */
  readonly onAgain: () => void
}

/** A line of fixed height: what just happened, what can be undone, and how much is left to do. */
export function StatusLine(props: StatusLineProps) {
  const { state, hasKeys, isOpen, onOpen, onHelp, onTakeBack } = props
  return (
    <div className="head status-line">
      <span className="page-name" aria-hidden="true">
        Review
      </span>
      <Progress progress={state.progress} />
      <div className="happened">
        <Happened {...props} />
      </div>
      <div className="tools">
        <button type="button" className="quiet" aria-expanded={isOpen} onClick={() => onOpen(!isOpen)}>
          {WORDS.lastItems} {hasKeys ? <kbd>{commandKey('last')}</kbd> : null}
        </button>
        <button type="button" className="quiet keys-button" onClick={onHelp}>
          {hasKeys ? WORDS.keys : WORDS.keysOff} {hasKeys ? <kbd>?</kbd> : null}
        </button>
        <a className="button quiet" href={linkTo('review', ['list'])}>
          {WORDS.toList} {hasKeys ? <kbd>{commandKey('list')}</kbd> : null}
        </a>
      </div>
      {isOpen ? (
        <LastItems submissions={state.submissions} isBusy={state.work !== null} onTakeBack={onTakeBack} />
      ) : null}
    </div>
  )
}

/** An item that was opened by its link comes without progress. The monitor then provides the number of waiting items. */
function Progress({ progress }: { readonly progress: ReviewState['progress'] }) {
  const monitor = useMonitor()
  const waiting = progress?.waiting ?? monitor.data?.queue.waiting
  return (
    <dl className="progress" aria-label={WORDS.progress}>
      <div>
        <dd>{waiting === undefined ? '–' : countText(waiting)}</dd>
        <dt>{WORDS.waiting}</dt>
      </div>
      {progress === null ? null : (
        <div>
          <dd>{countText(progress.mineToday)}</dd>
          <dt>{WORDS.mineToday}</dt>
        </div>
      )}
    </dl>
  )
}

function Happened({ state, hasKeys, onTakeBack, onAgain }: StatusLineProps) {
  const { problem, news } = state
  const submission = state.submissions[0]
  if (problem !== null) return <ProblemText problem={problem} onAgain={onAgain} />
  if (claimOf(state)?.isExpired === true) return <p className="over">{WORDS.expired}</p>
  if (news === null) return null
  if (news.kind !== 'submitted' || submission === undefined) return <p>{WORDS.news[news.kind]}</p>
  const { evidence } = submission.item
  return (
    <>
      <p>
        {WORDS.youSaid}{' '}
        <strong>
          <OutcomeText outcome={submission.outcome} />
        </strong>
        {evidence === null ? null : (
          <>
            , <PanelText evidence={evidence} />
          </>
        )}
        .<PanelLater submission={submission} />
      </p>
      <TakeBack
        submission={submission}
        isBusy={state.work !== null}
        keyText={hasKeys ? commandKey('undo') : null}
        onTakeBack={onTakeBack}
      />
    </>
  )
}

function ProblemText({
  problem: { work, error },
  onAgain,
}: {
  readonly problem: NonNullable<ReviewState['problem']>
  readonly onAgain: () => void
}) {
  const status = error instanceof ApiError ? error.status : 0
  const isGone = status === 409
  // Other client errors concern the content, so the same request would fail again.
  const mayPass = status < 400 || status === 429 || status >= 500
  return (
    <>
      <p className="over" role="alert">
        <strong>{WORDS.failed[work]}:</strong> <DataText text={errorText(error)} />{' '}
        {work === 'submit' ? WORDS.kept : null}
      </p>
      {work === 'submit' && mayPass ? (
        <button type="button" onClick={onAgain}>
          {WORDS.tryAgain}
        </button>
      ) : null}
      {isGone ? (
        <button type="button" onClick={() => void reviewSession.takeNext()}>
          {WORDS.takeNext}
        </button>
      ) : null}
    </>
  )
}
