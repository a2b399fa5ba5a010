import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

/** Each page is one file, which is loaded when it is needed. */
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

/** The file of a page could not be loaded, although the server may be reachable. */
export class PageNotLoaded extends Error {
  override readonly name = 'PageNotLoaded'
  readonly isServerReachable: boolean

  constructor(isServerReachable: boolean, cause: unknown) {
    super('the file of this page could not be loaded', { cause })
    this.isServerReachable = isServerReachable
  }
}

/** Whether this is a page of the navigation. */
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

/** Starts to load the file of a page. A failure is reported when the page is shown. */
export function preloadPage(name: PageName): void {
  start(name).catch(() => {})
}

function start(name: PageName): Promise<{ readonly default: ComponentType }> {
  const loading =
    started.get(name) ??
    load(FILES[name]).catch((error: unknown) => {
      failed.add(name)
      throw error
    })
  started.set(name, loading)
  return loading
}

const failed = new Set<PageName>()

/** A page that failed is requested again only after the user has left it. */
window.addEventListener('hashchange', () => {
  for (const name of failed) {
    started.delete(name)
    pages.delete(name)
  }
  failed.clear()
})

/** Whether a file of this document failed to load. A failed stylesheet is never requested again, so only a reload helps. */
let isBroken = false

async function load(file: () => Promise<ComponentType>): Promise<{ readonly default: ComponentType }> {
  if (isBroken) {
    if (await isServerReachable()) return reload()
    throw new PageNotLoaded(false, null)
  }
  try {
    const page = await file()
    rememberReload(null)
    return { default: page }
  } catch (cause) {
    isBroken = true
    const isReachable = await isServerReachable()
    // The server may have another build than this document. One reload would fix that; a second would not help.
    if (isReachable && reloadedAt() !== window.location.hash) return reload()
    throw new PageNotLoaded(isReachable, cause)
  }
}

export async function isServerReachable(): Promise<boolean> {
  try {
    return (await fetch('/healthz', { cache: 'no-store' })).status < 500
  } catch {
    return false
  }
}

/** Never resolves, because the document is replaced. */
function reload(): Promise<never> {
  rememberReload(window.location.hash)
  window.location.reload()
  return new Promise(() => {})
}

const RELOADED_AT = 'quorate-reloaded-at'

/** The address at which this tab was reloaded because a file was missing; null if it was not. */
function reloadedAt(): string | null {
  try {
    return sessionStorage.getItem(RELOADED_AT)
  } catch {
    // Storage is switched off. Counting the tab as reloaded prevents an endless loop.
    return window.location.hash
  }
}

function rememberReload(hash: string | null): void {
  try {
    if (hash === null) sessionStorage.removeItem(RELOADED_AT)
    else sessionStorage.setItem(RELOADED_AT, hash)
  } catch {
    // Storage is switched off; see reloadedAt.
  }
}
