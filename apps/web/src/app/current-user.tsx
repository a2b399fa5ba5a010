import { useMutation } from '@tanstack/react-query'
import type { SessionView } from 'quorate/contract'
import { clearStored } from '../api/browser-storage.ts'
import { ApiError, request } from '../api/client.ts'
import { clearSessionKey } from '../api/session-key.ts'
import { DataText } from '../parts/data-text.tsx'
import { linkTo } from './router.ts'

/** The name and role of the user, with a button to sign in or out. */
export function CurrentUser({ session: { name, role, isLocal } }: { readonly session: SessionView }) {
  const signingOut = useMutation({ mutationFn: signOut })
  return (
    <>
      <span className="who">
        <DataText text={name} /> ({role})
      </span>
      {isLocal ? (
        <a
          className="button quiet"
          href={linkTo('sign-in')}
          title="Everybody who uses this machine is an admin here. Sign in with a token to work under your own name."
        >
          Sign in as …
        </a>
      ) : (
        <button type="button" className="quiet" disabled={signingOut.isPending} onClick={() => signingOut.mutate()}>
          Sign out
        </button>
      )}
      {signingOut.isError ? (
        <span className="bad" role="alert">
          Not signed out: {signingOut.error.message}
        </span>
      ) : null}
    </>
  )
}

/** Loads a new document, so that the next user sees nothing of this session. */
async function signOut(): Promise<void> {
  await request('/v1/session', { method: 'DELETE' }).catch((error: unknown) => {
    // The session has already ended.
    if (!(error instanceof ApiError && error.status === 401)) throw error
  })
  clearSessionKey()
  clearStored('sessionStorage')
  window.location.assign('/')
}
