import pg from 'pg'

const CONNECT_TIMEOUT_MS = 10_000
/** Of statements that take milliseconds. */
const QUERY_TIMEOUT_MS = 60_000

/** A process that is stopped in the middle of a transaction must not keep what others wait for. */
const NOT_FOR_EVER = "set idle_in_transaction_session_timeout = '20s'"

/** A server may be set to acknowledge commits before they reach its disk; here they must. */
const SYNCHRONOUS =
  "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'"

const BY_KEY = [
  'set plan_cache_mode = force_generic_plan',
  ...['seqscan', 'hashjoin', 'mergejoin'].map((way) => `set enable_${way} = off`),
  // Tables are looked up in the order in which they stand in the statement.
  'set join_collapse_limit = 1',
].join('; ')

export interface PoolOptions {
  readonly connections: number
  /** False for a URL that another person may have written: PGPASSWORD of the environment is not sent there. */
  readonly isOwnUrl: boolean
  /**
   * Of statements that look up single rows by their whole key: planned once, whatever the values and however few the
   * rows. Planned by what the table's statistics say, a run that is newer than they are looks empty, or the table does,
   * and its calls are read one by one.
   */
  readonly hasFixedPlans?: boolean
  /** Whether connections that nobody uses stay open: what belongs to their session lasts. */
  readonly isLasting?: boolean
}

/** Connections that read integers as numbers and acknowledge a commit only when it is on the disk. */
export function connectPool(url: string, options: PoolOptions): pg.Pool {
  const { connections, isOwnUrl, hasFixedPlans, isLasting } = options
  const pool = new pg.Pool({
    connectionString: url,
    Client: clientWithout(isOwnUrl ? undefined : process.env['PGPASSWORD']),
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // A connection that vanished without a word must not be waited for until the kernel gives up.
    keepAlive: true,
    ...(hasFixedPlans === true ? { query_timeout: QUERY_TIMEOUT_MS } : {}),
    ...(isLasting === true ? { idleTimeoutMillis: 0 } : {}),
    application_name: 'quorate',
    // Statements of a transaction are sent without waiting for the answers to earlier ones.
    pipeline: true,
    types: { getTypeParser },
    onConnect: hasFixedPlans === true ? setUpFixed : setUp,
  })
  pool.on('error', () => {})
  return pool
}

/**
 * The driver takes the password of the environment where the URL has none; this client forgets it again. And it leaves a
 * connection open where it has no password to give: this one closes it, so that the process can end.
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
  // The query that was running rejects; without a listener the event alone would end the process.
  client.on('error', () => {})
  await client.query(SYNCHRONOUS)
  await client.query(NOT_FOR_EVER)
}

async function setUpFixed(client: pg.ClientBase): Promise<void> {
  await setUp(client)
  await client.query(BY_KEY)
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
