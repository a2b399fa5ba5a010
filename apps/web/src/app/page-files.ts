import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

/** One page, one file to load. */
const FILES = {
  '': () => import('../pages/overview/overview-page.tsx').then(({ OverviewPage }) => OverviewPage),
  runs: () => import('../pages/runs/runs-page.tsx').then(({ RunsPage }) => RunsPage),
  debates: () => import('../pages/debates/debates-page.tsx').then(({ DebatesPage }) => DebatesPage),
  review: () => import('../pages/queue/queue-page.tsx').then(({ QueuePage }) => QueuePage),
  certificates: () =>
    import('../pages/certificates/certificates-page.tsx').then(({ CertificatesPage }) => CertificatesPage),
  settings: () => import('../pages/settings/settings-page.tsx').then(({ SettingsPage }) => SettingsPage),
  'sign-in': () => import('../pages/sign-in/sign-in-page.tsx').then(({ SignInPage }) => SignInPage),
} as const

export type PageName = keyof typeof FILES

export const PAGE_TITLES: Readonly<Record<Exclude<PageName, 'sign-in'>, string>> = {
  '': 'Overview',
  runs: 'Runs',
  debates: 'Debates',
  review: 'Review',
  certificates: 'Certificates',
  settings: 'Settings',
}

/** A page whose file did not come; the server is there or not. */
export class PageNotLoaded extends Error {
  override readonly name = 'PageNotLoaded'
  readonly isServerReachable: boolean

  constructor(isServerReachable: boolean, cause: unknown) {
    super('the file of this page could not be loaded', { cause })
    this.isServerReachable = isServerReachable
  }
}

/** A page with an address of its own in the navigation. */
export function isPageName(page: string): page is Exclude<PageName, 'sign-in'> {
  return page !== 'sign-in' && Object.hasOwn(FILES, page)
}

const started = new Map<PageName, Promise<{ readonly default: ComponentType }>>()
const pages = new Map<PageName, LazyExoticComponent<ComponentType>>()

export function pageOf(name: PageName): LazyExoticComponent<ComponentType> {
  const page = pages.get(name) ?? lazy(() => start(name))
  pages.set(name, page)
  return page
}

/** Loads the file of a page while the server is still asked who is there; what fails is told when the page is shown. */
export function preloadPage(name: PageName): void {
  start(name).catch(() => {})
}

function start(name: PageName): Promise<{ readonly default: ComponentType }> {
  const begun =
    started.get(name) ??
    load(FILES[name]).catch((error: unknown) => {
      failed.add(name)
      throw error
    })
  started.set(name, begun)
  return begun
}

const failed = new Set<PageName>()

/** Leaving the page and coming back asks again; nothing is asked again by itself. */
window.addEventListener('hashchange', () => {
  for (const name of failed) {
    started.delete(name)
    pages.delete(name)
  }
  failed.clear()
})

/** A document that missed a file is not whole: a style that failed once is never asked for again. */
let isBroken = false

async function load(file: () => Promise<ComponentType>): Promise<{ readonly default: ComponentType }> {
  if (isBroken) {
    if (await isServerReachable()) return reloaded()
    throw new PageNotLoaded(false, null)
  }
  try {
    const page = await file()
    remember(null)
    return { default: page }
  } catch (cause) {
    isBroken = true
    const isThere = await isServerReachable()
    // The server has another build than this document: once, as a second time would not help.
    if (isThere && remembered() !== window.location.hash) return reloaded()
    throw new PageNotLoaded(isThere, cause)
  }
}

export async function isServerReachable(): Promise<boolean> {
  try {
    return (await fetch('/healthz', { cache: 'no-store' })).status < 500
  } catch {
    return false
  }
}

/** Never comes: the document goes. */
function reloaded(): Promise<never> {
  remember(window.location.hash)
  window.location.reload()
  return new Promise(() => {})
}

const RELOADED_AT = 'quorate-reloaded-at'

/** Where this tab was reloaded for a file that did not come. */
function remembered(): string | null {
  try {
    return sessionStorage.getItem(RELOADED_AT)
  } catch {
    // Without a memory it would be reloaded for ever: it counts as reloaded.
    return window.location.hash
  }
}

function remember(hash: string | null): void {
  try {
    if (hash === null) sessionStorage.removeItem(RELOADED_AT)
    else sessionStorage.setItem(RELOADED_AT, hash)
  } catch {
    // Storage is off: see above.
  }
}
