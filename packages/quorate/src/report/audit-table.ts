import {
  type Audit,
  type Budget,
  type Check,
  type CheckRow,
  type LocalOptions,
  type Measure,
  resolveProfileBudget,
  type Verdict,
  worstRow,
} from '@quorate/certificate'
import { budgetLine, declaredSentences, promiseLine } from '../text/budget-line.ts'
import { type FileReading, type LeftOut, leftOutText, readingSentences } from '../text/left-out.ts'
import { countText, percentText, percentWithInterval } from '../text/number-text.ts'
import { marginText, type PageFrame } from '../text/page-frame.ts'
import { plainText } from '../text/plain-text.ts'
import type { Style } from '../text/style.ts'
import { tableLines } from '../text/table.ts'
import { shortenedText, textColumns } from '../text/text-columns.ts'
import { wrapText } from '../text/wrap-text.ts'

export interface AuditedPage {
  /** Name of the file, as the user typed it. */
  readonly path: string
  readonly found: Audit
  readonly leftOut: LeftOut
  readonly reading: FileReading
  readonly budget: Budget
  /** Options of the profiles `tight` and `paper` that differ from their defaults. */
  readonly local: LocalOptions
  /** Whether the certificate decides each question from the rows of its own group. */
  readonly groupConditional: boolean
}

