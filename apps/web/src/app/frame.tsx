import type { MonitorView, SessionView } from 'quorate/contract'
import { countText } from 'quorate/figures'
import { type ReactNode, type RefObject, useState } from 'react'
import { useMonitor } from '../api/queries.ts'
import { useSummary } from '../pages/debates/debates-queries.ts'
import { DataText } from '../parts/data-text.tsx'
import { Icon, type IconName, Logo } from '../parts/icons.tsx'
import { Mark } from '../parts/mark.tsx'
import { timeText } from '../parts/number-text.ts'
import { useSavedViews } from '../parts/saved-views.ts'
import { CurrentUser } from './current-user.tsx'
import { goToSearch, KeysDialog, usePageKeys } from './keys.tsx'
import { PAGE_TITLES } from './page-files.ts'
import { linkTo, usePlace } from './router.ts'
import { ThemeButton } from './theme-button.tsx'

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
