import type { MonitorView, Share } from 'quorate/contract'
import { countText, percentText } from 'quorate/figures'
import type { ReactNode } from 'react'
import { linkTo } from '../../app/router.ts'
import { Moment } from '../../parts/moment.tsx'
import { moneyText } from '../../parts/money-text.ts'
import { TEXT } from '../../text/english.ts'

/** The five figures that an owner looks for. */
export function Tiles({ view }: { readonly view: MonitorView }) {
  const { acted } = view.automation
  // What is not debated because nothing could be acted on is no saving.
  const isIdle = view.certificate?.canAct === false
  return (
    <dl className="tiles" aria-label={TEXT.overview.tiles}>
      <WrongRate view={view} />
      <Tile
        name={TEXT.overview.automation}
        {...shareTile(acted, noneText(view, 'automationWhy'))}
        note={automationNote(view)}
      />
      <Rounds rounds={view.rounds} why={noneText(view, 'roundsWhy')} isIdle={isIdle} />
      <Money spend={view.spend} isIdle={isIdle} />
      <Queue queue={view.queue} />
    </dl>
  )
}

/** A person's figures leave out what is hidden from them: deferrals that wait, so that the share is too high. */
function automationNote({ automation: { acted }, hidden }: MonitorView): string | null {
  const parts = [
    ...(acted === null ? [] : [TEXT.overview.automationOf(countText(acted.count), countText(acted.of))]),
    ...(hidden === 0 ? [] : [TEXT.overview.automationHidden(countText(hidden))]),
  ]
  return parts.length === 0 ? null : parts.join(', ')
}

/** All is counted for the active certificate: others may have decided much before. */
export function noneText({ certificate }: MonitorView, name: 'automationWhy' | 'roundsWhy' | 'noDeferrals'): string {
  return certificate === null ? TEXT.overview[name] : TEXT.overview.withThis[name]
}

interface TileProps {
  readonly name: string
  /** Null: not known, and the note says why. */
  readonly figure: string | null
  readonly interval?: string | null
  readonly note?: ReactNode
  readonly isBad?: boolean
  /** Of more to say than the others. */
  readonly isWide?: boolean
}

function Tile({ name, figure, interval = null, note = null, isBad = false, isWide = false }: TileProps) {
  return (
    <div className={isWide ? 'wide' : ''}>
      <dt>{name}</dt>
      <dd>
        <span className={`figure-number ${isBad ? 'bad' : ''}`}>
          {isBad ? <span aria-hidden="true">✕ </span> : null}
          {figure ?? '–'}
        </span>
        {interval === null ? null : <span className="interval">{interval}</span>}
        {note === null ? null : <span className="note">{note}</span>}
      </dd>
    </div>
  )
}

function shareTile(share: Share | null, why: string): Pick<TileProps, 'figure' | 'interval'> {
  if (share === null) return { figure: null, interval: why }
  return {
    figure: `${percentText(share.share)} %`,
    interval: `${percentText(share.lower)}–${percentText(share.upper)} % (95 %)`,
  }
}

function WrongRate({ view: { spotChecks, certificate } }: { readonly view: MonitorView }) {
  const { wrong, uniform } = spotChecks
  const note = (
    <>
      {wrong === null ? null : (
        <>
          {TEXT.overview.wrongOf(countText(wrong.count), countText(wrong.of))}
          <br />
          {TEXT.overview.oneLook(percentText(wrong.lower), percentText(wrong.upper))}
        </>
      )}
      <OpenSpotChecks spotChecks={spotChecks} />
    </>
  )
  const isBad = certificate !== null && uniform !== null && uniform.lower > certificate.budget.beta
  return <Tile name={TEXT.overview.wrongRate} {...bandTile(spotChecks)} note={note} isBad={isBad} isWide />
}

/** A page is looked at again and again: the band that this does not spoil comes first. */
function bandTile({ wrong, uniform }: MonitorView['spotChecks']): Pick<TileProps, 'figure' | 'interval'> {
  if (wrong === null || uniform === null) return { figure: null, interval: TEXT.overview.wrongWhy }
  const { rate, lower, upper, level } = uniform
  return {
    figure: `${percentText(rate ?? wrong.share)} %`,
    interval: TEXT.overview.uniform(percentText(lower), percentText(upper), String(Number((level * 100).toFixed(1)))),
  }
}

/** What the rate may still become, and since when it waits. */
function OpenSpotChecks({ spotChecks }: { readonly spotChecks: MonitorView['spotChecks'] }) {
  const { openSpotChecks, upperWithOpen, frozenAt } = spotChecks
  const { oldestAt } = openSpotChecks
  return (
    <>
      {upperWithOpen === null ? null : (
        <>
          <br />
          {TEXT.overview.withOpen(percentText(upperWithOpen.share), percentText(upperWithOpen.upper))}
        </>
      )}
      {oldestAt === null ? null : (
        <>
          <br />
          {TEXT.overview.openSpotChecks(countText(openSpotChecks.count))} <Moment at={oldestAt} />
        </>
      )}
      {frozenAt === null ? null : (
        <>
          <br />
          {TEXT.overview.frozen} <Moment at={frozenAt} />: {TEXT.overview.frozenWhy}
        </>
      )}
    </>
  )
}

interface RoundsProps {
  readonly rounds: MonitorView['rounds']
  readonly why: string
  readonly isIdle: boolean
}

function Rounds({ rounds, why, isIdle }: RoundsProps) {
  const { mean, saved, of } = rounds
  const held = mean === null ? why : TEXT.overview.roundsOf(mean.toFixed(2), of)
  return (
    <Tile
      name={TEXT.overview.rounds}
      figure={isIdle || saved === null ? null : saved.toFixed(2)}
      note={isIdle ? TEXT.overview.idleSaves : held}
    />
  )
}

function Money({ spend, isIdle }: { readonly spend: MonitorView['spend']; readonly isIdle: boolean }) {
  const { committedMicroUsd, calls, unpricedCalls } = spend
  // Nothing of nothing spent is no saving: the panel has no prices.
  const savedMicroUsd = isIdle || committedMicroUsd === 0 ? null : spend.savedMicroUsd
  return (
    <Tile
      name={TEXT.overview.money}
      figure={savedMicroUsd === null ? null : moneyText(savedMicroUsd)}
      note={
        <>
          {savedMicroUsd === null ? TEXT.overview[isIdle ? 'idleSaves' : 'moneyWhy'] : null}
          {savedMicroUsd === null ? <br /> : null}
          {TEXT.overview.spent(moneyText(committedMicroUsd), countText(calls))}
          {unpricedCalls === 0 ? null : (
            <>
              <br />
              {TEXT.overview.unpriced(countText(unpricedCalls))}
            </>
          )}
        </>
      }
    />
  )
}

function Queue({ queue: { waiting, oldestAt } }: { readonly queue: MonitorView['queue'] }) {
  const note =
    oldestAt === null ? (
      TEXT.overview.queueEmpty
    ) : (
      <>
        {TEXT.overview.oldest} <Moment at={oldestAt} />
        <br />
        <a href={linkTo('queue')}>{TEXT.overview.toQueue}</a>
      </>
    )
  return <Tile name={TEXT.overview.queue} figure={countText(waiting)} note={note} />
}
