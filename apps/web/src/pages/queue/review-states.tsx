import { countText } from 'quorate/figures'
import type { ReactNode } from 'react'
import { useMonitor } from '../../api/queries.ts'
import { linkTo } from '../../app/router.ts'
import { DataText } from '../../parts/data-text.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Failure } from '../../parts/page-states.tsx'
import { QUEUE_TEXT } from './queue-words.ts'
import type { Place, ReviewState } from './session/review-state.ts'
import { reviewSession } from './session/use-review-session.ts'

const WORDS = QUEUE_TEXT

/** Explains why no item is shown, and what to do about it. */
export function NoItem({ state }: { readonly state: ReviewState }) {
  const { place, progress } = state
  switch (place.kind) {
    case 'none':
      return (progress?.waiting ?? 0) > 0 ? (
        <NothingForYou waiting={progress?.waiting ?? 0} />
      ) : (
        <NothingWaits submitted={progress?.submitted ?? null} mine={progress?.mineToday ?? 0} />
      )
    case 'resting':
      return (
        <Stopped title={WORDS.resting} action={WORDS.takeNext}>
          <p>{WORDS.restingWhy}</p>
        </Stopped>
      )
    case 'taken':
      return <Taken place={place} />
    case 'missing':
      return (
        <Stopped title={WORDS.missing} action={WORDS.takeNext}>
          <p>
            {WORDS.missingId} <DataText text={place.id} />. {WORDS.missingWhy}
          </p>
          <p>
            <a href={linkTo('review', ['list'], { status: 'any' })}>{WORDS.toAll}</a>
          </p>
        </Stopped>
      )
    case 'failed':
      return (
        <>
          <h1 className="hidden">{WORDS.title}</h1>
          <Failure error={place.error} again={() => void reviewSession.start(place.id)} />
        </>
      )
    default:
      return null
  }
}

/** The page for users who may not review. */
export function MayNotReview({ role, kind }: { readonly role: string; readonly kind: 'human' | 'machine' }) {
  const isMachine = kind === 'machine'
  return (
    <section className="state empty">
      <h1>{isMachine ? WORDS.machine : WORDS.viewer}</h1>
      <p>{isMachine ? WORDS.machineWhy : WORDS.viewerWhy(role)}</p>
      <pre>{WORDS.viewerCommand}</pre>
      <p>
        <a href={linkTo('review', ['list'])}>{WORDS.toList}</a>
      </p>
    </section>
  )
}

function Stopped({
  title,
  action,
  children,
}: {
  readonly title: string
  readonly action: string
  readonly children: ReactNode
}) {
  return (
    <section className="state empty">
      <h1>{title}</h1>
      {children}
      <p>
        <button type="button" className="primary" onClick={() => void reviewSession.takeNext()}>
          {action}
        </button>
      </p>
    </section>
  )
}

/** No item is claimed without a click, because an absent reviewer must not keep one. */
function NothingWaits({ submitted, mine }: { readonly submitted: number | null; readonly mine: number }) {
  const waiting = useMonitor().data?.queue.waiting ?? 0
  return (
    <Stopped title={mine > 0 ? WORDS.doneToday(mine) : WORDS.empty} action={WORDS.checkAgain}>
      <p>{submitted === 0 ? WORDS.emptyEver : WORDS.emptyWhy}</p>
      {waiting > 0 ? <p>{WORDS.emptyNow(countText(waiting))}</p> : null}
    </Stopped>
  )
}

function NothingForYou({ waiting }: { readonly waiting: number }) {
  return (
    <Stopped title={WORDS.nothingForYou} action={WORDS.checkAgain}>
      <p>{WORDS.nothingForYouWhy(countText(waiting))}</p>
    </Stopped>
  )
}

function Taken({ place: { item, detail } }: { readonly place: Extract<Place, { kind: 'taken' }> }) {
  if (item?.status === 'retracted') {
    return (
      <Stopped title={WORDS.takenRetracted} action={WORDS.takeNext}>
        <p>{WORDS.takenRetractedWhy}</p>
      </Stopped>
    )
  }
  if (item?.status === 'submitted') {
    return (
      <Stopped title={WORDS.takenDone} action={WORDS.takeNext}>
        <p>
          <DataText text={detail} />
        </p>
      </Stopped>
    )
  }
  if (item?.claimedBy == null || item.claimedUntil === null) {
    return (
      <Stopped title={WORDS.takenGone} action={WORDS.takeNext}>
        <p>
          <DataText text={detail} />
        </p>
      </Stopped>
    )
  }
  return (
    <Stopped title={WORDS.takenTitle} action={WORDS.takeNext}>
      <p>
        <DataText text={item.claimedBy} /> {WORDS.takenBy} <Moment at={item.claimedUntil} />.
      </p>
    </Stopped>
  )
}
