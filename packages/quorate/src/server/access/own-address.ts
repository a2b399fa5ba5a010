/** The address that the server was told to listen on. */
export interface Listening {
  readonly host: string
  readonly port: number
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]']

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}

/**
 * Over loopback without a token the Host header must be a name that only this machine has: a page of another site whose
 * name was pointed at 127.0.0.1 (DNS rebinding) sends its own name.
 */
export function isOwnHost(header: string | undefined, { port }: Listening): boolean {
  if (header === undefined) return false
  const wanted = header.toLowerCase()
  return LOOPBACK_NAMES.some((name) => wanted === `${name}:${port}` || (port === 80 && wanted === name))
}

/**
 * Whether a request that changes something may come from this page. Programs send no Origin; a page of another site
 * always does, and `null` is what a sandboxed one says.
 */
export function isOwnOrigin(origin: string | undefined, hostHeader: string | undefined): boolean {
  if (origin === undefined) return true
  if (hostHeader === undefined) return false
  const url = URL.canParse(origin) ? new URL(origin) : null
  return url !== null && /^https?:$/.test(url.protocol) && url.host === hostHeader.toLowerCase()
}
