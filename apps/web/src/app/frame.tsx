import { useMutation } from '@tanstack/react-query'
import type { SessionView } from 'quorate/contract'
import type { ReactNode, RefObject } from 'react'
import { ApiError, ask } from '../api/client.ts'
import { useMonitor } from '../api/queries.ts'
import { forgetSessionKey } from '../api/session-key.ts'
import { DataText } from '../parts/data-text.tsx'
import { PolicyBadge } from '../parts/policy-badge.tsx'
import { TEXT } from '../text/english.ts'
import { linkTo } from './router.ts'
import { ThemeButton } from './theme-button.tsx'

const ORDER = ['', 'operating', 'debates', 'queue', 'audit', 'certificates'] as const

interface FrameProps {
  readonly session: SessionView
  readonly page: string
  readonly main: RefObject<HTMLElement | null>
  readonly children: ReactNode
}

/** What every page has: where you are, whether the policy is live, who you are. */
export function Frame({ session, page, main, children }: FrameProps) {
  const monitor = useMonitor()
  const waiting = monitor.data?.queue.waiting
  return (
    <>
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        {TEXT.app.skip}
      </button>
      <header className="bar">
        <a className="brand" href={linkTo('')}>
          {TEXT.app.name}
        </a>
        <nav aria-label={TEXT.app.pages}>
          <ul>
            {ORDER.map((name) => (
              <li key={name}>
                <a href={linkTo(name)} aria-current={name === page ? 'page' : undefined}>
                  {TEXT.pages[name]}
                  {name === 'queue' && waiting !== undefined && waiting > 0 ? (
                    <span className="count"> {waiting.toLocaleString('en')}</span>
                  ) : null}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="who">
          <PolicyBadge monitor={monitor.data} />
          <Who session={session} />
          <a className="soft" href="/docs">
            {TEXT.app.docs}
          </a>
          <ThemeButton />
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
    </>
  )
}

/** Under whose name things are done here, and how to end that. */
function Who({ session: { name, role, isLocal } }: { readonly session: SessionView }) {
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
