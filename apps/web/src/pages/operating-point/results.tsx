import { budgetGauge, countText, percentText, stoppingRoundsFigure } from 'quorate/figures'
import type { ReactNode } from 'react'
import { Figure } from '../../parts/figure.tsx'
import { declaredText, ENOUGH } from '../../parts/number-text.ts'
import type { Decided } from './replay/create-replay.ts'
import type { ReplayFigures, SpannedShare } from './replay/replay-figures.ts'

const WORDS = {
  ofRepresentative: (count: string) => `of ${count} debates`,
  ofLabelled: (count: string) => `of ${count} labelled debates`,
  budgetIs: (beta: string) => `budget ${beta} %`,
  ofActed: (count: string) => `of ${count} labelled and acted on`,
  roundsOf: (rounds: string, saved: string) => `of ${rounds}, ${saved} saved`,
  now: (value: string) => `now ${value}`,
  interval: (lower: string, upper: string) => `${lower}–${upper} %`,
  stoppingNote: (count: string) => `Of ${count} labelled debates.`,
  round: (round: string) => `round ${round}`,
} as const

/** The figures for the choice of a budget, each with its interval and its current value. */
export function Tiles({ decided }: { readonly decided: Decided }) {
  const { figures, current, budget } = decided
  const rounds = figures.byRound.length
  return (
    <dl className="operating-tiles">
      <ShareTile
        name="acts on"
        share={figures.acted}
        now={current.acted}
        why="no debate here represents the population"
      >
        {WORDS.ofRepresentative(countText(figures.representative))}
      </ShareTile>
      <ShareTile name="acts and is wrong" share={figures.wrong} now={current.wrong} why="no debate here has a label">
        {WORDS.ofLabelled(countText(figures.wrong?.of ?? 0))}, {WORDS.budgetIs(declaredText(budget.beta))}
      </ShareTile>
      <ShareTile name="right when it acts" share={figures.right} now={current.right} why={noneRight(figures)}>
        {WORDS.ofActed(countText(figures.right?.of ?? 0))}
      </ShareTile>
      <div>
        <dt>rounds a debate</dt>
        {figures.meanRounds === null ? (
          <dd>
            <span className="operating-number">–</span>
            <span className="interval">
              {figures.representative === 0
                ? 'no debate here represents the population'
                : 'not known: some debates stopped early'}
            </span>
          </dd>
        ) : (
          <dd>
            <span className="operating-number">{figures.meanRounds.toFixed(2)}</span>
            <span className="interval">{WORDS.roundsOf(`${rounds}`, (rounds - figures.meanRounds).toFixed(2))}</span>
            <span className="interval">{WORDS.now((current.meanRounds ?? rounds).toFixed(2))}</span>
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
  /** The reason that is shown if there is no share. */
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
          {share === null ? why : WORDS.interval(percentText(share.lower), percentText(share.upper))}
        </span>
        {share === null ? null : <span className="interval">{children}</span>}
        {isFew(now) ? null : <span className="interval">{WORDS.now(spanText(now))}</span>}
      </dd>
    </div>
  )
}

/** With fewer than 30 debates there is no headline. */
function isFew(share: SpannedShare | null): boolean {
  return share !== null && share.of < ENOUGH
}

/** One number if every outcome is known, otherwise a range. */
export function spanText(share: SpannedShare | null): string {
  if (share === null) return '–'
  const least = percentText(share.share)
  return share.most === share.count ? `${least} %` : WORDS.interval(least, percentText(share.most / share.of))
}

function noneRight({ labelled }: ReplayFigures): string {
  return labelled === 0 ? 'no debate here has a label' : 'nothing labelled was acted on'
}

/** How much of the budget wrong actions would use, and in which rounds debates would end. */
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

/** Only labelled debates are counted, because the bar of any other is unknown. */
function stoppingOf({ byRound, labelled }: ReplayFigures, threshold: number) {
  const rounds = byRound.map(({ round, labelled: acted, right }) => ({
    round,
    acted,
    accuracy: right === null ? null : { value: right.share, low: right.lower, high: right.upper },
  }))
  const deferred = labelled - rounds.reduce((sum, { acted }) => sum + acted, 0)
  return {
    // The threshold of an infeasible budget may exceed 1, where the figure has no room for it.
    threshold: Math.min(1, threshold),
    debates: labelled,
    deferred,
    rounds,
    note: WORDS.stoppingNote(countText(labelled)),
  }
}

function ActedByRound({ figures }: { readonly figures: ReplayFigures }) {
  return (
    <>
      <p>Without labels, right and wrong are not known. Acted on by round:</p>
      <table className="operating-rounds">
        <thead>
          <tr>
            <th scope="col">Round</th>
            <th scope="col" className="number">
              Acted on
            </th>
          </tr>
        </thead>
        <tbody>
          {figures.byRound.map(({ round, acted }) => (
            <tr key={round}>
              <th scope="row">{WORDS.round(`${round}`)}</th>
              <td className="number">{countText(acted)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
