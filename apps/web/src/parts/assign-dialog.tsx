import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { AssignReviews, ChangedReviews } from 'quorate/contract'
import { countText } from 'quorate/figures'
import { type FormEvent, useId, useState } from 'react'
import { request } from '../api/client.ts'
import { useSession, useTokens } from '../api/queries.ts'
import { Modal } from './modal.tsx'

const KEEP = ''
const NOBODY = '-'
const DUE = [
  [KEEP, 'as it is'],
  ['0', 'today, 17:00'],
  ['1', 'tomorrow, 17:00'],
  ['7', 'in a week, 17:00'],
  ['at', 'another time'],
  [NOBODY, 'no due date'],
] as const
const DUE_HOUR = 17

interface AssignDialogProps {
  /** The items: by their ids, or those of the named debates that wait for review. */
  readonly of: Pick<AssignReviews, 'ids' | 'debates'>
  readonly count: number
  readonly isOpen: boolean
  readonly close: () => void
  /** Receives a sentence that reports what was done. */
  readonly done: (sentence: string) => void
}

/** Sets who reviews the selected items, and by when. */
export function AssignDialog(props: AssignDialogProps) {
  return (
    <Modal title={`Assign ${itemsText(props.count)}`} isOpen={props.isOpen} onClose={props.close}>
      <AssignForm {...props} />
    </Modal>
  )
}

function AssignForm({ of, close, done }: AssignDialogProps) {
  const id = useId()
  const people = usePeople()
  const client = useQueryClient()
  const [person, setPerson] = useState(KEEP)
  const [due, setDue] = useState<string>(KEEP)
  const [at, setAt] = useState('')
  const dueAt = dueTime(due, at)
  const assigning = useMutation({
    mutationFn: (body: AssignReviews) => request<ChangedReviews>('/v1/reviews/assign', { method: 'POST', body }),
    onSuccess: (changed) => {
      void client.invalidateQueries({ queryKey: ['reviews'] })
      done(changedText(changed, 'assigned'))
      close()
    },
  })
  const isReady = (person !== KEEP || due !== KEEP) && (due !== 'at' || dueAt !== undefined)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isReady) return
    assigning.mutate({
      ...of,
      ...(person === KEEP ? {} : { assignedTo: person === NOBODY ? null : person }),
      ...(dueAt === undefined ? {} : { dueAt }),
    })
  }
  return (
    <form className="assign" onSubmit={submit}>
      <p>
        <label htmlFor={`${id}-person`}>Reviewer</label>
        <select id={`${id}-person`} value={person} onChange={(event) => setPerson(event.target.value)}>
          <option value={KEEP}>as it is</option>
          {people.map((name) => (
            <option key={name}>{name}</option>
          ))}
          <option value={NOBODY}>anybody</option>
        </select>
      </p>
      <p>
        <label htmlFor={`${id}-due`}>Due</label>
        <select id={`${id}-due`} value={due} onChange={(event) => setDue(event.target.value)}>
          {DUE.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </p>
      {due === 'at' ? (
        <p>
          <label htmlFor={`${id}-at`}>Due at</label>
          <input
            id={`${id}-at`}
            type="datetime-local"
            value={at}
            required
            onChange={(event) => setAt(event.target.value)}
          />
        </p>
      ) : null}
      <p className="small soft">
        Assigned items come to their reviewer first. From the due date on anybody gets them. Skipping keeps them
        assigned.
      </p>
      {assigning.isError ? (
        <p className="bad" role="alert">
          {assigning.error.message}
        </p>
      ) : null}
      <p className="buttons">
        <button type="button" onClick={close}>
          Cancel
        </button>{' '}
        <button type="submit" className="primary" disabled={!isReady || assigning.isPending}>
          {assigning.isPending ? 'Assigning …' : 'Assign'}
        </button>
      </p>
    </form>
  )
}

/** The names of everybody who may review. Only an admin sees those of others, which come from the tokens. */
export function usePeople(isOn = true): readonly string[] {
  const session = useSession().data
  const tokens = useTokens(isOn && session?.role === 'admin')
  const now = Date.now()
  const names = (tokens.data?.items ?? []).flatMap(({ name, kind, role, revokedAt, expiresAt }) => {
    const isGood = revokedAt === null && (expiresAt === null || expiresAt > now)
    return isGood && kind === 'human' && role !== 'viewer' ? [name] : []
  })
  const isReviewer = session?.kind === 'human' && session.role !== 'viewer'
  return [...new Set([...(isReviewer ? [session.name] : []), ...names])].toSorted()
}

function dueTime(due: string, at: string): number | null | undefined {
  if (due === KEEP) return undefined
  if (due === NOBODY) return null
  if (due === 'at') {
    const time = new Date(at).getTime()
    return Number.isFinite(time) ? time : undefined
  }
  const day = new Date()
  day.setDate(day.getDate() + Number(due))
  return day.setHours(DUE_HOUR, 0, 0, 0)
}

function itemsText(count: number): string {
  return `${countText(count)} ${count === 1 ? 'item' : 'items'}`
}

/** “3 items assigned. 1 needed no change. 2 do not wait for review.” */
export function changedText({ changed, unchanged, closed, missing }: ChangedReviews, verb: string): string {
  const gone = closed + missing
  const parts = [
    changed > 0 || unchanged + gone === 0 ? `${itemsText(changed)} ${verb}.` : '',
    unchanged === 0 ? '' : unchanged === 1 ? '1 needed no change.' : `${countText(unchanged)} needed no change.`,
    gone === 0 ? '' : gone === 1 ? '1 does not wait for review.' : `${countText(gone)} do not wait for review.`,
  ]
  return parts.filter((part) => part !== '').join(' ')
}
