import type { CertificateRow, CertificateView } from 'quorate/contract'
import { countText, percentText } from 'quorate/figures'
import { useId, useState } from 'react'
import { useMonitor } from '../../api/queries.ts'
import { goTo, linkTo, usePlace } from '../../app/router.ts'
import { DataText } from '../../parts/data-text.tsx'
import { Modal } from '../../parts/modal.tsx'
import { NoteForm } from '../../parts/note-form.tsx'
import { declaredText } from '../../parts/number-text.ts'
import { type ActivationMode, useActivate, useCertificate } from './certificate-queries.ts'

/** A dialog that compares the new certificate with the active one and asks for a mode and a note, against slips. */
export function Activate({ row, isAdmin }: { readonly row: CertificateRow; readonly isAdmin: boolean }) {
  const { query, rest } = usePlace()
  const isWanted = query.get('activate') === 'yes'
  const [isOpen, setOpen] = useState(isWanted)
  if (row.isActive) return null
  if (!isAdmin) return <span className="small soft">An admin can activate it.</span>
  const close = () => {
    setOpen(false)
    if (isWanted) goTo(linkTo('certificates', rest))
  }
  return (
    <>
      <button type="button" className="primary" onClick={() => setOpen(true)}>
        Activate…
      </button>
      <Modal title={`Activate ${row.id.slice(0, 6)}?`} isOpen={isOpen} onClose={close}>
        <Activation row={row} close={close} />
      </Modal>
    </>
  )
}

function Activation({ row, close }: { readonly row: CertificateRow; readonly close: () => void }) {
  const [mode, setMode] = useState<ActivationMode>('act')
  const activate = useActivate(row.id)
  const monitor = useMonitor().data
  const view = useCertificate(row.id).data
  const last = monitor?.periods.at(-1)?.number ?? 0
  const suspended = monitor?.policy.state === 'suspended' ? monitor.policy.cause : null
  const mismatch = view?.mismatch ?? []
  return (
    <>
      <Change row={row} mode={mode} />
      <Modes mode={mode} choose={setMode} />
      <p className="small soft">
        {mode === 'shadow'
          ? 'From the next question on it decides and records, and everything goes to people. Act… on the overview ends shadow mode.'
          : suspended === null
            ? `Period ${last + 1} begins. Tests restart.`
            : suspended === 'shadow'
              ? 'The policy stays in shadow mode until Act… on the overview ends it.'
              : 'The policy stays suspended until it is released.'}
        {last === 0
          ? ''
          : ` ${last === 1 ? 'Period 1 stays' : `Periods 1 to ${last} stay`} in the charts and in exports.`}
      </p>
      {mismatch.length === 0 ? null : (
        <p className="bad" role="alert">
          The panel of this server is not the one that was calibrated. It differs in{' '}
          <DataText text={mismatch.join(', ')} />.
        </p>
      )}
      <NoteForm
        label="Why? (goes into the ledger)"
        action="Activate"
        sending="Activating …"
        isOff={mismatch.length > 0}
        send={async (note) => {
          await activate(note, mode)
          close()
        }}
        close={close}
      />
    </>
  )
}

function Modes({ mode, choose }: { readonly mode: ActivationMode; readonly choose: (mode: ActivationMode) => void }) {
  const id = useId()
  return (
    <fieldset className="activate-modes">
      <legend className="hidden">What it does</legend>
      <label>
        <input type="radio" name={id} checked={mode === 'act'} onChange={() => choose('act')} />
        <span>
          <strong>Act</strong> on what the certificate allows
        </span>
      </label>
      <label>
        <input type="radio" name={id} checked={mode === 'shadow'} onChange={() => choose('shadow')} />
        <span>
          <strong>Shadow first</strong>: decide and record, but send everything to people
        </span>
      </label>
    </fieldset>
  )
}

/** The active certificate beside the new one, so that nobody raises a budget unknowingly. */
function Change({ row, mode }: { readonly row: CertificateRow; readonly mode: ActivationMode }) {
  const active = useMonitor().data?.certificate?.id ?? null
  const now = useCertificate(active ?? row.id).data
  const then = useCertificate(row.id).data
  if (now === undefined || then === undefined) return null
  const both = active === null ? [then] : [now, then]
  return (
    <>
      <p>
        {active === null ? (
          `No certificate is active now. With this one the panel begins to ${mode === 'shadow' ? 'decide, and everything goes to people' : 'act'}.`
        ) : (
          <>It replaces {active.slice(0, 6)} from the next question on.</>
        )}
      </p>
      <table className="activate-change">
        <thead>
          <tr>
            <td />
            {both.map(({ id }) => (
              <th key={id} scope="col" className="number mono">
                {id.slice(0, 6)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {LINES.map(([name, text]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {both.map((one) => (
                <td key={one.id} className="number">
                  {one.id === row.id ? <strong>{text(one)}</strong> : text(one)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {active !== null && row.budget.beta > now.budget.beta ? (
        <p className="bad">This raises the budget: more actions may be wrong.</p>
      ) : null}
      {row.feasible ? null : (
        <p className="bad">Its budget is too small to act on anything, so every question is deferred.</p>
      )}
    </>
  )
}

const LINES: readonly (readonly [string, (view: CertificateView) => string])[] = [
  ['Acts on', (view) => shareText(view, 'acted')],
  ['Wrong, of the labelled', (view) => shareText(view, 'wrong')],
  ['Beta', ({ budget }) => `${declaredText(budget.beta)} %`],
  [
    'Floor',
    ({ promise }) => (promise?.floor === null || promise === null ? 'none' : `${declaredText(promise.floor)} %`),
  ],
  ['Labels', ({ labels }) => countText(labels)],
  ['Profile', ({ profile }) => profile],
]

/** A share of the labels that were set aside for counting. Only profile total sets some aside. */
function shareText({ promise }: CertificateView, part: 'acted' | 'wrong'): string {
  const all = promise?.outcomes.find(({ group }) => group === null)
  return all === undefined || all.counted === 0
    ? 'not counted'
    : `${percentText(all[part] / all.counted)} % of ${countText(all.counted)}`
}
