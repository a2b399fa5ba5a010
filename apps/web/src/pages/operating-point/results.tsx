import { budgetGauge, countText, percentText, stoppingRoundsFigure } from 'quorate/figures'
import type { ReactNode } from 'react'
import { ENOUGH } from '../../parts/enough.ts'
import { Figure } from '../../parts/figure.tsx'
import { TEXT } from '../../text/english.ts'
import type { Decided } from './replay/create-replay.ts'
import type { ReplayFigures, SpannedShare } from './replay/replay-figures.ts'

/** The figures that a budget is chosen by, each with its interval and what holds now. */
export function Tiles({ decided }: { readonly decided: Decided }) {
  const { figures, current, budget } = decided
  const { tiles } = TEXT.operating
  const rounds = figures.byRound.length
  return (
    <dl className="operating-tiles">
      <ShareTile name={tiles.acted} share={figures.acted} now={current.acted} why={TEXT.operating.noRepresentative}>
        {TEXT.operating.ofRepresentative(countText(figures.draws))}
      </ShareTile>
      <ShareTile name={tiles.wrong} share={figures.wrong} now={current.wrong} why={TEXT.operating.noLabels}>
        {TEXT.operating.ofLabelled(countText(figures.wrong?.of ?? 0))},{' '}
        {TEXT.operating.budgetIs(percentText(budget.beta))}
      </ShareTile>
      <ShareTile name={tiles.right} share={figures.right} now={current.right} why={noneRight(figures)}>
        {TEXT.operating.ofActed(countText(figures.right?.of ?? 0))}
      </ShareTile>
      <div>
        <dt>{tiles.rounds}</dt>
        {figures.meanRounds === null ? (
          <dd>
            <span className="operating-number">–</span>
            <span className="interval">
              {figures.draws === 0 ? TEXT.operating.noRepresentative : TEXT.operating.roundsUnknown}
            </span>
          </dd>
        ) : (
          <dd>
            <span className="operating-number">{figures.meanRounds.toFixed(2)}</span>
            <span className="interval">
              {TEXT.operating.roundsOf(`${rounds}`, (rounds - figures.meanRounds).toFixed(2))}
            </span>
            <span className="interval">{TEXT.operating.now((current.meanRounds ?? rounds).toFixed(2))}</span>
          </dd>
        )}
      </div>
    </dl>
  )
}

interface ShareTileProps {
  readonly name: string
  readonly share: SpannedShare | null
  readonly now: SpannedShare | null
  /** Where there is no share. */
  readonly why: string
  readonly children: ReactNode
}

function ShareTile({ name, share, now, why, children }: ShareTileProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span className={`operating-number ${isFew(share) ? 'few' : ''}`}>
          {isFew(share) ? 'too few' : spanText(share)}
        </span>
        <span className="interval">
          {share === null ? why : TEXT.operating.interval(percentText(share.lower), percentText(share.upper))}
        </span>
        {share === null ? null : <span className="interval">{children}</span>}
        {isFew(now) ? null : <span className="interval">{TEXT.operating.now(spanText(now))}</span>}
      </dd>
    </div>
  )
}

/** Below 30 debates there is no headline. */
function isFew(share: SpannedShare | null): boolean {
  return share !== null && share.of < ENOUGH
}

/** One number where everything is known. */
export function spanText(share: SpannedShare | null): string {
  if (share === null) return '–'
  const least = percentText(share.share)
  return share.most === share.count ? `${least} %` : TEXT.operating.interval(least, percentText(share.most / share.of))
}

function noneRight({ labelled }: ReplayFigures): string {
  return labelled === 0 ? TEXT.operating.noLabels : TEXT.operating.noneActed
}

/** The budget with what wrong actions would use of it, and in which round debates would end. */
export function ResultFigures({ decided }: { readonly decided: Decided }) {
  const { figures, budget } = decided
  const { wrong } = figures
  if (wrong === null) return <ActedByRound figures={figures} />
  if (wrong.of < ENOUGH) {
    return <p className="soft">Fewer than {ENOUGH} debates here have a label, so right and wrong are not shown.</p>
  }
  const rate = { value: wrong.share, low: wrong.lower, high: wrong.upper }
  return (
    <div className="operating-figures">
      <Figure draw={(width) => budgetGauge({ ...budget, wrongActions: rate }, width)} />
      <Figure minHeight="high" draw={(width) => stoppingRoundsFigure(stoppingOf(figures, budget.threshold), width)} />
    </div>
  )
}

/** Of labelled draws only: of the others nobody knows which bar they belong to. */
function stoppingOf({ byRound, labelled }: ReplayFigures, threshold: number) {
  const rounds = byRound.map(({ round, labelled: acted, right }) => ({
    round,
    acted,
    accuracy: right === null ? null : { value: right.share, low: right.lower, high: right.upper },
  }))
  const deferred = labelled - rounds.reduce((sum, { acted }) => sum + acted, 0)
  // An infeasible budget may ask for more than certainty, where there is no line to draw.
  const line = Math.min(1, threshold)
  return {
    threshold: line,
    debates: labelled,
    deferred,
    rounds,
    note: TEXT.operating.stoppingNote(countText(labelled)),
  }
}

function ActedByRound({ figures }: { readonly figures: ReplayFigures }) {
  return (
    <>
      <p>{TEXT.operating.noLabelsFigure}</p>
      <table className="operating-rounds">
        <thead>
          <tr>
            <th scope="col">{TEXT.operating.roundHead}</th>
            <th scope="col" className="number">
              {TEXT.operating.actedHead}
            </th>
          </tr>
        </thead>
        <tbody>
          {figures.byRound.map(({ round, acted }) => (
            <tr key={round}>
              <th scope="row">{TEXT.operating.round(`${round}`)}</th>
              <td className="number">{countText(acted)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
