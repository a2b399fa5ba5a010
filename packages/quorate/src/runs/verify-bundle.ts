import { canonicalJson } from '@quorate/certificate'
import { z } from 'zod'
import { readLines } from '../files/read-lines.ts'
import { verifyChain } from '../store/ledger-chain.ts'
import type { LedgerRow } from '../store/store.ts'
import { type Certified, openCertified } from './certified.ts'
import { decisionFault } from './verify-decision.ts'

export type BundleVerdict =
  | {
      readonly kind: 'whole'
      readonly runId: string
      readonly rows: number
      readonly head: string
      /** Rows after the head that was given. */
      readonly rowsAfterHead: number
      /** Decisions that were made again and came out the same. */
      readonly decisions: number
    }
  | { readonly kind: 'broken'; readonly place: string; readonly reason: string }

const headerSchema = z.strictObject({
  quorate: z.literal(1),
  kind: z.literal('bundle'),
  runId: z.string(),
  head: z.string(),
  rows: z.number(),
  certificate: z.record(z.string(), z.unknown()).nullable(),
})

const rowSchema = z.strictObject({
  hash: z.string(),
  line: z.looseObject({ sequence: z.number(), runId: z.string(), kind: z.string() }),
})

/**
 * Whether a bundle is what was written: every byte of it, its chain up to `head` where one was noted elsewhere, the
 * certificate, and every decision, made again from it.
 */
export async function verifyBundle(path: string, head?: string): Promise<BundleVerdict> {
  const lines: string[] = []
  for await (const line of readLines(path)) lines.push(line)
  const header = parsed(lines[0] ?? '', headerSchema)
  if (header === null) return broken('line 1', 'expected the first line of a bundle; it is missing or was changed')
  const rows: LedgerRow[] = []
  for (const [index, text] of lines.slice(1).entries()) {
    const row = parsed(text, rowSchema)
    if (row === null) return broken(`line ${index + 2}`, 'expected a row of the chain; it was changed')
    rows.push({ runId: row.line.runId, sequence: row.line.sequence, line: canonicalJson(row.line), hash: row.hash })
  }
  const own = verifyChain(rows, header.head)
  if (own.kind === 'broken') return broken(`row ${own.sequence}`, own.reason)
  if (rows.length !== header.rows || own.head !== header.head || rows[0]?.runId !== header.runId) {
    return broken('line 1', `it names ${header.rows} rows up to ${header.head}, got ${rows.length} up to ${own.head}`)
  }
  const asked = head === undefined ? own : verifyChain(rows, head)
  if (asked.kind === 'broken') return broken(`row ${asked.sequence}`, asked.reason)
  return verifyDecisions(rows, header, asked.rowsAfterHead)
}

type Header = z.infer<typeof headerSchema>

function verifyDecisions(rows: readonly LedgerRow[], header: Header, rowsAfterHead: number): BundleVerdict {
  const certified = header.certificate === null ? null : opened(header.certificate)
  if (typeof certified === 'string') return broken('line 1', certified)
  let decisions = 0
  for (const { line, sequence } of rows) {
    const { kind, body }: { kind: string; body: unknown } = JSON.parse(line)
    const fault = kind === 'decision' ? decisionFault(body, certified) : openingFault(kind, body, certified)
    if (fault !== null) return broken(`row ${sequence}`, fault)
    if (kind === 'decision') decisions += 1
  }
  return { kind: 'whole', runId: header.runId, rows: rows.length, head: header.head, rowsAfterHead, decisions }
}

function opened(certificate: object): Certified | string {
  try {
    return openCertified(canonicalJson(certificate))
  } catch (error) {
    return `the certificate cannot be used: ${error instanceof Error ? error.message : String(error)}`
  }
}

const openingSchema = z.looseObject({ certificateId: z.string().nullable() })

/** The chain names the certificate, so that it cannot be exchanged. */
function openingFault(kind: string, body: unknown, certified: Certified | null): string | null {
  if (kind !== 'run-opened') return null
  const opening = openingSchema.safeParse(body)
  const named = opening.success ? opening.data.certificateId : undefined
  return named === (certified?.id ?? null) ? null : 'the run was opened with another certificate than the one in line 1'
}

/** Null unless the text is this value's RFC 8785 JSON, to the byte. */
function parsed<Value>(text: string, schema: z.ZodType<Value>): Value | null {
  try {
    const value: unknown = JSON.parse(text)
    const read = schema.safeParse(value)
    return read.success && canonicalJson(value) === text ? read.data : null
  } catch {
    return null
  }
}

function broken(place: string, reason: string): BundleVerdict {
  return { kind: 'broken', place, reason }
}
