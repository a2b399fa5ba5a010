import type { SessionView } from 'quorate/contract'
import { useEffect, useRef, useState } from 'react'
import { linkTo } from '../../app/router.ts'
import { Loading } from '../../parts/page-states.tsx'
import { TEXT } from '../../text/english.ts'
import { Announcement } from './announcement.tsx'
import { type DeskState, handOf } from './desk-state.ts'
import { NoItem } from './desk-states.tsx'
import { Evidence } from './evidence.tsx'
import { HelpDialog } from './help-dialog.tsx'
import type { Command } from './key-commands.ts'
import { RetractDialog } from './retract-dialog.tsx'
import { isSameOutcome, NOTE_ID, outcomeId, outcomesOf, ReviewForm } from './review-form.tsx'
import { StatusLine } from './status-line.tsx'
import { desk, useDesk, useLockKeeping } from './use-desk.ts'
import { useKeySetting, useKeys } from './use-keys.ts'
import './desk.css'

interface DeskPageProps {
  readonly session: SessionView
  /** The item that a link asks for. */
  readonly wanted: string | null
}

/** Where a reviewer works: one item after the other, with the keyboard alone if they like. */
export function DeskPage({ session, wanted }: DeskPageProps) {
  const state = useDesk()
  const hand = handOf(state)
  const heading = useItemFocus(hand?.item.id ?? null, state)
  const [hasKeys, setKeys] = useKeySetting()
  const [open, setOpen] = useState<'help' | 'last' | null>(null)
  const [retracting, setRetracting] = useState<string | null>(null)
  useLockKeeping()
  useEffect(() => {
    // The address is the desk's again: what is wanted is in hand, and a reload must not ask for it once more.
    if (wanted !== null) history.replaceState(null, '', linkTo('queue'))
    void desk.start(wanted)
  }, [wanted])
  const say = () => {
    if (handOf(desk.snapshot())?.isExpired === true) void desk.claimAgain()
    else void desk.submit(session.undoMs)
  }
  const takeBack = (id: string | undefined) => {
    const said = state.said.find(({ item, isRetracted }) => item.id === id && !isRetracted)
    if (said === undefined) return
    if (Date.now() < said.undoUntil) void desk.undo(said.item.id)
    else setRetracting(said.item.id)
  }
  const options = hand?.item.options.map(({ name }) => name) ?? []
  useKeys({
    isOn: hasKeys,
    options,
    run: (command) => {
      if (command.kind === 'help') setOpen('help')
      else if (command.kind === 'last') setOpen((before) => (before === 'last' ? null : 'last'))
      else if (command.kind === 'undo') takeBack(state.said[0]?.item.id)
      else if (command.kind === 'submit') say()
      else runOnItem(command, state)
    },
  })
  return (
    <div className="desk">
      <StatusLine
        {...{ state, hasKeys, options }}
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
          <ReviewForm key={hand.item.id} {...{ hand, hasKeys, heading }} work={state.work} onSubmit={say} />
          <EvidenceSide state={state} />
        </div>
      )}
      <HelpDialog {...{ hasKeys, options, setKeys }} isOpen={open === 'help'} onClose={() => setOpen(null)} />
      <RetractDialog
        said={state.said.find(({ item }) => item.id === retracting) ?? null}
        onClose={() => setRetracting(null)}
      />
    </div>
  )
}

function Elsewhere({ state }: { readonly state: DeskState }) {
  const { kind } = state.place
  if (kind !== 'fresh' && kind !== 'taking') return <NoItem state={state} />
  return (
    <>
      <h1 className="hidden">{TEXT.queue.title}</h1>
      <Loading what={TEXT.queue.what} />
    </>
  )
}

function EvidenceSide({ state }: { readonly state: DeskState }) {
  const item = handOf(state)?.item
  if (item === undefined) return null
  const isHidden = item.isBlind && item.evidence === null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <section className="panel-evidence" tabIndex={0} aria-labelledby="evidence-heading">
      <h2 id="evidence-heading">{isHidden ? TEXT.queue.blindHead : TEXT.queue.evidence}</h2>
      {isHidden ? (
        <div className="blind-why">
          <p>{TEXT.queue.blindWhy}</p>
          <p className="soft">{TEXT.queue.blindAfter}</p>
        </div>
      ) : (
        <Evidence item={item} />
      )}
    </section>
  )
}

/** A new item takes the focus to its heading, unless the reviewer is in a dialog. */
function useItemFocus(id: string | null, { place }: DeskState) {
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

function runOnItem(command: Command, state: DeskState): void {
  const hand = handOf(state)
  if (hand === null) return
  const outcomes = outcomesOf(hand.item)
  const choose = (index: number) => {
    const outcome = outcomes[index]
    if (outcome === undefined || state.work !== null) return
    desk.choose(outcome)
    // The radio button says itself what was chosen.
    document.getElementById(outcomeId(index))?.focus()
  }
  const chosen = outcomes.findIndex((outcome) => isSameOutcome(hand.draft.outcome, outcome))
  const { length } = outcomes
  if (command.kind === 'option') choose(command.index)
  else if (command.kind === 'cannot-tell') choose(length - 2)
  else if (command.kind === 'bad-question') choose(length - 1)
  else if (command.kind === 'next-option') choose((chosen + 1) % length)
  else if (command.kind === 'previous-option') choose(chosen < 0 ? length - 1 : (chosen + length - 1) % length)
  else if (command.kind === 'note') document.getElementById(NOTE_ID)?.focus()
  else if (command.kind === 'skip') void desk.skip()
  else if (command.kind === 'release') void desk.release()
}
