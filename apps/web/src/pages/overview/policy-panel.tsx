import { useQueryClient } from '@tanstack/react-query'
import type { MonitorView, PolicyState } from 'quorate/contract'
import { probabilityText } from 'quorate/figures'
import { useState } from 'react'
import { ask } from '../../api/client.ts'
import { linkTo } from '../../app/router.ts'
import { DataBlock, DataText } from '../../parts/data-text.tsx'
import { Moment } from '../../parts/moment.tsx'
import { NoteForm } from '../../parts/note-form.tsx'
import { TEXT } from '../../text/english.ts'

interface PolicyPanelProps {
  readonly policy: PolicyState
  readonly certificate: MonitorView['certificate']
  /** What a live policy does not do, or does without a promise. */
  readonly warnings: readonly string[]
  readonly isAdmin: boolean
}

const MARKS = { live: '●', idle: '■', suspended: '■', none: '○' } as const
const MEANINGS = {
  live: TEXT.overview.liveMeaning,
  suspended: TEXT.overview.suspendedMeaning,
  none: TEXT.overview.noneMeaning,
} as const

/** Whether quorate acts at all just now, why not, and what can be done about it. */
export function PolicyPanel({ policy, certificate, warnings, isAdmin }: PolicyPanelProps) {
  const { state, cause, reason } = policy
  const shown = state === 'live' && certificate?.canAct === false ? 'idle' : state
  return (
    <section className={`policy-panel is-${shown}`} aria-label={TEXT.overview[shown]}>
      <div className="policy-words">
        <h2 className={`policy-${shown}`}>
          <span aria-hidden="true">{MARKS[shown]}</span> {TEXT.overview[shown]}
        </h2>
        {cause === null ? null : (
          <div className="policy-cause">
            <strong>{TEXT.overview.causes[cause]}.</strong> {reason === null ? null : <DataBlock text={reason} />}
          </div>
        )}
        {shown === 'idle' ? null : <p>{MEANINGS[shown]}</p>}
        {certificate?.canAct === false ? <Idle isFeasible={certificate.feasible} /> : null}
        {warnings.map((warning) => (
          <div key={warning} className="policy-cause">
            <strong>{TEXT.overview.warning}</strong> <DataBlock text={warning} />
          </div>
        ))}
        <PolicyFacts policy={policy} />
        {certificate === null ? (
          <p>
            <a href={linkTo('certificates')}>{TEXT.overview.makeOne}</a>
          </p>
        ) : (
          <CertificateLine certificate={certificate} />
        )}
      </div>
      <PolicyActions state={state} isAdmin={isAdmin} />
    </section>
  )
}

/** A suspended policy may have such a certificate too: a release alone would change nothing. */
function Idle({ isFeasible }: { readonly isFeasible: boolean }) {
  return (
    <p>
      {TEXT.overview.idleMeaning[isFeasible ? 'labels' : 'budget']}{' '}
      <a href={linkTo('operating')}>{TEXT.overview.idleNext}</a>
    </p>
  )
}

function PolicyActions({ state, isAdmin }: { readonly state: PolicyState['state']; readonly isAdmin: boolean }) {
  if (state === 'none') return null
  if (isAdmin) return <PolicyForm key={state} change={state === 'suspended' ? 'release' : 'suspend'} />
  return state === 'suspended' ? <p className="soft">{TEXT.overview.adminOnly}</p> : null
}

function PolicyFacts({ policy: { state, since, by, note } }: { readonly policy: PolicyState }) {
  if (since === null) return null
  return (
    <p className="soft facts">
      <span>
        {TEXT.overview.since} <Moment at={since} />
      </span>
      <span>
        {TEXT.overview.by} {by === null ? TEXT.overview.program : <DataText text={by} />}
      </span>
      {note === null || state === 'none' ? null : (
        <span>
          {TEXT.overview.note}: <DataText text={note} />
        </span>
      )}
    </p>
  )
}

function CertificateLine({ certificate }: { readonly certificate: NonNullable<MonitorView['certificate']> }) {
  const { id, profile, rounds, budget, canAct } = certificate
  return (
    <p className="soft facts">
      <span>
        {TEXT.overview.certificate}{' '}
        <a href={linkTo('certificates', [id])}>
          <DataText text={id.slice(0, 8)} />
        </a>
      </span>
      <span>
        {TEXT.overview.profile} <DataText text={profile} />
      </span>
      <span>{TEXT.overview.upTo(rounds)}</span>
      {canAct ? <span>{TEXT.overview.line(probabilityText(budget.threshold))}</span> : null}
    </p>
  )
}

/** Suspending and releasing both need a note, which the ledger keeps. */
function PolicyForm({ change }: { readonly change: 'suspend' | 'release' }) {
  const [isOpen, setOpen] = useState(false)
  const queries = useQueryClient()
  const close = () => setOpen(false)
  if (isOpen) {
    const send = async (note: string) => {
      await ask<PolicyState>(`/v1/policy/${change}`, { method: 'POST', body: { note } })
      // Awaited, so that the form goes only once the page shows the new state.
      await queries.invalidateQueries({ queryKey: ['monitor'] })
      close()
    }
    const { [`${change}Note` as const]: label, [change]: action, sending } = TEXT.overview
    return <NoteForm label={label} action={action} sending={sending} send={send} close={close} />
  }
  return (
    <p className="policy-action">
      <button type="button" className={change === 'release' ? 'primary' : ''} onClick={() => setOpen(true)}>
        {TEXT.overview[change]} …
      </button>
    </p>
  )
}
