import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { ApiError } from '../api/client.ts'
import { queryClient, useSession } from '../api/queries.ts'
import { Failure, Loading } from '../parts/page-states.tsx'
import { TEXT } from '../text/english.ts'
import { Frame } from './frame.tsx'
import { NotFound } from './not-found.tsx'
import { usePlace } from './router.ts'

/** One page, one file to load. */
const PAGES = {
  '': lazy(() => import('../pages/overview/overview-page.tsx').then(({ OverviewPage }) => ({ default: OverviewPage }))),
  operating: lazy(() =>
    import('../pages/operating-point/operating-point-page.tsx').then(({ OperatingPointPage }) => ({
      default: OperatingPointPage,
    })),
  ),
  debates: lazy(() =>
    import('../pages/debates/debates-page.tsx').then(({ DebatesPage }) => ({ default: DebatesPage })),
  ),
  queue: lazy(() => import('../pages/queue/queue-page.tsx').then(({ QueuePage }) => ({ default: QueuePage }))),
  audit: lazy(() => import('../pages/audit/audit-page.tsx').then(({ AuditPage }) => ({ default: AuditPage }))),
  certificates: lazy(() =>
    import('../pages/certificates/certificates-page.tsx').then(({ CertificatesPage }) => ({
      default: CertificatesPage,
    })),
  ),
} as const

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
  const { page } = usePlace()
  const heading = useRef<HTMLElement>(null)
  const isKnown = Object.hasOwn(PAGES, page)
  const Shown = isKnown ? PAGES[page as keyof typeof PAGES] : NotFound // a key, as was just checked
  const title = TEXT.pages[page as keyof typeof TEXT.pages] ?? TEXT.app.notFound
  useEffect(() => {
    document.title = `${title} · ${TEXT.app.name}`
    heading.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [title])
  return (
    <Frame session={session} page={page} main={heading}>
      <Suspense fallback={<Loading what={title} />}>
        <Shown />
      </Suspense>
    </Frame>
  )
}
