/** The address that the server listens on. */
export interface Listening {
  readonly host: string
  readonly port: number
}

/** How the server is reached. */
export interface Site {
  readonly listening: Listening
  /** Of the proxy in front of it; null: clients connect to the server itself. */
  readonly publicOrigin: string | null
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]']

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}

/**
 * Over loopback without a token the Host header must be a name that only this machine has: a page of another site whose
 * name was pointed at 127.0.0.1 (DNS rebinding) sends its own name.
 */
export function isOwnHost(header: string | undefined, { listening: { port }, publicOrigin }: Site): boolean {
  if (header === undefined) return false
  const wanted = header.toLowerCase()
  if (publicOrigin !== null && isHostOf(wanted, new URL(publicOrigin))) return true
  return LOOPBACK_NAMES.some((name) => wanted === `${name}:${port}` || (port === 80 && wanted === name))
}

/** The usual port may be named or left out. */
function isHostOf(header: string, { protocol, hostname, port }: URL): boolean {
  const usual = protocol === 'https:' ? '443' : '80'
  return header === `${hostname}:${port === '' ? usual : port}` || (port === '' && header === hostname)
}

/** Whether browsers reach the app over TLS, so that its cookie may be a secure one. */
export function isSecureSite({ listening: { host }, publicOrigin }: Site): boolean {
  return publicOrigin === null ? !isLoopback(host) : publicOrigin.startsWith('https:')
}

/**
 * Whether a request that changes something may come from this page. Programs send no Origin; a page of another site
 * always does, and `null` is what a sandboxed one says. Behind a proxy the Host header may be ours or the proxy's, so the
 * Origin is compared with the public URL instead; the app on loopback stays usable at the machine itself.
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
