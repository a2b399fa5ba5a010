/** The parameters that may follow the `?`. Others could name another host than the one that is shown. */
const PARAMETERS = [
  'host',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'application_name',
  'connect_timeout',
  'options',
  'pool_size',
]

/** Default number of connections of one process. */
const CONNECTIONS = 20
const FEWEST = 4

export type PostgresPlace =
  /** `text` is for display, without user and password. */
  | { readonly kind: 'place'; readonly host: string; readonly text: string; readonly connections: number }
  /** The URL could point to another place than the one that would be shown. */
  | { readonly kind: 'refused'; readonly expected: string }

/** Where a PostgreSQL URL really points. */
export function postgresPlace(url: string): PostgresPlace {
  if (!URL.canParse(url)) return { kind: 'refused', expected: 'postgres://USER@HOST/DATABASE' }
  const { host: named, pathname, searchParams } = new URL(url)
  const names = [...searchParams.keys()]
  if (names.some((name, at) => !PARAMETERS.includes(name) || names.indexOf(name) !== at)) {
    return {
      kind: 'refused',
      expected: `a PostgreSQL URL with at most one each of ${PARAMETERS.join(', ')} after its ?`,
    }
  }
  const socket = searchParams.get('host')
  if (socket !== null && !socket.startsWith('/')) {
    return {
      kind: 'refused',
      expected: 'in ?host= only the folder of a socket (the name of a host belongs before the path)',
    }
  }
  const host = socket ?? named
  const size = searchParams.get('pool_size')
  const connections = size === null ? CONNECTIONS : /^\d{1,4}$/.test(size) ? Number(size) : Number.NaN
  if (!(connections >= FEWEST)) return { kind: 'refused', expected: `in ?pool_size= a number from ${FEWEST} to 9999` }
  return { kind: 'place', host, text: `postgres://${host}${pathname}`, connections }
}
