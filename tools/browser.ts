import { existsSync } from 'node:fs'
import { type Browser, type BrowserServer, chromium } from 'playwright-core'
import { installPackage } from './debian.ts'

/** The headless shell comes first: it is the same engine without the windows of a browser, which cost processor time. */
const KNOWN_PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/usr/bin/chromium-browser',
]

/** Debian's packages; older releases lack the first. */
const PACKAGES = ['chromium-headless-shell', 'chromium']

/** No sandbox, since tests run as root in containers. Chromium's own services must not use the network. */
export const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Pages of several tests share a process, so half as many are started.
  '--renderer-process-limit=2',
  // The app isolates its pages from those of other origins, for which Chromium starts a process at each load.
  '--process-per-site',
] as const

export type FoundBrowser =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'absent'; readonly reason: string }

/**
 * Finds Chromium: the file that QUORATE_CHROMIUM names, else one in a known place, else Debian's package, which is
 * installed if this runs as root on Debian. On CI a missing browser is an error; elsewhere the caller skips with the
 * reason.
 */
export function findBrowser(): FoundBrowser {
  const named = process.env['QUORATE_CHROMIUM']
  if (named !== undefined && named !== '') {
    if (existsSync(named)) return { kind: 'found', path: named }
    throw new Error(`QUORATE_CHROMIUM names ${named}, which does not exist: name the browser's file, or unset it.`)
  }
  const known = () => KNOWN_PLACES.find((place) => existsSync(place))
  const path = known() ?? (PACKAGES.some(installPackage) ? known() : undefined)
  if (path !== undefined) return { kind: 'found', path }
  const reason = 'no Chromium found: install it (Debian: apt-get install chromium) or set QUORATE_CHROMIUM to its file'
  if (process.env['CI'] === 'true') throw new Error(reason)
  return { kind: 'absent', reason }
}

/** A browser that other processes connect to by its `wsEndpoint`; null if there is none. */
export async function launchSharedBrowser(): Promise<BrowserServer | null> {
  const found = findBrowser()
  return found.kind === 'absent'
    ? null
    : chromium.launchServer({ executablePath: found.path, args: [...BROWSER_FLAGS] })
}

export function launchBrowser(path: string): Promise<Browser> {
  return chromium.launch({ executablePath: path, args: [...BROWSER_FLAGS] })
}
