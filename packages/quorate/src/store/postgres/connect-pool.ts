import pg from 'pg'

const CONNECT_TIMEOUT_MS = 10_000
/** For statements that normally take milliseconds. */
const QUERY_TIMEOUT_MS = 60_000

/** A process that is paused in the middle of a transaction must not keep its locks for ever. */
const IDLE_TRANSACTION_TIMEOUT = "set idle_in_transaction_session_timeout = '20s'"

/** A server may be configured to acknowledge commits before they reach its disk. The store needs them on the disk. */
const SYNCHRONOUS =
  "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'"

const FIXED_PLANS = [
  'set plan_cache_mode = force_generic_plan',
  ...['seqscan', 'hashjoin', 'mergejoin'].map((way) => `set enable_${way} = off`),
  // Tables are joined in the order of the statement.
  'set join_collapse_limit = 1',
].join('; ')

export interface PoolOptions {
  readonly connections: number
  /** False: another person may have written the URL, so PGPASSWORD from the environment is not sent there. */
  readonly isOwnUrl: boolean
  /**
   * For statements that look up single rows by their whole key: each is planned once, for all values and any number of rows.
   * With the usual planning, a run that is newer than the table's statistics looks empty, and its calls would be scanned.
   */
  readonly hasFixedPlans?: boolean
  /** True: idle connections stay open, so that session state such as advisory locks lasts. */
  readonly isLasting?: boolean
}

/** A pool whose connections read integers as numbers and acknowledge a commit only when it is on the disk. */
export function connectPool(url: string, options: PoolOptions): pg.Pool {
  const { connections, isOwnUrl, hasFixedPlans, isLasting } = options
  const pool = new pg.Pool({
    connectionString: url,
    Client: clientWithout(isOwnUrl ? undefined : process.env['PGPASSWORD']),
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // Detects a connection that vanished silently before the kernel gives up on it.
    keepAlive: true,
    ...(hasFixedPlans === true ? { query_timeout: QUERY_TIMEOUT_MS } : {}),
    ...(isLasting === true ? { idleTimeoutMillis: 0 } : {}),
    application_name: 'quorate',
    // Statements of a transaction are sent without waiting for earlier answers.
    pipeline: true,
    types: { getTypeParser },
    onConnect: hasFixedPlans === true ? setUpFixedPlans : setUp,
  })
  // The pool replaces an idle connection that breaks. Without a listener, the event would crash the process.
  pool.on('error', () => {})
  return pool
}

/**
 * Changes two behaviours of the driver. If the URL has no password, the driver takes it from the environment; this client
 * discards it. If the driver has no password to send, it leaves the connection open; this client closes it, so that the process
 * can exit.
 */
function clientWithout(secret: string | undefined): new () => pg.ClientBase {
  return class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config)
      if (secret !== undefined && this.password === secret) Object.assign(this, { password: null })
      const connect = this.connect.bind(this)
      const closing = (then: (error: Error) => void) =>
        connect((error: Error) => {
          if (error) this.connection.stream.destroy()
          then(error)
        })
      Object.assign(this, { connect: closing })
    }
  }
}

async function setUp(client: pg.ClientBase): Promise<void> {
  // The query in progress rejects. Without a listener, the event would also crash the process.
  client.on('error', () => {})
  await client.query(SYNCHRONOUS)
  await client.query(IDLE_TRANSACTION_TIMEOUT)
}

async function setUpFixedPlans(client: pg.ClientBase): Promise<void> {
  await setUp(client)
  await client.query(FIXED_PLANS)
}

/** Reads 64-bit integers and their sums as numbers. One that has no exact number becomes NaN, which fails the row's schema. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC) return exactNumber
  return pg.types.getTypeParser(oid, format)
}

function exactNumber(text: string): number {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : Number.NaN
}
