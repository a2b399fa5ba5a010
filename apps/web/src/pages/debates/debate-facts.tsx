import type { DebateView } from 'quorate/contract'
import { countText } from 'quorate/figures'
import type { ReactNode } from 'react'
import { linkTo } from '../../app/router.ts'
import { readingOf } from '../../parts/belief-text.ts'
import { DataText } from '../../parts/data-text.tsx'
import { Moment } from '../../parts/moment.tsx'
import { TEXT } from '../../text/english.ts'

export function DebateFacts({ view }: { readonly view: DebateView }) {
  const { certificate, ledger, isHidden } = view
  const reading = readingOf(view.turns)
  return (
    <dl className="debate-facts" aria-label={TEXT.debate.facts}>
      <Fact name={TEXT.debate.at}>
        <Moment at={view.at} />
      </Fact>
      <Fact name={TEXT.debate.group}>{view.group === null ? '–' : <DataText text={view.group} />}</Fact>
      <Fact name={TEXT.debate.status}>
        {view.status === null ? TEXT.debate.hiddenFact : TEXT.debates.statuses[view.status]}
      </Fact>
      <Fact name={TEXT.debate.drawn}>
        {view.isDrawn === null ? (isHidden ? TEXT.debate.hiddenFact : '–') : TEXT.parts[view.isDrawn ? 'yes' : 'no']}
      </Fact>
      {reading === null ? null : <Fact name={TEXT.debate.beliefs}>{TEXT.debate.readings[reading]}</Fact>}
      <Fact name={TEXT.debate.certificate}>
        {certificate === null ? (
          TEXT.debate.noCertificate
        ) : (
          <a href={linkTo('certificates', [certificate])}>
            <DataText text={certificate.slice(0, 8)} />
          </a>
        )}
      </Fact>
      <Fact name={TEXT.debate.ledger}>
        {ledger === null ? (
          TEXT.debate[isHidden ? 'hiddenFact' : 'noLedger']
        ) : (
          <>
            {TEXT.debate.ledgerPlace(countText(ledger.sequence))}{' '}
            <code title={ledger.hash}>
              <DataText text={ledger.hash.slice(0, 12)} />
            </code>
          </>
        )}
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