/** The whole page of `quorate audit`. */
export function auditPage(page: AuditedPage, frame: PageFrame): string {
  const { found } = page
  const sections = [
    headLines(page, frame),
    [frame.style.strong('Verdicts'), ...verdictTable(found.checks, frame.style), ...wrapped(MEANING, frame)],
    ...found.checks.map((check) => checkLines(check, frame)),
    [
      frame.style.strong('Measures: figures that test nothing'),
      ...found.measures.flatMap((it) => measureLines(it, frame)),
    ],
  ]
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

const MEANING =
  'Falsification checks, never proofs. Falsified: adjusted p (Holm, over all rows of all checks) below 0.01. ' +
  'n, p: of the row with the smallest p. Exit code 30 when a check is falsified.'

/** Each verdict has its own shape, so that no meaning depends on colour alone. */
const VERDICT_MARKS: Readonly<Record<Verdict, string>> = {
  falsified: '✕',
  'not falsified': '○',
  'not enough data': '·',
}

function headLines(
  { path, found, leftOut, reading, budget, local, groupConditional }: AuditedPage,
  frame: PageFrame,
): string[] {
  const { profile, calibration, heldOut, seed, verdict } = found
  const resolved = resolveProfileBudget('audit', budget, profile, found.rounds, local)
  const left = leftOutText(leftOut) ?? 'none without a label'
  return [
    `${frame.style.strong('quorate audit')} ${plainText(path)}`,
    ...marginText('Verdict', verdictText(verdict, frame.style), frame),
    ...marginText(
      'Debates',
      `${countText(calibration)}, a random half, make a certificate to test the method. ${countText(heldOut)} are held out ` +
        `(by question, seed ${seed}), ${left}`,
      frame,
    ),
    ...readingSentences(reading).flatMap((sentence) => marginText('Reading', sentence, frame)),
    ...marginText('Profile', profile, frame),
    ...marginText('Budget', found.promise === null ? budgetLine(resolved) : promiseLine(found.promise), frame),
    ...(resolved.feasible
      ? []
      : marginText(
          'Note',
          'this budget is too small to act on anything (alpha 0.001 or less): no action can be checked',
          frame,
        )),
    ...marginText(
      'Claim',
      declaredSentences({ profile, budget: resolved, promise: found.promise, groupConditional }).join(' '),
      frame,
    ),
  ]
}

export function verdictTable(checks: readonly Check[], style: Style): string[] {
  const rows = checks.map((check) => {
    const shown = shownRow(check.rows)
    const figures = shown ? [countOf(shown.n), pText(shown.pValue), pText(shown.adjustedPValue)] : ['', '', '']
    return [verdictText(check.verdict, style), check.name, ...figures]
  })
  const [header = '', ...lines] = tableLines(
    [['', 'Check', 'n', 'p', 'Holm p'], ...rows],
    ['left', 'left', 'right', 'right', 'right'],
  )
  return [style.faint(header), ...lines]
}

function checkLines(check: Check, frame: PageFrame): string[] {
  return [
    `${verdictText(check.verdict, frame.style)}  ${frame.style.strong(check.name)}`,
    ...marginText('Assumes', check.assumption, frame),
    ...marginText('Null', check.null, frame),
    ...rowTable(check.rows, frame),
    ...marginText('Found', plainText(check.finding), frame),
    ...marginText('Next', check.next, frame),
  ]
}

const MOST_ROWS = 6

/** The rows with the smallest p-values, then the rows that could not be tested. */
function rowTable(rows: readonly CheckRow[], { width, style }: PageFrame): string[] {
  const counted = rows.filter(({ n }) => n !== 0)
  if (counted.length === 0) return []
  const shown = counted
    .toSorted((a, b) => (a.pValue ?? 2) - (b.pValue ?? 2) || (b.n ?? 0) - (a.n ?? 0))
    .slice(0, MOST_ROWS)
  const figures = tableLines(
    [['seen', 'min', 'n', 'p', 'Holm p'], ...shown.map(figureCells)],
    ['right', 'right', 'right', 'right', 'right'],
  )
  const room = width - INDENT.length - Math.max(...figures.map(textColumns)) - 2
  const names = ['', ...shown.map(({ name }) => shortenedText(plainText(name), room))]
  const [header = '', ...lines] = tableLines(
    names.map((name, row) => [name, figures[row] ?? '']),
    ['left', 'left'],
  )
  const more = counted.length - shown.length
  const rest = more === 0 ? [] : [style.faint(`${INDENT}and ${more} more: see --json`)]
  return [style.faint(INDENT + header), ...lines.map((line) => INDENT + line), ...rest]
}

const INDENT = '         '

function figureCells({ figure, low, high, line, n, pValue, adjustedPValue }: CheckRow): string[] {
  const isRate = low !== null && high !== null
  const seen =
    figure === null ? '' : isRate ? percentWithInterval(figure, { lower: low, upper: high }) : numberText(figure)
  return [seen, line === null ? '' : percentText(line), countOf(n), pText(pValue), pText(adjustedPValue)]
}

function measureLines({ name, meaning, rows }: Measure, { width, style }: PageFrame): string[] {
  const shown = rows.slice(0, MOST_MEASURED)
  const figures = tableLines(
    shown.map(({ n, value }) => [value === null ? 'none' : numberText(value), n === null ? '' : `n ${countText(n)}`]),
    ['right', 'right'],
  )
  const room = width - 4 - Math.max(0, ...figures.map(textColumns))
  const lines = tableLines(
    shown.map((row, at) => [shortenedText(plainText(row.name), room), figures[at] ?? '']),
    ['left', 'left'],
  )
  const more = rows.length - shown.length
  return [
    name,
    ...wrapText(meaning, width - 2).map((line) => style.faint(`  ${line}`)),
    ...lines.map((line) => `  ${line}`),
    ...(more === 0 ? [] : [style.faint(`  and ${more} more: see --json`)]),
  ]
}

const MOST_MEASURED = 12

function verdictText(verdict: Verdict, style: Style): string {
  const text = `${VERDICT_MARKS[verdict]} ${verdict}`
  return verdict === 'falsified' ? style.wrong(text) : verdict === 'not enough data' ? style.defer(text) : text
}

/** The row whose figures stand for a check. If none could be tested, it is the largest one. */
function shownRow(rows: readonly CheckRow[]): CheckRow | undefined {
  return worstRow(rows) ?? rows.toSorted((a, b) => (b.n ?? 0) - (a.n ?? 0))[0]
}

function countOf(n: number | null): string {
  return n === null ? '' : countText(n)
}

/** For example `0.012`, or `4e-5` where three decimals would show zero. A dash means that nothing could be tested. */
function pText(p: number | null): string {
  if (p === null) return '-'
  return p >= 0.001 ? p.toFixed(3) : p.toExponential(0)
}

function numberText(value: number): string {
  return Math.abs(value) < 1000 ? value.toFixed(3) : value.toExponential(0)
}

function wrapped(text: string, { width, style }: PageFrame): string[] {
  return wrapText(text, width).map(style.faint)
}
