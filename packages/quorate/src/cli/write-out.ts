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

/** Where --out says, before anything is spent. Null without the flag. */
export async function outFlag(flags: Flags): Promise<string | null> {
  const out = flags.get('out')
  if (out === undefined) return null
  if (typeof out !== 'string' || out === '') throw new UsageError('--out must name a file, got ""')
  const { checkWritable } = await import('../run/exchange/write-lines.ts')
  await checkWritable(out)
  return out
}

export interface WrittenOut {
  /** For people; empty without the flag. */
  readonly text: string
  /** False: it could not be written, and standard error says why. */
  readonly isWritten: boolean
}

export interface OutRequest {
  readonly runId: string
  readonly what: ExportKind
  readonly flags: Flags
  /** The questions of a run that decided: CSV is written as they are. */
  readonly file?: Pick<QuestionFile, 'path' | 'columns'>
}

/** Writes what --out asked for and says so; the run is kept whatever becomes of the file, and the error says how to go on. */
export async function writeOut(store: Store, { runId, what, flags, file }: OutRequest): Promise<WrittenOut> {
  const out = flags.get('out')
  if (typeof out !== 'string') return { text: '', isWritten: true }
  const { writeExport } = await import('../run/exchange/write-export.ts')
  try {
    if (file !== undefined && out.toLowerCase().endsWith('.csv')) {
      const rows = await writeDecidedRows(store, { runId, out, file })
      return { text: `Wrote     ${countOf(rows, 'row')} to ${plainText(out)}\n`, isWritten: true }
    }
    const lines = await writeExport(store, { runId, what, out })
    return { text: `Wrote     ${countOf(lines, 'line')} (${what}) to ${plainText(out)}\n`, isWritten: true }
  } catch (error) {
    const again = `${programName()} export --run ${runId} --what ${what} --out ${fileText(out)}`
    surroundings().stderr.write(`quorate: ${errorSentence(error)}; the run is kept: ${plainText(again)}\n`)
    return { text: '', isWritten: false }
  }
}

/** How many rows there were, in the order of the file. */
async function writeDecidedRows(
  store: Store,
  {
    runId,
    out,
    file,
  }: { readonly runId: string; readonly out: string; readonly file: NonNullable<OutRequest['file']> },
): Promise<number> {
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
