import { isLoopback } from '../../model/loopback.ts'

/** The address that the server listens on. */
export interface Listening {
  readonly host: string
  readonly port: number
}

/** How the server is reached. */
export interface Site {
  readonly listening: Listening
  /** The public origin of the proxy in front of it; null: clients connect directly. */
  readonly publicOrigin: string | null
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]']

/**
 * Over loopback the Host header must be a name that only this machine has. A page of another site whose name resolves to
 * 127.0.0.1 (DNS rebinding) sends its own name.
 */
export function isOwnHost(header: string | undefined, { listening: { port }, publicOrigin }: Site): boolean {
  if (header === undefined) return false
  const wanted = header.toLowerCase()
  if (publicOrigin !== null && isHostOf(wanted, new URL(publicOrigin))) return true
  return LOOPBACK_NAMES.some((name) => wanted === `${name}:${port}` || (port === 80 && wanted === name))
}

/** The default port may be given or left out. */
function isHostOf(header: string, { protocol, hostname, port }: URL): boolean {
  const usual = protocol === 'https:' ? '443' : '80'
  return header === `${hostname}:${port === '' ? usual : port}` || (port === '' && header === hostname)
}

/** Whether browsers reach the app over TLS, so that its cookie can be Secure. */
export function isSecureSite({ listening: { host }, publicOrigin }: Site): boolean {
  return publicOrigin === null ? !isLoopback(host) : publicOrigin.startsWith('https:')
}

/**
 * Whether a page with this Origin may send a request that changes something. Programs send no Origin. A page of another site
 * always sends one, and a sandboxed page sends `null`. Behind a proxy the Host header may be the server's or the proxy's, so
 * the Origin is compared with the public URL instead. The app on loopback stays usable on the machine itself.
 */
export function isOwnOrigin(
  origin: string | undefined,
  {
    hostHeader,
    publicOrigin,
    isForwarded,
  }: {
    readonly hostHeader: string | undefined
    readonly publicOrigin: Site['publicOrigin']
    readonly isForwarded: boolean
  },
): boolean {
  if (origin === undefined) return true
  const url = URL.canParse(origin) ? new URL(origin) : null
  if (hostHeader === undefined || url === null || !/^https?:$/.test(url.protocol)) return false
  const isSameHost = url.host === hostHeader.toLowerCase()
  if (publicOrigin === null) return isSameHost
  return url.origin === publicOrigin || (isSameHost && isLoopback(url.hostname) && !isForwarded)
}
