import { useQueryClient } from '@tanstack/react-query'
import type { PolicyState } from 'quorate/contract'
import { useState } from 'react'
import { ask } from '../../api/client.ts'
import { NoteForm } from '../../parts/note-form.tsx'
import { TEXT } from '../../text/english.ts'

/** Holding and releasing both need a note, which the ledger keeps. */
export function PolicyForm({ change }: { readonly change: 'hold' | 'release' }) {
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
    return <NoteForm {...{ label, action, sending, send, close }} />
  }
  return (
    <p className="policy-action">
      <button type="button" className={change === 'release' ? 'primary' : ''} onClick={() => setOpen(true)}>
        {TEXT.overview[change]} …
      </button>
    </p>
  )
}
