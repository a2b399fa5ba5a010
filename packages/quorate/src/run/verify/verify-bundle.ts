import { CODE_VERSION, canonicalDigest, canonicalJson, METHOD_VERSION } from '@quorate/certificate'
import { z } from 'zod'
import { type ExactLine, exactLines } from '../../files/exact-lines.ts'
import { type ChainCheck, type CodeVersion, checkChain, THIS_CODE } from '../../store/decisions/ledger-chain.ts'
import type { LedgerRow } from '../../store/store.ts'
import { openCertified } from '../calibration/certified.ts'
import { type BundledCertificate, decisionFault } from './verify-decision.ts'
import { checkRun, type RunCheck } from './verify-run.ts'

/** Facts about a bundle whose chain is whole. */
interface WholeChain {
  readonly runId: string
  readonly rows: number
  readonly head: string
  /** Rows up to the given head, which are unchanged since it was noted; 0 without a head. */
  readonly vouchedRows: number
  /** Rows after the given head, which anyone may have added. */
  readonly rowsAfterHead: number
  /** Decisions that were recomputed with the same result. */
  readonly decisions: number
  /** Selections of spot checks that were repeated with the same result. */
  readonly repeatedSelections: number
  /** Selections that cannot be repeated yet, because the run still samples with their key. */
  readonly uncheckedSelections: number
}

/** A value that this version computes differently from the version that wrote it. */
export interface Unconfirmed {
  readonly place: string
  readonly reason: string
  readonly writtenBy: CodeVersion
}

export type BundleVerdict =
  | ({ readonly kind: 'whole' } & WholeChain)
  | ({
      /** Another version wrote it, and this one computes other values. It is neither verified nor shown to be changed. */
      readonly kind: 'other-code'
      readonly thisCode: CodeVersion
      readonly first: Unconfirmed
      /** Decisions with another result, or that could not be recomputed. */
      readonly unconfirmedDecisions: number
    } & WholeChain)
  | { readonly kind: 'broken'; readonly place: string; readonly reason: string }

const hexadecimal = z.string().regex(/^[0-9a-f]{64}$/)

const headerSchema = z.strictObject({
  quorate: z.literal(1),
  kind: z.literal('bundle'),
  runId: z.string(),
  head: z.string(),
  rows: z.number(),
  certificate: z.record(z.string(), z.unknown()).nullable(),
  sampling: z.array(z.strictObject({ commitment: hexadecimal, key: hexadecimal.nullable() })),
})

const rowSchema = z.strictObject({
  hash: hexadecimal,
  line: z.looseObject({
    sequence: z.number(),
    runId: z.string(),
    kind: z.string(),
    body: z.unknown(),
    code: z.strictObject({ version: z.string(), methodVersion: z.number() }),
  }),
})

/** Characters of `{"hash":"...","line":`. */
const BEFORE_LINE = 9 + 64 + 9

/**
 * Checks that a bundle is consistent: its bytes, its chain, its certificate, every decision recomputed with it, and the course
 * of the run in its rows. Someone who rewrites all of it can make it consistent. Only a `head` that was noted elsewhere proves
 * that the rows up to it are the original ones. The bundle is read row by row, because it may be larger than memory.
 */
export async function verifyBundle(path: string, head?: string): Promise<BundleVerdict> {
  const lines = exactLines(path)
  const header = parsed((await lines.next()).value, headerSchema)
  if (header === null) return broken('line 1', 'the file is no bundle, or its first line was changed')
  const certificate = header.value.certificate === null ? null : opened(header.value.certificate)
  if (typeof certificate === 'string') return broken('line 1', certificate)
  const first = certificate?.kind === 'unreadable' ? { place: 'line 1', ...certificate } : null
  const walk: BundleWalk = { chain: checkChain(head), run: checkRun(header.value.sampling), first, ...NOTHING_READ }
  let number = 1
  for await (const line of lines) {
    number += 1
    const row = parsed(line, rowSchema)
    if (row === null) return broken(`line ${number}`, 'expected a row of the chain; it was changed')
    const fault = takeRow(walk, row, { header: header.value, certificate })
    if (fault !== null) return fault
  }
  return endOf(walk, header.value, head !== undefined)
}

type Header = z.infer<typeof headerSchema>

/** State of the check; changes with every row. */
interface BundleWalk {
  readonly chain: ChainCheck
  readonly run: RunCheck
  rows: number
  /** Hash of the last row. */
  last: string
  decisions: number
  unconfirmedDecisions: number
  first: Unconfirmed | null
}

const NOTHING_READ = Object.freeze({ rows: 0, last: '', decisions: 0, unconfirmedDecisions: 0 })

interface Opening {
  readonly header: Header
  readonly certificate: (BundledCertificate & { readonly writtenBy: CodeVersion }) | null
}

