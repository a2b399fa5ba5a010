import type { DebateView } from 'quorate/contract'
import { countText } from 'quorate/figures'
import type { ReactNode } from 'react'
import { linkTo } from '../../app/router.ts'
import { DataText } from '../../parts/data-text.tsx'
import { Moment } from '../../parts/moment.tsx'
import { TEXT } from '../../text/english.ts'

export function DebateFacts({ view }: { readonly view: DebateView }) {
  const { certificate, ledger } = view
  return (
    <dl className="debate-facts" aria-label={TEXT.debate.facts}>
      <Fact name={TEXT.debate.at}>
        <Moment at={view.at} />
      </Fact>
      <Fact name={TEXT.debate.group}>{view.group === null ? '–' : <DataText text={view.group} />}</Fact>
      <Fact name={TEXT.debate.status}>{TEXT.debates.statuses[view.status]}</Fact>
      <Fact name={TEXT.debate.drawn}>
        {view.isDrawn === null ? '–' : view.isDrawn ? TEXT.parts.yes : TEXT.parts.no}
      </Fact>
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
          TEXT.debate.noLedger
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
