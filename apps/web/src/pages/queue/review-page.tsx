import './review-page.css'
import type { ReviewItem, SessionView } from 'quorate/contract'
import { useEffect, useRef, useState } from 'react'
import { isKeyIgnored, useKeySetting } from '../../app/keys.tsx'
import { goTo, linkTo } from '../../app/router.ts'
import { Loading } from '../../parts/page-states.tsx'
import { Evidence } from './evidence.tsx'
import { Guideline } from './guideline.tsx'
import { HelpDialog } from './help-dialog.tsx'
import { type Command, commandOf } from './key-commands.ts'
import { OutcomeText, PanelText } from './outcome-text.tsx'
import { QUEUE_TEXT } from './queue-words.ts'
import { Rail } from './rail.tsx'
import { RetractDialog } from './retract-dialog.tsx'
import { ReviewForm } from './review-form.tsx'
import { NoItem } from './review-states.tsx'
import { GRADES } from './session/outcomes.ts'
import { claimOf, type ReviewState } from './session/review-state.ts'
import { runOnItem } from './session/run-on-item.ts'
import { reviewSession, useClaimRenewal, useReviewSession } from './session/use-review-session.ts'
import { StatusLine } from './status-line.tsx'

interface ReviewPageProps {
  readonly session: SessionView
  /** The item that the address names; null for the next one. */
  readonly wanted: string | null
}

/** Presents one item after the other. The keyboard alone is enough. */
export function ReviewPage({ session, wanted }: ReviewPageProps) {
  const state = useReviewSession()
  const claim = claimOf(state)
  const heading = useItemFocus(claim?.item.id ?? null, state)
  const [hasKeys, setKeys] = useKeySetting()
  const [open, setOpen] = useState<Open>(null)
  const [retracting, setRetracting] = useState<string | null>(null)
  useClaimRenewal()
  useStart(wanted)
  const submitOrClaim = () =>
    claim?.isExpired === true ? void reviewSession.claimAgain() : void reviewSession.submit(session.undoMs)
  const takeBack = (id: string | undefined) => {
    const submission = state.submissions.find(({ item, isRetracted }) => item.id === id && !isRetracted)
    if (submission === undefined) return
    if (Date.now() < submission.undoUntil) void reviewSession.undo(submission.item.id)
    else setRetracting(submission.item.id)
  }
  const options =
    claim?.item.asks.kind === 'grades'
      ? GRADES.map(({ name }) => name)
      : (claim?.item.options.map(({ name }) => name) ?? [])
  useKeys({ isOn: hasKeys, options, run: commandRunner(state, setOpen, submitOrClaim, takeBack) })
  return (
    <div className="reviewing">
      <StatusLine
        state={state}
        hasKeys={hasKeys}
        isOpen={open === 'last'}
        onOpen={(isOpen) => setOpen(isOpen ? 'last' : null)}
        onHelp={() => setOpen('help')}
        onTakeBack={takeBack}
        onAgain={submitOrClaim}
      />
      <Announcement state={state} />
      {claim === null ? (
        <WithoutItem state={state} />
      ) : (
        <div className="item">
          <Rail item={claim.item} me={session.name} />
          <ReviewForm
            key={claim.item.id}
            claim={claim}
            hasKeys={hasKeys}
            heading={heading}
            work={state.work}
            onSubmit={submitOrClaim}
          />
          <EvidenceSide item={claim.item} />
        </div>
      )}
      <HelpDialog hasKeys={hasKeys} setKeys={setKeys} isOpen={open === 'help'} onClose={() => setOpen(null)} />
      <RetractDialog
        submission={state.submissions.find(({ item }) => item.id === retracting) ?? null}
        onClose={() => setRetracting(null)}
      />
    </div>
  )
}

/** What is open over the page. */
type Open = 'help' | 'last' | null

/** Starts the session when the page opens, and for every item that the address names. */
function useStart(wanted: string | null): void {
  const hasStarted = useRef(false)
  useEffect(() => {
    if (wanted === null && hasStarted.current) return
    hasStarted.current = true
    // The address is reset, so that a reload does not request the same item again.
    if (wanted !== null) history.replaceState(null, '', linkTo('review'))
    void reviewSession.start(wanted)
  }, [wanted])
}

