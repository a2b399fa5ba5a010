import { useSyncExternalStore } from 'react'

/** A place in the app: the path after #. Every page can be linked, and the server serves one file. */
export interface Place {
  readonly page: string
  readonly rest: readonly string[]
  readonly query: URLSearchParams
}

export function usePlace(): Place {
  return parsePlace(useSyncExternalStore(subscribe, () => window.location.hash))
}

export function parsePlace(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const [page = '', ...rest] = path.split('/').map(decoded)
  const [name, before] = MOVED[page] ?? [page, []]
  return { page: name, rest: [...before, ...rest], query: new URLSearchParams(query) }
}

/** Former addresses, which people may have bookmarked. */
const MOVED: Readonly<Record<string, readonly [string, readonly string[]]>> = {
  queue: ['review', []],
  operating: ['certificates', ['active']],
  audit: ['certificates', ['active', 'checks']],
}

/** The address of a page. Names may contain any character. */
export function linkTo(
  page: string,
  rest: readonly string[] = [],
  query: Readonly<Record<string, string>> = {},
): string {
  const search = new URLSearchParams(query).toString()
  return `#/${[page, ...rest].map(encoded).join('/')}${search === '' ? '' : `?${search}`}`
}

export function goTo(link: string): void {
  window.location.hash = link.replace(/^#/, '')
}

function subscribe(changed: () => void): () => void {
  window.addEventListener('hashchange', changed)
  return () => window.removeEventListener('hashchange', changed)
}

/** Half of a surrogate pair cannot be encoded. It becomes the replacement character, as in the store. */
function encoded(part: string): string {
  return encodeURIComponent(part.replace(/\p{Cs}/gu, '\ufffd'))
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