function takeRow(walk: BundleWalk, row: Parsed<z.infer<typeof rowSchema>>, opening: Opening): BundleVerdict | null {
  const { hash, line } = row.value
  const { runId, sequence, kind, body, code } = line
  // The hash covers the text of `line` itself, between the other member and the last brace.
  const ledgerRow: LedgerRow = { runId, sequence, hash, line: row.text.slice(BEFORE_LINE, -1) }
  const cut = walk.chain.next(ledgerRow)
  if (cut !== null) return broken(`row ${cut.sequence}`, cut.reason)
  walk.rows += 1
  walk.last = hash
  if (runId !== opening.header.runId) return broken(`row ${sequence}`, 'it is of another run than line 1 says')
  const { certificate } = opening
  const fault = walk.run.next({ runId, kind, body }) ?? openingFault(kind, body, certificate)
  if (fault !== null) return broken(`row ${sequence}`, fault)
  if (kind !== 'decision') return null
  const decision = decisionFault(body, certificate)
  if (decision === null) walk.decisions += 1
  else if (!decision.isRecomputed || isThisCode(code)) return broken(`row ${sequence}`, decision.reason)
  else {
    walk.unconfirmedDecisions += 1
    walk.first ??= { place: `row ${sequence}`, reason: decision.reason, writtenBy: code }
  }
  return null
}

function isThisCode({ version, methodVersion }: CodeVersion): boolean {
  return version === THIS_CODE.version && methodVersion === THIS_CODE.methodVersion
}

function endOf(walk: BundleWalk, { runId, head, rows: named }: Header, hasHead: boolean): BundleVerdict {
  const { chain, rows, last, decisions, unconfirmedDecisions, first } = walk
  if (rows !== named || last !== head) {
    return broken(
      `row ${rows + 1}`,
      `line 1 names ${named} rows up to ${head}, got ${rows}: rows are missing at the end`,
    )
  }
  const verdict = chain.end()
  if (verdict.kind === 'broken') return broken(`row ${verdict.sequence}`, verdict.reason)
  const fault = walk.run.end()
  if (fault !== null) return broken('line 1', fault)
  const { rowsAfterHead } = verdict
  const { repeated: repeatedSelections, unchecked: uncheckedSelections } = walk.run.selections()
  const vouchedRows = hasHead ? rows - rowsAfterHead : 0
  const whole = { runId, rows, head, vouchedRows, rowsAfterHead, decisions, repeatedSelections, uncheckedSelections }
  if (first === null) return { kind: 'whole', ...whole }
  return { kind: 'other-code', ...whole, thisCode: THIS_CODE, first, unconfirmedDecisions }
}

const writtenSchema = z.looseObject({ checksum: z.string(), codeVersion: z.string(), methodVersion: z.number() })

/** The certificate, or a sentence about what is wrong with it. */
function opened(file: Readonly<Record<string, unknown>>): NonNullable<Opening['certificate']> | string {
  const written = writtenSchema.safeParse(file)
  const { codeVersion: version = '', methodVersion = 0 } = written.data ?? {}
  const writtenBy = { version, methodVersion }
  try {
    const certified = openCertified(canonicalJson(file))
    return { kind: 'usable', id: certified.id, certified, writtenBy }
  } catch (error) {
    const reason = `the certificate cannot be used: ${error instanceof Error ? error.message : String(error)}`
    const { checksum, ...content } = file
    const isOther = version !== CODE_VERSION || methodVersion !== METHOD_VERSION
    if (!written.success || !isOther || checksum !== canonicalDigest(content)) return reason
    return { kind: 'unreadable', id: written.data.checksum, reason, writtenBy }
  }
}

const openingSchema = z.looseObject({ certificateId: z.string().nullable() })

/** The chain names the certificate, so it cannot be replaced. */
function openingFault(kind: string, body: unknown, certificate: BundledCertificate | null): string | null {
  if (kind !== 'run-opened') return null
  const opening = openingSchema.safeParse(body)
  const named = opening.success ? opening.data.certificateId : undefined
  return named === (certificate?.id ?? null)
    ? null
    : 'the run was opened with another certificate than the one in line 1'
}

interface Parsed<Value> {
  readonly value: Value
  readonly text: string
}

/** Null unless the line is exactly the RFC 8785 JSON of its value and a line feed. */
function parsed<Value>(line: ExactLine | undefined, schema: z.ZodType<Value>): Parsed<Value> | null {
  if (line === undefined || line.text === null || !line.isEnded) return null
  const { text } = line
  try {
    const value: unknown = JSON.parse(text)
    const read = schema.safeParse(value)
    return read.success && canonicalJson(value) === text ? { value: read.data, text } : null
  } catch {
    return null
  }
}

function broken(place: string, reason: string): BundleVerdict {
  return { kind: 'broken', place, reason }
}
