import { isIPv4 } from 'node:net'

/**
 * Whether a host, as in a URL or bare, is this machine itself, so that what is sent to it needs no encryption. Other spellings
 * of an address, such as `0177.0.0.1` or `2130706433`, are refused; a URL writes them as `127.0.0.1` when it is parsed.
 */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'))
}
