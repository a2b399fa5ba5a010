import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useEffect, useRef } from 'react'
import { ApiError } from '../api/client.ts'
import { queryClient, useSession } from '../api/queries.ts'
import { Failure, Loading } from '../parts/page-states.tsx'
import { Frame } from './frame.tsx'
import { PageBoundary } from './page-boundary.tsx'
import { isPageName, PAGE_TITLES, pageOf, preloadPage } from './page-files.ts'
import { parsePlace } from './place.ts'
import { goTo, linkTo, usePlace } from './router.ts'

/** Loads the file of the first page while the session is still being requested. */
export function loadFirstPage(): void {
  const { page } = parsePlace(window.location.hash)
  if (isPageName(page)) preloadPage(page)
}

const SIGN_IN = 'sign-in'

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <SessionPages />
    </QueryClientProvider>
  )
}

/** The sign-in page, or the page of the address once the user is known. */
function SessionPages() {
  const session = useSession()
  const { page } = usePlace()
  const isSigningIn = page === SIGN_IN
  const isSignedIn = session.data?.isLocal === false
  useEffect(() => {
    if (isSigningIn && isSignedIn) goTo(linkTo(''))
  }, [isSigningIn, isSignedIn])
  if (session.isPending) return <Loading what="quorate" />
  const isUnknown = session.error instanceof ApiError && session.error.status === 401
  if (isUnknown || (isSigningIn && !isSignedIn)) return <SignIn />
  // A user who was known stays known while the session cannot be requested again.
  if (session.data === undefined) return <Failure error={session.error} again={() => void session.refetch()} />
  return <Page session={session.data} />
}

function SignIn() {
  const Shown = pageOf(SIGN_IN)
  return (
    <PageBoundary path={SIGN_IN}>
      <Suspense fallback={<Loading what="quorate" />}>
        <Shown />
      </Suspense>
    </PageBoundary>
  )
}

function Page({ session }: { readonly session: NonNullable<ReturnType<typeof useSession>['data']> }) {
  const { page, rest } = usePlace()
  const path = [page, ...rest].join('/')
  const heading = useRef<HTMLElement>(null)
  const Shown = isPageName(page) ? pageOf(page) : NotFound
  const title = isPageName(page) ? PAGE_TITLES[page] : 'There is no such page'
  useEffect(() => {
    document.title = `${title} · quorate`
  }, [title])
  const shown = useRef(path)
  useEffect(() => {
    // On the first page the focus stays at the top, so that Tab reaches the link past the navigation.
    if (shown.current === path) return
    shown.current = path
    // Some pages have already focused a better element, such as their heading.
    const main = heading.current
    if (main?.contains(document.activeElement) === false) main.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [path])
  return (
    <Frame session={session} page={page} main={heading}>
      <PageBoundary path={path}>
        <Suspense fallback={<Loading what={title} />}>
          <Shown />
        </Suspense>
      </PageBoundary>
    </Frame>
  )
}

function NotFound() {
  return (
    <section className="state">
      <h1>There is no such page</h1>
      <p>
        <a href={linkTo('')}>To the overview</a>
      </p>
    </section>
  )
}
