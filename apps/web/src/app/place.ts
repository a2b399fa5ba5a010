/** A place in the app: the path after #. Every page can be linked, and the server serves one file. */
export interface Place {
  readonly page: string
  readonly rest: readonly string[]
  readonly query: URLSearchParams
}

export function parsePlace(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const [page = '', ...rest] = path.split('/').map(decoded)
  const [name, before] = MOVED.get(page) ?? [page, []]
  return { page: name, rest: [...before, ...rest], query: new URLSearchParams(query) }
}

/** Former addresses, which people may have bookmarked. */
const MOVED: ReadonlyMap<string, readonly [string, readonly string[]]> = new Map([
  ['queue', ['review', []]],
  ['operating', ['certificates', ['active']]],
  ['audit', ['certificates', ['active', 'checks']]],
])

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
