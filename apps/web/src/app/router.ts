import { useSyncExternalStore } from 'react'
import { type Place, parsePlace } from './place.ts'

export function usePlace(): Place {
  return parsePlace(useSyncExternalStore(subscribe, () => window.location.hash))
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
