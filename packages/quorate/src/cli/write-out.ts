import type { ExportKind } from '../run/exchange/export-lines.ts'
import type { Store } from '../store/store.ts'
import { errorSentence } from '../text/error-sentence.ts'
import { countOf } from '../text/number-text.ts'
import { plainText } from '../text/plain-text.ts'
import { fileText, programName } from './command-line.ts'
import type { Flags } from './flags/parse-flags.ts'
import type { QuestionFile } from './question-file.ts'
import { surroundings } from './terminal.ts'
import { UsageError } from './usage-error.ts'

/** The `--out` file, checked to be writable before anything is spent. Null without the flag. */
export async function outFlag(flags: Flags): Promise<string | null> {
  const out = flags.get('out')
  if (out === undefined) return null
  if (typeof out !== 'string' || out === '') throw new UsageError('--out must name a file, got ""')
  const { checkWritable } = await import('../run/exchange/write-lines.ts')
  await checkWritable(out)
  return out
}

export interface WrittenOut {
  /** The message to print. Empty without the flag. */
  readonly text: string
  /** False if the file could not be written. The reason is then on standard error. */
  readonly isWritten: boolean
}

/**
 * Writes the `--out` file. If that fails, the run is kept, and the error message has a command that tries again. With the
 * question `file` of a decide run, a CSV result has the columns and the CSV style of that file.
 */
export async function writeOut(
  store: Store,
  runId: string,
  what: ExportKind,
  flags: Flags,
  file?: QuestionFile,
): Promise<WrittenOut> {
  const out = flags.get('out')
  if (typeof out !== 'string') return { text: '', isWritten: true }
  const { writeExport } = await import('../run/exchange/write-export.ts')
  try {
    if (file !== undefined && out.toLowerCase().endsWith('.csv')) {
      const rows = await writeDecidedRows(store, runId, out, file)
      return { text: `Wrote     ${countOf(rows, 'row')} to ${plainText(out)}\n`, isWritten: true }
    }
    const lines = await writeExport(store, { runId, what, out })
    return { text: `Wrote     ${countOf(lines, 'line')} (${what}) to ${plainText(out)}\n`, isWritten: true }
  } catch (error) {
    const again = `${programName()} export --run ${runId} --what ${what} --out ${fileText(out)}`
    surroundings().stderr.write(
      `quorate: ${errorSentence(error)}. The run is kept. To write it again: ${plainText(again)}\n`,
    )
    return { text: '', isWritten: false }
  }
}

/** Writes the rows in the order of the question file, and returns their number. */
async function writeDecidedRows(store: Store, runId: string, out: string, file: QuestionFile): Promise<number> {
  const { decidedRows } = await import('../run/exchange/decided-rows.ts')
  const { questionsOfRun } = await import('../run/stored-question.ts')
  const { writeLines } = await import('../run/exchange/write-lines.ts')
  const { csvStyle } = await import('../questions/csv-rows.ts')
  const { isCsvFile } = await import('../questions/read-questions.ts')
  const { certificateId } = (await store.runs.find(runId)) ?? { certificateId: null }
  const style = isCsvFile(file.path, file) ? await csvStyle(file.path) : {}
  const questions = questionsOfRun(store, runId)
  const rows = decidedRows(store, { questions, certificateId: certificateId ?? '', format: 'csv', runId, ...style })
  return (await writeLines(out, rows)) - 1
}
