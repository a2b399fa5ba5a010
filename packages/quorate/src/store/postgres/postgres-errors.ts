import { z } from 'zod'
import { StoreError, type StoreErrorKind } from '../../record/store-error.ts'

const codedError = z.object({ code: z.string(), message: z.string() })

/** What SQLSTATE codes, their classes and network errors mean for the user. */
const MEANINGS: Readonly<Record<string, readonly [StoreErrorKind, string]>> = {
  23503: ['missing', 'the row refers to a run or a question that is not there'],
  23505: ['exists', 'a row with this id exists'],
  '25P03': ['unreachable', 'this process paused for so long that the server ended its transaction: try again'],
  25006: ['read-only', 'the server is read-only: connect to the primary'],
  28: ['denied', 'the server refused the user or the password: check QUORATE_STORE'],
  '3D': ['denied', 'there is no such database: create it'],
  40: ['busy', 'other transactions keep changing the same rows: try again'],
  42501: [
    'denied',
    'the user lacks the privilege that is named here: grant it (CREATE on the database is needed once, for the jobs)',
  ],
  '42P07': ['not-a-store', 'a table of this name exists and is not from quorate: use a separate database or schema'],
  53100: ['disk-full', "the server's disk is full: free some space and run again. Nothing written before is lost"],
  53: ['busy', 'the server has no capacity for another connection or query: try again later'],
  54: ['invalid', 'an id or a name is too long for an index (up to 2,600 bytes are safe)'],
  55: ['busy', 'another process holds the lock: try again'],
  58: ['unreachable', 'the server has a problem with its disk: check its log'],
  57: ['unreachable', 'the server is starting or stopping: try again'],
  '08': ['unreachable', 'the connection broke: check the server and the network'],
  ECONNREFUSED: ['unreachable', 'no server answers at this address: start it, or correct QUORATE_STORE'],
  ENOENT: ['unreachable', 'no server answers at this address: start it, or correct QUORATE_STORE'],
  EAI_AGAIN: ['unreachable', 'the host name cannot be resolved at the moment: check the network'],
  EHOSTUNREACH: ['unreachable', 'the host cannot be reached: check the network'],
  ENETUNREACH: ['unreachable', 'the host cannot be reached: check the network'],
  ENETDOWN: ['unreachable', 'the host cannot be reached: check the network'],
  ECONNABORTED: ['unreachable', 'the connection broke: check the server and the network'],
  ENOTFOUND: ['unreachable', 'there is no such host: correct QUORATE_STORE'],
  ECONNRESET: ['unreachable', 'the connection broke: check the server and the network'],
  EPIPE: ['unreachable', 'the connection broke: check the server and the network'],
  ETIMEDOUT: ['unreachable', 'the server does not answer in time: check the network'],
}

/** A serialization failure or a deadlock: PostgreSQL aborted this transaction, and it can be retried. */
export function isRetryable(error: unknown): boolean {
  const coded = codedError.safeParse(error)
  return coded.success && (coded.data.code === '40001' || coded.data.code === '40P01')
}

/** Translates errors of PostgreSQL and of the network into errors that say what to do. Returns others unchanged. */
export function storeErrorOfPostgres(error: unknown, place: string): unknown {
  if (error instanceof StoreError) return error
  const coded = codedError.safeParse(error)
  if (!coded.success) {
    // Errors of the driver itself have a message but no code.
    if (error instanceof Error && /SASL|password/i.test(error.message)) {
      const next = 'set PGPASSWORD, or a passfile, or put it into QUORATE_STORE'
      return new StoreError('denied', `store ${place}: the server requires a password: ${next}`, { cause: error })
    }
    if (!(error instanceof Error) || !/connection|timeout|Client was closed/i.test(error.message)) return error
    return new StoreError('unreachable', `store ${place}: ${error.message}: check the server`, { cause: error })
  }
  const { code, message } = coded.data
  const meaning = MEANINGS[code] ?? MEANINGS[code.slice(0, 2)]
  if (meaning === undefined) return error
  return new StoreError(meaning[0], `store ${place}: ${meaning[1]} (${message || code})`, { cause: error })
}
