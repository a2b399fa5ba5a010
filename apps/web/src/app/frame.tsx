import { useMutation } from '@tanstack/react-query'
import type { MonitorView, SessionView } from 'quorate/contract'
import { countText } from 'quorate/figures'
import { type ReactNode, type RefObject, useState } from 'react'
import { clearStored } from '../api/browser-storage.ts'
import { ApiError, request } from '../api/client.ts'
import { useMonitor } from '../api/queries.ts'
import { clearSessionKey } from '../api/session-key.ts'
import { useSummary } from '../pages/debates/debates-queries.ts'
import { DataText } from '../parts/data-text.tsx'
import { Icon, type IconName, Logo } from '../parts/icons.tsx'
import { Mark } from '../parts/mark.tsx'
import { timeText } from '../parts/number-text.ts'
import { useSavedViews } from '../parts/saved-views.ts'
import { goToSearch, KeysDialog, usePageKeys } from './keys.tsx'
import { PAGE_TITLES } from './page-files.ts'
import { linkTo, usePlace } from './router.ts'
import { ThemeButton } from './theme-button.tsx'

const WORDS = {
  roles: { viewer: 'viewer', reviewer: 'reviewer', admin: 'admin' },
} as const

const PAGES = [
  ['', 'overview'],
  ['runs', 'runs'],
  ['debates', 'debates'],
  ['review', 'review'],
  ['certificates', 'certificates'],
  ['settings', 'settings'],
] as const satisfies readonly (readonly [string, IconName])[]

/** The tabs on a phone. The other pages are under More. */
const TAB_PAGES = ['', 'debates', 'review', 'certificates'] as const

interface FrameProps {
  readonly session: SessionView
  readonly page: string
  readonly main: RefObject<HTMLElement | null>
  readonly children: ReactNode
}

/** Surrounds every page with the navigation, the state of the policy and the user. */
export function Frame({ session, page, main, children }: FrameProps) {
  const monitor = useMonitor()
  const [hasHelp, setHelp] = useState(false)
  const { rest } = usePlace()
  usePageKeys({ hasOwnHelp: page === 'review' && rest[0] !== 'list', openHelp: () => setHelp(true) })
  const waiting = monitor.data?.queue.waiting ?? 0
  return (
    <div className={`frame ${page === 'review' ? 'is-slim' : ''}`}>
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <header className="sidebar">
        <Brand />
        <PolicyState monitor={monitor.data} lostAt={monitor.isError ? monitor.dataUpdatedAt : null} />
        <nav aria-label="Pages">
          <ul>
            {PAGES.map(([name, icon]) => (
              <li key={name}>
                <a href={linkTo(name)} aria-current={name === page ? 'page' : undefined}>
                  <Icon name={icon} />
                  <span className="name">{PAGE_TITLES[name]}</span>
                  <Count of={name === 'review' ? waiting : 0} />
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <SavedViews />
        <div className="foot">
          <button type="button" className="quiet" onClick={goToSearch}>
            Search everything <kbd>/</kbd>
          </button>
          <button type="button" className="quiet" onClick={() => setHelp(true)}>
            Keys <kbd>?</kbd>
          </button>
          <ThemeButton />
          <CurrentUser session={session} />
        </div>
      </header>
      <header className="top">
        <Brand />
        <PolicyState monitor={monitor.data} lostAt={monitor.isError ? monitor.dataUpdatedAt : null} />
        <button type="button" aria-label="Search everything" onClick={goToSearch}>
          <Icon name="search" />
        </button>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
      <nav className="tab-bar" aria-label="Pages">
        {TAB_PAGES.map((name) => (
          <a key={name} href={linkTo(name)} aria-current={name === page ? 'page' : undefined}>
            <Icon name={name === '' ? 'overview' : name} />
            {PAGE_TITLES[name]}
            <Count of={name === 'review' ? waiting : 0} />
          </a>
        ))}
        <a href={linkTo('settings')} aria-current={page === 'settings' || page === 'runs' ? 'page' : undefined}>
          <Icon name="more" />
          More
        </a>
      </nav>
      <KeysDialog isOpen={hasHelp} onClose={() => setHelp(false)} />
    </div>
  )
}

/** Filters of the debates that were saved under a name in this browser. */
function SavedViews() {
  const views = useSavedViews()
  if (views.length === 0) return null
  return (
    <nav className="saved" aria-labelledby="saved-views">
      <h2 id="saved-views">Saved views</h2>
      <ul>
        {views.map(({ name, query }) => (
          <li key={name}>
            <SavedView name={name} query={query} />
          </li>
        ))}
      </ul>
    </nav>
  )
}

function SavedView({ name, query }: { readonly name: string; readonly query: Readonly<Record<string, string>> }) {
  const summary = useSummary(query).data
  return (
    <a href={linkTo('debates', [], query)}>
      <DataText text={name} />
      {summary === undefined ? null : (
        <span className="count">
          {countText(summary.debates)}
          {summary.isCut ? '+' : ''}
        </span>
      )}
    </a>
  )
}

function Brand() {
  return (
    <a className="brand" href={linkTo('')}>
      <Logo />
      <span className="name">quorate</span>
    </a>
  )
}

function Count({ of }: { readonly of: number }) {
  return of === 0 ? null : <span className="count">{countText(of)}</span>
}

const STATE_MARKS = { acting: 'act', idle: 'none', shadow: 'none', suspended: 'stopped', none: 'none' } as const

/** The sentence about the state of the policy. The server writes it. */
function PolicyState({
  monitor,
  lostAt,
}: {
  readonly monitor: MonitorView | undefined
  /** When the state was last known, while it cannot be updated; null if it is current. */
  readonly lostAt: number | null
}) {
  if (monitor === undefined) return <span className="policy-state soft">state not known yet</span>
  const { kind, name, detail } = monitor.state
  if (lostAt !== null) {
    return (
      <a className="policy-state" href={linkTo('')}>
        <Mark name="few" />
        <strong>Not updated</strong>
        <span>
          since {timeText(lostAt)}. Then: {name}
        </span>
      </a>
    )
  }
  return (
    <a className="policy-state" href={linkTo('')} title={`${name} ${detail}`}>
      <Mark name={STATE_MARKS[kind]} />
      <strong>{name}</strong>
      <span>
        <DataText text={detail} />
      </span>
    </a>
  )
}

/** The name and role of the user, with a button to sign in or out. */
export function CurrentUser({ session: { name, role, isLocal } }: { readonly session: SessionView }) {
  const signingOut = useMutation({ mutationFn: signOut })
  return (
    <>
      <span className="who">
        <DataText text={name} /> ({WORDS.roles[role]})
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