function commandRunner(
  state: ReviewState,
  setOpen: (change: (before: Open) => Open) => void,
  submitOrClaim: () => void,
  takeBack: (id: string | undefined) => void,
): (command: Command) => void {
  return (command) => {
    if (command.kind === 'help') setOpen(() => 'help')
    else if (command.kind === 'last') setOpen((before) => (before === 'last' ? null : 'last'))
    else if (command.kind === 'list') goTo(linkTo('review', ['list']))
    else if (command.kind === 'undo') takeBack(state.submissions[0]?.item.id)
    else if (command.kind === 'submit') submitOrClaim()
    else runOnItem(command, state)
  }
}

function WithoutItem({ state }: { readonly state: ReviewState }) {
  const { kind } = state.place
  if (kind !== 'fresh' && kind !== 'taking') return <NoItem state={state} />
  return (
    <>
      <h1 className="hidden">{QUEUE_TEXT.title}</h1>
      <Loading what={QUEUE_TEXT.what} />
    </>
  )
}

function EvidenceSide({ item }: { readonly item: ReviewItem }) {
  const isHidden = item.isBlind && item.evidence === null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <section className="panel-evidence" tabIndex={0} aria-labelledby="evidence-heading">
      <h2 id="evidence-heading">{isHidden ? QUEUE_TEXT.blindHead : QUEUE_TEXT.evidence}</h2>
      {isHidden ? (
        <div className="blind-why">
          <p>{QUEUE_TEXT.blindWhy}</p>
          <p className="soft">{QUEUE_TEXT.blindAfter}</p>
          <Guideline isOpen />
        </div>
      ) : (
        <>
          <Guideline />
          <Evidence item={item} />
        </>
      )}
    </section>
  )
}

/** Moves the focus to the heading of a new item, unless a dialog is open. */
function useItemFocus(id: string | null, { place }: ReviewState) {
  const heading = useRef<HTMLHeadingElement>(null)
  const before = useRef<string | null>(null)
  useEffect(() => {
    if (id !== null && id !== before.current && document.querySelector('dialog[open]') === null) {
      heading.current?.focus({ preventScroll: true })
      window.scrollTo(0, 0)
    }
    // While the next item is fetched, the last one counts as gone, because the same item may come back.
    before.current = place.kind === 'item' ? id : null
  }, [id, place.kind])
  return heading
}

/** Announces the status line to screen readers, once and politely. */
function Announcement({ state }: { readonly state: ReviewState }) {
  const { news, submissions } = state
  const claim = claimOf(state)
  const last = submissions[0]
  return (
    <div className="hidden" role="status" aria-live="polite">
      {news === null ? null : (
        <p key={news.count}>
          {QUEUE_TEXT.news[news.kind]}{' '}
          {news.kind === 'submitted' && last !== undefined ? (
            <>
              {QUEUE_TEXT.youSaid} <OutcomeText outcome={last.outcome} />
              {last.item.evidence === null ? null : (
                <>
                  , <PanelText evidence={last.item.evidence} />
                </>
              )}
              . {claim === null ? null : claim.item.isBlind ? QUEUE_TEXT.nextIs.blind : QUEUE_TEXT.nextIs.open}
            </>
          ) : null}
        </p>
      )}
    </div>
  )
}

interface Keys {
  readonly isOn: boolean
  /** The options of the current item. */
  readonly options: readonly string[]
  readonly run: (command: Command) => void
}

/** The keys of the page. They do nothing in fields, in dialogs, and together with Ctrl, Alt or Meta. */
function useKeys({ isOn, options, run }: Keys): void {
  useEffect(() => {
    if (!isOn) return
    const onKeyDown = (event: KeyboardEvent) => {
      const command = isKeyIgnored(event) ? null : commandOf(event, options)
      if (command === null || isHandledByTarget(event, command)) return
      event.preventDefault()
      run(command)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  })
}

/** Whether the focused element handles the key itself: Enter on a button or link, arrows where they scroll or choose. */
function isHandledByTarget({ key, target, repeat }: KeyboardEvent, { kind }: Command): boolean {
  // A key that repeats while pressed moves through the options. It repeats no other command.
  if (repeat && kind !== 'next-option' && kind !== 'previous-option') return true
  if (!(target instanceof HTMLElement)) return false
  if (kind === 'submit') return target.closest('button, a, summary, [type="checkbox"]') !== null
  return key.startsWith('Arrow') && target !== document.body && target.tabIndex >= 0
}
