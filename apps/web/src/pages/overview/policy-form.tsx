import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { PolicyState } from 'quorate/contract'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { ask } from '../../api/client.ts'
import { TEXT } from '../../text/english.ts'

const LEAST_LETTERS = 3
const MOST_LETTERS = 5000

/** Holding and releasing both need a note, which the ledger keeps. */
export function PolicyForm({ change }: { readonly change: 'hold' | 'release' }) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen) return <NoteForm change={change} close={() => setOpen(false)} />
  return (
    <p className="policy-action">
      <button type="button" className={change === 'release' ? 'primary' : ''} onClick={() => setOpen(true)}>
        {TEXT.overview[change]} …
      </button>
    </p>
  )
}

function NoteForm({ change, close }: { readonly change: 'hold' | 'release'; readonly close: () => void }) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [note, setNote] = useState('')
  const [isTooShort, setTooShort] = useState(false)
  const queries = useQueryClient()
  const sending = useMutation({
    mutationFn: () => ask<PolicyState>(`/v1/policy/${change}`, { method: 'POST', body: { note: note.trim() } }),
    // Awaited, so that the form goes only once the page shows the new state.
    onSuccess: () => queries.invalidateQueries({ queryKey: ['monitor'] }).then(close),
  })
  useEffect(() => field.current?.focus(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const isShort = note.trim().length < LEAST_LETTERS
    setTooShort(isShort)
    if (isShort) field.current?.focus()
    else sending.mutate()
  }
  const problem = isTooShort ? TEXT.overview.noteTooShort : sending.isError ? sending.error.message : null
  return (
    <form className="policy-form" onSubmit={submit} noValidate>
      <label htmlFor={id}>{TEXT.overview[`${change}Note`]}</label>
      <textarea
        id={id}
        ref={field}
        rows={3}
        required
        minLength={LEAST_LETTERS}
        maxLength={MOST_LETTERS}
        value={note}
        aria-invalid={isTooShort}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        onChange={(event) => setNote(event.target.value)}
      />
      <p id={`${id}-problem`} className="bad" role="alert">
        {problem}
      </p>
      <p className="buttons">
        <button type="submit" className="primary" disabled={sending.isPending}>
          {sending.isPending ? TEXT.overview.sending : TEXT.overview[change]}
        </button>{' '}
        <button type="button" onClick={close}>
          {TEXT.overview.cancel}
        </button>
      </p>
    </form>
  )
}
