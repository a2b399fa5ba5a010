import type { SessionView } from 'quorate/contract'
import type { ReactNode, RefObject } from 'react'
import { useMonitor } from '../api/queries.ts'
import { PolicyBadge } from '../parts/policy-badge.tsx'
import { TEXT } from '../text/english.ts'
import { linkTo } from './router.ts'
import { ThemeButton } from './theme-button.tsx'
import { Who } from './who.tsx'

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
