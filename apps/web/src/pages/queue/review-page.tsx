import './review-page.css'
import type { ReviewItem, SessionView } from 'quorate/contract'
import { useEffect, useRef, useState } from 'react'
import { useKeySetting } from '../../app/keys.tsx'
import { goTo, linkTo } from '../../app/router.ts'
import { Loading } from '../../parts/page-states.tsx'
import { TEXT } from '../../text/english.ts'
import { Evidence } from './evidence.tsx'
import { Guideline } from './guideline.tsx'
import { HelpDialog } from './help-dialog.tsx'
import type { Command } from './key-commands.ts'
import { OutcomeText, PanelText } from './outcome-text.tsx'
import { Rail } from './rail.tsx'
import { RetractDialog } from './retract-dialog.tsx'
import { ReviewForm } from './review-form.tsx'
import { handOf, type ReviewState } from './review-state.ts'
import { NoItem } from './review-states.tsx'
import { runOnItem } from './run-on-item.ts'
import { StatusLine } from './status-line.tsx'
import { useKeys } from './use-keys.ts'
import { reviewSession, useLockKeeping, useReviewSession } from './use-review-session.ts'

interface ReviewPageProps {
  readonly session: SessionView
  /** The item that a link asks for. */
  readonly wanted: string | null
}

/** Where a reviewer works: one item after the other, with the keyboard alone if they like. */
export function ReviewPage({ session, wanted }: ReviewPageProps) {
  const state = useReviewSession()
  const hand = handOf(state)
  const heading = useItemFocus(hand?.item.id ?? null, state)
  const [hasKeys, setKeys] = useKeySetting()
  const [open, setOpen] = useState<Open>(null)
  const [retracting, setRetracting] = useState<string | null>(null)
  useLockKeeping()
  useStart(wanted)
  const say = () =>
    hand?.isExpired === true ? void reviewSession.claimAgain() : void reviewSession.submit(session.undoMs)
  const takeBack = (id: string | undefined) => {
    const said = state.said.find(({ item, isRetracted }) => item.id === id && !isRetracted)
    if (said === undefined) return
    if (Date.now() < said.undoUntil) void reviewSession.undo(said.item.id)
    else setRetracting(said.item.id)
  }
  const options = hand?.item.options.map(({ name }) => name) ?? []
  useKeys({ isOn: hasKeys, options, run: commandRunner({ state, setOpen, say, takeBack }) })
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
      {hand === null ? (
        <Elsewhere state={state} />
      ) : (
        <div className="item">
          <Rail current={hand.item.id} />
          <ReviewForm
            key={hand.item.id}
            hand={hand}
            hasKeys={hasKeys}
            heading={heading}
            work={state.work}
            onSubmit={say}
          />
          <EvidenceSide item={hand.item} />
        </div>
      )}
      <HelpDialog hasKeys={hasKeys} setKeys={setKeys} isOpen={open === 'help'} onClose={() => setOpen(null)} />
      <RetractDialog
        said={state.said.find(({ item }) => item.id === retracting) ?? null}
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

interface Runner {
  readonly state: ReviewState
  readonly setOpen: (change: (before: Open) => Open) => void
  readonly say: () => void
  readonly takeBack: (id: string | undefined) => void
}

function commandRunner({ state, setOpen, say, takeBack }: Runner): (command: Command) => void {
  return (command) => {
    if (command.kind === 'help') setOpen(() => 'help')
    else if (command.kind === 'last') setOpen((before) => (before === 'last' ? null : 'last'))
    else if (command.kind === 'list') goTo(linkTo('review', ['list']))
    else if (command.kind === 'undo') takeBack(state.said[0]?.item.id)
    else if (command.kind === 'submit') say()
    else runOnItem(command, state)
  }
}

function Elsewhere({ state }: { readonly state: ReviewState }) {
  const { kind } = state.place
  if (kind !== 'fresh' && kind !== 'taking') return <NoItem state={state} />
  return (
    <>
      <h1 className="hidden">{TEXT.queue.title}</h1>
      <Loading what={TEXT.queue.what} />
    </>
  )
}

function EvidenceSide({ item }: { readonly item: ReviewItem }) {
  const isHidden = item.isBlind && item.evidence === null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <section className="panel-evidence" tabIndex={0} aria-labelledby="evidence-heading">
      <h2 id="evidence-heading">{isHidden ? TEXT.queue.blindHead : TEXT.queue.evidence}</h2>
      {isHidden ? (
        <div className="blind-why">
          <p>{TEXT.queue.blindWhy}</p>
          <p className="soft">{TEXT.queue.blindAfter}</p>
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

const WORDS = TEXT.queue

/** What the status line shows, read aloud once, when there is time. */
function Announcement({ state }: { readonly state: ReviewState }) {
  const { news, said } = state
  const hand = handOf(state)
  const last = said[0]
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
              . {hand === null ? null : hand.item.isBlind ? WORDS.nextIs.blind : WORDS.nextIs.open}
            </>
          ) : null}
        </p>
      )}
    </div>
  )
}
