import { isLoopback } from '../model/loopback.ts'

export const PUBLIC_URL_WORDS =
  'an https address without user, path, ? or #, such as https://quorate.example (http only on loopback)'

/**
 * The origin that browsers send (`https://host` or `https://host:port`); null if the text is no valid public URL. Plain
 * http is only for loopback: elsewhere tokens could be intercepted, and browsers would drop the session cookie.
 */
export function publicOrigin(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, hostname, origin, href } = new URL(text)
  if (hostname.includes('*') || href !== `${origin}/`) return null
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname)) ? origin : null
}
