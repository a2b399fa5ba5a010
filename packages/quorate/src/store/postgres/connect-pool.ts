import pg from 'pg'
import { StoreError } from '../store-error.ts'

const CONNECT_TIMEOUT_MS = 10_000

/** A server may be set to acknowledge commits before they reach its disk; here they must. */
const SYNCHRONOUS =
  "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'"

/** Connections that read integers as numbers and acknowledge a commit only when it is on the disk. */
export function connectPool(url: string, connections: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'quorate',
    types: { getTypeParser },
    onConnect: setUp,
  })
  pool.on('error', () => {})
  return pool
}

/** For errors: without user and password. */
export function placeOf(url: string): string {
  if (!URL.canParse(url)) {
    throw new StoreError('invalid', 'store: expected postgres://USER@HOST/DATABASE; the URL cannot be read')
  }
  const { host, pathname, searchParams } = new URL(url)
  return `postgres://${searchParams.get('host') ?? host}${pathname}`
}

async function setUp(client: pg.ClientBase): Promise<void> {
  // The query that was running rejects; without a listener the event alone would end the process.
  client.on('error', () => {})
  await client.query(SYNCHRONOUS)
}

/** 64-bit integers and sums of them as numbers; one that no number holds exactly fails the row's schema. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC) return exactNumber
  return pg.types.getTypeParser(oid, format)
}

function exactNumber(text: string): number {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : Number.NaN
}
