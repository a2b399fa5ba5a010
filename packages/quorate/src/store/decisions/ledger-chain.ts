import { hash as digest } from 'node:crypto'
import { canonicalJson, METHOD_VERSION } from '@quorate/certificate'
import { packageVersion } from '../../files/package-version.ts'
import { jsonOf } from '../../record/parse-stored.ts'
import { StoreError } from '../../record/store-error.ts'
import { isWellFormed } from '../checked-input.ts'
import type { LedgerEntry, LedgerRow } from '../store.ts'

/** `previous` of the first row of a chain. */
export const CHAIN_START = '0'.repeat(64)

export type ChainVerdict =
  | {
      readonly kind: 'whole'
      readonly rows: number
      readonly head: string
      /** Rows written after the head that was given; 0 without one. */
      readonly rowsAfterHead: number
    }
  | { readonly kind: 'broken'; readonly sequence: number; readonly reason: string }

/** The version of the code that writes a row. A later version may compute different bounds from the same record. */
export interface CodeVersion {
  /** The version of the package. */
  readonly version: string
  readonly methodVersion: number
}

export const THIS_CODE: CodeVersion = Object.freeze({ version: packageVersion(), methodVersion: METHOD_VERSION })

/** The row that continues a chain after its last one. */
export function nextRow(
  entry: Pick<LedgerEntry, 'runId' | 'at' | 'body'> & { readonly kind: string },
  last: { readonly sequence: number; readonly hash: string } | null,
  code: CodeVersion = THIS_CODE,
): LedgerRow {
  const { runId, kind, at, body } = entry
  if (!isJson(body)) checkJson(body, 'body')
  const sequence = (last?.sequence ?? 0) + 1
  const line = canonicalJson({ at, body, code, kind, previous: last?.hash ?? CHAIN_START, runId, sequence })
  return { runId, sequence, line, hash: sha256(line) }
}

/** The digest of free text in a ledger entry. Without the salt, nobody can find the text by guessing. */
export function saltedDigest(salt: string, text: string): string {
  return sha256(canonicalJson([salt, text]))
}

/**
 * Checks row by row, in order, that rows are one whole chain from its first row. A changed byte or a missing row is always
 * detected. Rows missing at the end are detected only by comparison with the `head` that was noted when the chain was written.
 */
export interface ChainCheck {
  /** What breaks the chain at this row; null: the row continues it. */
  next(row: LedgerRow): Extract<ChainVerdict, { kind: 'broken' }> | null
  end(): ChainVerdict
}

export function checkChain(head?: string): ChainCheck {
  let previous = CHAIN_START
  let rows = 0
  let runId: string | undefined
  let headAt = head === CHAIN_START ? 0 : -1
  return {
    next(row) {
      runId ??= row.runId
      rows += 1
      const reason = fault(row, rows, previous, runId)
      if (reason !== null) return { kind: 'broken', sequence: rows, reason }
      previous = row.hash
      if (row.hash === head) headAt = rows
      return null
    },
    end() {
      if (head !== undefined && headAt === -1) {
        const reason = `no row has the head ${head}: rows are missing at the end, or this is another chain`
        return { kind: 'broken', sequence: rows + 1, reason }
      }
      return { kind: 'whole', rows, head: previous, rowsAfterHead: head === undefined ? 0 : rows - headAt }
    },
  }
}

function fault(row: LedgerRow, sequence: number, previous: string, runId: string): string | null {
  if (row.sequence !== sequence) return `expected row ${sequence}, got row ${row.sequence}: rows are missing or moved`
  if (sha256(row.line) !== row.hash) return 'the line does not match its hash: one of them was changed'
  const line = parsedLine(row.line)
  if (line === null) return 'the line is not RFC 8785 JSON of an object'
  if (line['previous'] !== previous) return 'the line does not continue the row before it'
  if (line['sequence'] !== sequence) return `the line says that it is row ${String(line['sequence'])}`
  if (line['runId'] !== row.runId || row.runId !== runId) return 'the line is of another run'
  return null
}

function parsedLine(text: string): Readonly<Record<string, unknown>> | null {
  const line = jsonOf(text)
  if (typeof line !== 'object' || line === null || canonicalJson(line) !== text) return null
  return { ...line }
}

/** The fast form of `checkJson`, which builds no path: that would take longer than everything else. */
function isJson(value: unknown): boolean {
  if (typeof value === 'string') return isWellFormed(value)
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object') return typeof value === 'boolean'
  if (value === null) return true
  if (Array.isArray(value)) {
    // `every` would skip holes of the array.
    for (let at = 0; at < value.length; at++) if (!isJson(value[at])) return false
    return true
  }
  if (!isPlain(value)) return false
  return Object.entries(value).every(([name, member]) => member === undefined || (isWellFormed(name) && isJson(member)))
}

/** Refuses values that RFC 8785 cannot represent, because they would be written as something else. */
function checkJson(value: unknown, path: string): void {
  if (value === null || typeof value === 'boolean') return
  if (typeof value === 'number' && Number.isFinite(value)) return
  if (typeof value === 'string' && isWellFormed(value)) return
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) checkJson(value[at], `${path}[${at}]`)
    return
  }
  if (typeof value === 'object' && isPlain(value)) {
    for (const [name, member] of Object.entries(value)) {
      // Left out, as JSON.stringify does.
      if (member === undefined) continue
      checkJson(name, `the name of ${path}.${name}`)
      checkJson(member, `${path}.${name}`)
    }
    return
  }
  const received = typeof value === 'string' ? 'a lone surrogate' : String(value)
  throw new StoreError('invalid', `ledger: ${path}: expected a value that JSON has, got ${received}`)
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

/** Uses Node's fast hash, because a chain may be long. For well-formed text it equals the certificate's `sha256`. */
function sha256(text: string): string {
  return digest('sha256', text)
}
