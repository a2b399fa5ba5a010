import { useState } from 'react'
import { TEXT } from '../../text/english.ts'
import { useActivate } from './certificate-queries.ts'

/** Two steps: what decides from now on is not changed by one slip. */
export function Activate({ id, isAdmin }: { readonly id: string; readonly isAdmin: boolean }) {
  const [isAsking, setAsking] = useState(false)
  const activating = useActivate(id)
  if (!isAdmin) return <p className="soft">{TEXT.certificates.adminOnly}</p>
  if (!isAsking) {
    return (
      <p>
        <button type="button" onClick={() => setAsking(true)}>
          {TEXT.certificates.activate} …
        </button>
      </p>
    )
  }
  return (
    <div className="activate">
      <p>{TEXT.certificates.activateQuestion}</p>
      {activating.isError ? (
        <p className="bad" role="alert">
          {activating.error.message}
        </p>
      ) : null}
      <p>
        <button
          type="button"
          className="primary"
          disabled={activating.isPending}
          ref={(button) => button?.focus()}
          onClick={() => activating.mutate()}
        >
          {activating.isPending ? TEXT.certificates.activating : TEXT.certificates.activateYes}
        </button>{' '}
        <button type="button" onClick={() => setAsking(false)}>
          {TEXT.certificates.cancel}
        </button>
      </p>
    </div>
  )
}
