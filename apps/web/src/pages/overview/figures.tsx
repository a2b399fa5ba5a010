import type { CountedShare, MonitorView } from 'quorate/contract'
import { countText, percentText } from 'quorate/figures'
import { ENOUGH, moneyText } from '../../parts/number-text.ts'

/** The five key figures. A share of fewer than 30 is a count without a headline. */
export function Figures({ view }: { readonly view: MonitorView }) {
  const { automation, spotChecks, rounds, spend, queue, hidden, certificate, countedFor } = view
  const { acted } = automation
  const deferred = Object.values(automation.deferred).reduce((total, count) => total + count, 0)
  const { right } = spotChecks
  const isIdle = certificate?.canAct === false
  const decided = acted?.of ?? 0
  return (
    <section className="section">
      {certificate === null && countedFor !== null ? (
        <p className="small soft">
          Decided with certificate {countedFor.slice(0, 6)}, which is not active here, by runs of the command line.
        </p>
      ) : null}
      <dl className="kpis">
        <ShareTile name="Acted on" share={acted} unit="questions" none="nothing is decided yet">
          {hidden === 0 ? null : `${countText(hidden)} more are hidden until reviewed`}
        </ShareTile>
        <Tile name="To people" figure={countText(deferred)}>
          {decided === 0 ? 'nothing is decided yet' : `of ${countText(decided)} questions`}
          <br />
          {queue.waiting === 0
            ? 'nothing waits in Review'
            : `${countText(queue.waiting)} ${queue.waiting === 1 ? 'waits' : 'wait'} in Review, with spot checks`}
        </Tile>
        <ShareTile
          name="Right when it acts"
          share={right}
          unit="spot checks"
          none="no acted spot check is counted yet"
        />
        <Tile name="Rounds per question" figure={rounds.mean === null ? null : rounds.mean.toFixed(2)}>
          {rounds.mean === null
            ? 'nothing is debated yet'
            : isIdle
              ? 'nothing is saved: it never acts'
              : rounds.of === 0
                ? 'with spot checks, which always go to the last round'
                : `of ${rounds.of}, with spot checks, which always go to the last round`}
          <br />
          {rounds.saved === null || isIdle || rounds.of === 0 ? null : `${rounds.saved.toFixed(2)} saved`}
        </Tile>
        <Tile name="Cost" figure={spend.calls === 0 ? null : moneyText(spend.committedMicroUsd)}>
          {spend.calls === 0
            ? 'no call was paid here'
            : decided === 0 || hidden > 0 || spend.reservedMicroUsd > 0
              ? `${countText(spend.calls)} calls`
              : `${moneyText(spend.committedMicroUsd / decided)} per question`}
          <br />
          {spend.unpricedCalls > 0
            ? `${countText(spend.unpricedCalls)} calls without a known price`
            : spend.reservedMicroUsd > 0
              ? `and at most ${moneyText(spend.reservedMicroUsd)} for calls whose cost is not known`
              : spend.savedMicroUsd === null || isIdle || spend.savedMicroUsd === 0
                ? null
                : `${moneyText(spend.savedMicroUsd)} saved by stopping early`}
        </Tile>
      </dl>
    </section>
  )
}

interface TileProps {
  readonly name: string
  /** Null if it is not known. The text below explains why. */
  readonly figure: string | null
  readonly isFew?: boolean
  readonly children?: React.ReactNode
}

function Tile({ name, figure, isFew = false, children }: TileProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={isFew ? 'is-few' : ''}>{figure ?? '–'}</dd>
      <dd className="small">{children}</dd>
    </div>
  )
}

interface ShareTileProps {
  readonly name: string
  readonly share: CountedShare | null
  readonly unit: string
  readonly none: string
  readonly children?: React.ReactNode
}

/** With fewer than 30, there is a count but no headline. */
function ShareTile({ name, share, unit, none, children }: ShareTileProps) {
  if (share === null) {
    return (
      <Tile name={name} figure={null}>
        {none}
        <br />
        {children}
      </Tile>
    )
  }
  const isFew = share.of < ENOUGH
  return (
    <Tile name={name} figure={isFew ? 'too few' : `${percentText(share.share)} %`} isFew={isFew}>
      {countText(share.count)} of {countText(share.of)} {unit}
      <br />
      {isFew ? `${ENOUGH} are needed` : `${percentText(share.lower)} to ${percentText(share.upper)} %`}
      {children === undefined || children === null ? null : <br />}
      {children}
    </Tile>
  )
}
