import { useMutation } from '@tanstack/react-query'
import type { SessionView } from 'quorate/contract'
import { ApiError, ask } from '../api/client.ts'
import { forgetSessionKey } from '../api/session-key.ts'
import { DataText } from '../parts/data-text.tsx'
import { TEXT } from '../text/english.ts'
import { linkTo } from './router.ts'

/** Under whose name things are done here, and how to end that. */
export function Who({ session: { name, role, isLocal } }: { readonly session: SessionView }) {
  const leaving = useMutation({ mutationFn: signOut })
  return (
    <>
      <span className="soft">
        <DataText text={name} /> ({TEXT.app.roles[role]})
      </span>
      {isLocal ? (
        <a className="soft" href={linkTo('sign-in')} title={TEXT.app.localTitle}>
          {TEXT.app.signInAs}
        </a>
      ) : (
        <button type="button" className="quiet" disabled={leaving.isPending} onClick={() => leaving.mutate()}>
          {TEXT.app.signOut}
        </button>
      )}
      {leaving.isError ? (
        <span className="bad" role="alert">
          {TEXT.app.notSignedOut}: {leaving.error.message}
        </span>
      ) : null}
    </>
  )
}

/** A new document: nothing that was in hand or on a page is left for whoever comes next. */
async function signOut(): Promise<void> {
  await ask('/v1/session', { method: 'DELETE' }).catch((error: unknown) => {
    // The session has ended already, which is all that was wanted.
    if (!(error instanceof ApiError && error.status === 401)) throw error
  })
  forgetSessionKey()
  sessionStorage.clear()
  window.location.assign('/')
}
