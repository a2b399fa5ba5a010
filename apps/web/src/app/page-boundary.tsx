import { Component, type ReactNode, useState } from 'react'
import { isServerReachable, PageNotLoaded } from './page-files.ts'

const WORDS = {
  away: {
    title: 'The server cannot be reached',
    next: 'This page could not be loaded. Try again when the server runs and you are online.',
  },
  broken: { title: 'This page has failed', next: 'This is an error in quorate. The other pages still work.' },
  gone: {
    title: 'This page could not be loaded',
    next: 'The server has no such file, even after a reload. Was quorate upgraded a moment ago?',
  },
} as const

interface PageBoundaryProps {
  readonly path: string
  readonly children: ReactNode
}

interface Caught {
  readonly path: string
  /** Null if nothing was thrown at this path. */
  readonly error: { readonly thrown: unknown } | null
}

/** Contains the failure of a page. The navigation stays, and another path starts afresh. */
export class PageBoundary extends Component<PageBoundaryProps, Caught> {
  override state: Caught = { path: this.props.path, error: null }

  static getDerivedStateFromError(thrown: unknown): Partial<Caught> {
    return { error: { thrown } }
  }

  static getDerivedStateFromProps({ path }: PageBoundaryProps, before: Caught): Caught | null {
    return path === before.path ? null : { path, error: null }
  }

  override render(): ReactNode {
    const { error } = this.state
    return error === null ? this.props.children : <PageFailure error={error.thrown} />
  }
}

/** Only a reload repairs the page, and only while the server is reachable. */
function PageFailure({ error }: { readonly error: unknown }) {
  const [words, setWords] = useState(() => wordsOf(error))
  const [isAsking, setAsking] = useState(false)
  const again = async () => {
    setAsking(true)
    if (await isServerReachable()) return window.location.reload()
    setWords(WORDS.away)
    setAsking(false)
  }
  return (
    <section className="state failure" role="alert">
      <h1>{words.title}</h1>
      <p>{words.next}</p>
      <p>
        <button type="button" disabled={isAsking} onClick={() => void again()}>
          Try again
        </button>
      </p>
    </section>
  )
}

function wordsOf(error: unknown): { readonly title: string; readonly next: string } {
  if (!(error instanceof PageNotLoaded)) return WORDS.broken
  return error.isServerReachable ? WORDS.gone : WORDS.away
}
