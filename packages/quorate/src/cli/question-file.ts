import { resolve } from 'node:path'
import type { ResolvedConfig } from '../config/resolve-config.ts'
import type { DocumentField } from '../questions/document-field.ts'
import type { BadRow } from '../questions/read-questions.ts'
import type { Question } from '../record/question.ts'
import { csvLine } from '../text/csv-text.ts'
import { jsonLine } from '../text/json-line.ts'
import { countOf } from '../text/number-text.ts'
import { plainText } from '../text/plain-text.ts'
import type { Flags } from './flags/parse-flags.ts'
import type { RunArguments } from './flags/run-flags.ts'
import { surroundings } from './terminal.ts'
import { UsageError } from './usage-error.ts'

export interface QuestionFile {
  readonly path: string
  readonly flags: Flags
  readonly columns: RunArguments['columns']
}

/**
 * The questions of a file, read as the config says. With `--skip-bad`, rows that are not questions are skipped, counted and
 * written to the named file. Without it the first such row is an error. `isRepeated` means that the same file was read
 * before. With `field`, the rows are documents that the field is asked about.
 */
export async function* questionsOf(
  { path, flags, columns }: QuestionFile,
  config: ResolvedConfig,
  { isRepeated = false, field }: { readonly isRepeated?: boolean; readonly field?: DocumentField } = {},
): AsyncGenerator<Question> {
  const { readQuestions } = await import('../questions/read-questions.ts')
  const { questionFormat } = await import('../config/resolve-config.ts')
  const format = { ...questionFormat(config), columns, keepColumns: true, field }
  const aside = skipBadFlag(flags, path)
  if (aside === null) return yield* readQuestions(path, format)
  // The bad rows were written when the file was read for the first time.
  if (isRepeated) return yield* readQuestions(path, { ...format, onBad: () => undefined })
  const bad: BadRow[] = []
  yield* readQuestions(path, { ...format, onBad: (row) => void bad.push(row) })
  const { writeWhole } = await import('../files/write-whole.ts')
  await writeWhole(aside, badLines(bad))
  if (bad.length === 0) return
  const left = `${countOf(bad.length, 'row')} could not be read and ${bad.length === 1 ? 'is' : 'are'} left out`
  const first = plainText(bad[0]?.problem ?? '')
  surroundings().stderr.write(`quorate: ${left}, see ${plainText(aside)}. The first one: ${first}\n`)
}

function skipBadFlag(flags: Flags, path: string): string | null {
  const aside = flags.get('skip-bad')
  if (aside === undefined) return null
  if (typeof aside !== 'string' || aside === '') throw new UsageError('--skip-bad must name a file, got ""')
  if (resolve(aside) !== resolve(path)) return aside
  throw new UsageError(`--skip-bad must name another file than the questions, got ${plainText(aside)}`)
}

/** The original rows with their line number and problem, as CSV if the questions were CSV, otherwise as JSONL. */
function* badLines(bad: readonly BadRow[]): Generator<string> {
  const header = bad[0]?.header ?? null
  if (header !== null) yield csvLine([...header, 'line', 'problem'])
  for (const { line, cells, problem } of bad) {
    if (header === null) yield jsonLine({ line, problem, row: cells[0] ?? '' })
    else
      yield csvLine([
        ...cells,
        ...Array<string>(Math.max(0, header.length - cells.length)).fill(''),
        String(line),
        problem,
      ])
  }
}
