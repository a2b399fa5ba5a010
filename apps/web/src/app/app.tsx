import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { ApiError } from '../api/client.ts'
import { queryClient, useSession } from '../api/queries.ts'
import { Failure, Loading } from '../parts/page-states.tsx'
import { TEXT } from '../text/english.ts'
import { Frame } from './frame.tsx'
import { NotFound } from './not-found.tsx'
import { parsePlace, usePlace } from './router.ts'

/** One page, one file to load. */
const FILES = {
  '': () => import('../pages/overview/overview-page.tsx').then(({ OverviewPage }) => ({ default: OverviewPage })),
  operating: () =>
    import('../pages/operating-point/operating-point-page.tsx').then(({ OperatingPointPage }) => ({
      default: OperatingPointPage,
    })),
  debates: () => import('../pages/debates/debates-page.tsx').then(({ DebatesPage }) => ({ default: DebatesPage })),
  queue: () => import('../pages/queue/queue-page.tsx').then(({ QueuePage }) => ({ default: QueuePage })),
  audit: () => import('../pages/audit/audit-page.tsx').then(({ AuditPage }) => ({ default: AuditPage })),
  certificates: () =>
    import('../pages/certificates/certificates-page.tsx').then(({ CertificatesPage }) => ({
      default: CertificatesPage,
    })),
} as const

const PAGES = {
  '': lazy(FILES['']),
  operating: lazy(FILES.operating),
  debates: lazy(FILES.debates),
  queue: lazy(FILES.queue),
  audit: lazy(FILES.audit),
  certificates: lazy(FILES.certificates),
} as const

/** Loads the file of the first page while the server is still asked who is there. */
export function loadFirstPage(): void {
  const { page } = parsePlace(window.location.hash)
  // A key, as is checked; what fails is told when the page is shown.
  if (Object.hasOwn(FILES, page)) FILES[page as keyof typeof FILES]().catch(() => {})
}

const SignIn = lazy(() =>
  import('../pages/sign-in/sign-in-page.tsx').then(({ SignInPage }) => ({ default: SignInPage })),
)

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Signed />
    </QueryClientProvider>
  )
}

function Signed() {
  const session = useSession()
  if (session.isPending) return <Loading what={TEXT.app.name} />
  if (session.isError) {
    const isUnknown = session.error instanceof ApiError && session.error.status === 401
    return isUnknown ? (
      <Suspense fallback={<Loading what={TEXT.app.name} />}>
        <SignIn />
      </Suspense>
    ) : (
      <Failure error={session.error} again={() => void session.refetch()} />
    )
  }
  return <Page session={session.data} />
}

function Page({ session }: { readonly session: NonNullable<ReturnType<typeof useSession>['data']> }) {
  const { page, rest } = usePlace()
  const path = [page, ...rest].join('/')
  const heading = useRef<HTMLElement>(null)
  const isKnown = Object.hasOwn(PAGES, page)
  const Shown = isKnown ? PAGES[page as keyof typeof PAGES] : NotFound // a key, as was just checked
  const title = TEXT.pages[page as keyof typeof TEXT.pages] ?? TEXT.app.notFound
  useEffect(() => {
    document.title = `${title} · ${TEXT.app.name}`
  }, [title])
  const shown = useRef(path)
  useEffect(() => {
    // The first page begins where every page does, so that Tab finds the way past the navigation.
    if (shown.current === path) return
    shown.current = path
    // A page that knows a better place, its heading for one, has taken the focus already.
    const main = heading.current
    if (main?.contains(document.activeElement) === false) main.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [path])
  return (
    <Frame session={session} page={page} main={heading}>
      <Suspense fallback={<Loading what={title} />}>
        <Shown />
      </Suspense>
    </Frame>
  )
}
