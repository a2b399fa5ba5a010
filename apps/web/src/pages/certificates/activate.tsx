import type { CertificateRow } from 'quorate/contract'
import { useState } from 'react'
import { NoteForm } from '../../parts/note-form.tsx'
import { TEXT } from '../../text/english.ts'
import { ActivateChange } from './activate-change.tsx'
import { useActivate } from './certificate-queries.ts'

const WORDS = TEXT.certificates

/** Two steps and a note: what decides from now on is not changed by one slip. */
export function Activate({ row, isAdmin }: { readonly row: CertificateRow; readonly isAdmin: boolean }) {
  const [isAsking, setAsking] = useState(false)
  const activate = useActivate(row.id)
  if (!isAdmin) return <p className="soft">{WORDS.adminOnly}</p>
  if (!isAsking) {
    return (
      <p>
        <button type="button" onClick={() => setAsking(true)}>
          {WORDS.activate} …
        </button>
      </p>
    )
  }
  return (
    <div className="activate">
      <ActivateChange row={row} />
      <NoteForm
        label={WORDS.activateNote}
        action={WORDS.activateYes}
        sending={WORDS.activating}
        send={activate}
        close={() => setAsking(false)}
      />
    </div>
  )
}
