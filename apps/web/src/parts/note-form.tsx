import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import '../style/note-form.css'

const MIN_LETTERS = 3
const MAX_LETTERS = 5000

export interface NoteFormProps {
  /** The question that the note answers. */
  readonly label: string
  readonly action: string
  readonly sending: string
  readonly send: (note: string) => Promise<unknown>
  readonly close: () => void
  /** The action is not possible now. The surroundings of the form explain why. */
  readonly isOff?: boolean
}

/** Asks for the reason of an action, which the ledger records, and then takes the action. */
export function NoteForm({ label, action, sending: busy, send, close, isOff = false }: NoteFormProps) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [note, setNote] = useState('')
  const [isTooShort, setTooShort] = useState(false)
  const sending = useMutation({ mutationFn: () => send(note.trim()) })
  useEffect(() => field.current?.focus(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const isShort = note.trim().length < MIN_LETTERS
    setTooShort(isShort)
    if (isShort) field.current?.focus()
    else sending.mutate()
  }
  const problem = isTooShort ? 'Write at least 3 letters.' : sending.isError ? sending.error.message : null
  return (
    <form className="note-form" onSubmit={submit} noValidate>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        ref={field}
        rows={3}
        required
        minLength={MIN_LETTERS}
        maxLength={MAX_LETTERS}
        value={note}
        aria-invalid={isTooShort}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        onChange={(event) => setNote(event.target.value)}
      />
      <p id={`${id}-problem`} className="bad" role="alert">
        {problem}
      </p>
      <p className="buttons">
        <button type="submit" className="primary" disabled={sending.isPending || isOff}>
          {sending.isPending ? busy : action}
        </button>{' '}
        <button type="button" onClick={close}>
          Cancel
        </button>
      </p>
    </form>
  )
}
