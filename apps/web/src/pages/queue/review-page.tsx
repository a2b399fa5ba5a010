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
import { reviewSession, useLockRenewal, useReviewSession } from './session/use-review-session.ts'
import { StatusLine } from './status-line.tsx'

interface ReviewPageProps {
  readonly session: SessionView
  /** The item that a link asks for. */
  readonly wanted: string | null
}

/** Where a reviewer works: one item after the other, with the keyboard alone if they like. */
export function ReviewPage({ session, wanted }: ReviewPageProps) {
  const state = useReviewSession()
  const claim = claimOf(state)
  const heading = useItemFocus(claim?.item.id ?? null, state)
  const [hasKeys, setKeys] = useKeySetting()
  const [open, setOpen] = useState<Open>(null)
  const [retracting, setRetracting] = useState<string | null>(null)
  useLockRenewal()
  useStart(wanted)
  const say = () =>
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
  useKeys({ isOn: hasKeys, options, run: commandRunner(state, setOpen, say, takeBack) })
  return (
    <div className="reviewing">
      <StatusLine
        state={state}
        hasKeys={hasKeys}
        isOpen={open === 'last'}
        onOpen={(isOpen) => setOpen(isOpen ? 'last' : null)}
        onHelp={() => setOpen('help')}
        onTakeBack={takeBack}
        onAgain={say}
      />
      <Announcement state={state} />
      {claim === null ? (
        <Elsewhere state={state} />
      ) : (
        <div className="item">
          <Rail item={claim.item} me={session.name} />
          <ReviewForm
            key={claim.item.id}
            claim={claim}
            hasKeys={hasKeys}
            heading={heading}
            work={state.work}
            onSubmit={say}
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

/** Once on entering, and for every item that a link asks for. */
function useStart(wanted: string | null): void {
  const hasStarted = useRef(false)
  useEffect(() => {
    if (wanted === null && hasStarted.current) return
    hasStarted.current = true
    // The address is the session's again: what is wanted is in hand, and a reload must not ask for it once more.
    if (wanted !== null) history.replaceState(null, '', linkTo('review'))
    void reviewSession.start(wanted)
  }, [wanted])
}

function commandRunner(
  state: ReviewState,
  setOpen: (change: (before: Open) => Open) => void,
  say: () => void,
  takeBack: (id: string | undefined) => void,
): (command: Command) => void {
  return (command) => {
    if (command.kind === 'help') setOpen(() => 'help')
    else if (command.kind === 'last') setOpen((before) => (before === 'last' ? null : 'last'))
    else if (command.kind === 'list') goTo(linkTo('review', ['list']))
    else if (command.kind === 'undo') takeBack(state.submissions[0]?.item.id)
    else if (command.kind === 'submit') say()
    else runOnItem(command, state)
  }
}

function Elsewhere({ state }: { readonly state: ReviewState }) {
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

/** A new item takes the focus to its heading, unless the reviewer is in a dialog. */
function useItemFocus(id: string | null, { place }: ReviewState) {
  const heading = useRef<HTMLHeadingElement>(null)
  const before = useRef<string | null>(null)
  useEffect(() => {
    if (id !== null && id !== before.current && document.querySelector('dialog[open]') === null) {
      heading.current?.focus({ preventScroll: true })
      window.scrollTo(0, 0)
    }
    // While the next one is fetched the last one counts as gone: it may come back.
    before.current = place.kind === 'item' ? id : null
  }, [id, place.kind])
  return heading
}

const WORDS = QUEUE_TEXT

/** What the status line shows, read aloud once, when there is time. */
function Announcement({ state }: { readonly state: ReviewState }) {
  const { news, submissions } = state
  const claim = claimOf(state)
  const last = submissions[0]
  return (
    <div className="hidden" role="status" aria-live="polite">
      {news === null ? null : (
        <p key={news.count}>
          {WORDS.news[news.kind]}{' '}
          {news.kind === 'submitted' && last !== undefined ? (
            <>
              {WORDS.youSaid} <OutcomeText outcome={last.outcome} />
              {last.item.evidence === null ? null : (
                <>
                  , <PanelText evidence={last.item.evidence} />
                </>
              )}
              . {claim === null ? null : claim.item.isBlind ? WORDS.nextIs.blind : WORDS.nextIs.open}
            </>
          ) : null}
        </p>
      )}
    </div>
  )
}

interface Keys {
  readonly isOn: boolean
  /** Of the item shown. */
  readonly options: readonly string[]
  readonly run: (command: Command) => void
}

/** Keys of the whole page. They rest in fields, in dialogs and with Ctrl, Alt or Meta. */
function useKeys({ isOn, options, run }: Keys): void {
  useEffect(() => {
    if (!isOn) return
    const pressed = (event: KeyboardEvent) => {
      const command = isKeyIgnored(event) ? null : commandOf(event, options)
      if (command === null || isOwnOf(event, command)) return
      event.preventDefault()
      run(command)
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  })
}

/** What the focused element does with the key itself: Enter on a button or a link, arrows where they scroll or choose. */
function isOwnOf({ key, target, repeat }: KeyboardEvent, { kind }: Command): boolean {
  // A key held down moves on among options, and does nothing twice.
  if (repeat && kind !== 'next-option' && kind !== 'previous-option') return true
  if (!(target instanceof HTMLElement)) return false
  if (kind === 'submit') return target.closest('button, a, summary, [type="checkbox"]') !== null
  return key.startsWith('Arrow') && target !== document.body && target.tabIndex >= 0
}
