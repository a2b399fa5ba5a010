import type { ExportKind } from '../run/exchange/export-lines.ts'
import type { Store } from '../store/store.ts'
import { errorSentence } from '../text/error-sentence.ts'
import { countOf } from '../text/number-text.ts'
import { plainText } from '../text/plain-text.ts'
import { fileText, programName } from './command-line.ts'
import type { Flags } from './flags/parse-flags.ts'
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

/** Writes what --out asked for and says so; the run is kept whatever becomes of the file, and the error says how to go on. */
export async function writeOut(
  store: Store,
  { runId, what, flags }: { readonly runId: string; readonly what: ExportKind; readonly flags: Flags },
): Promise<WrittenOut> {
  const out = flags.get('out')
  if (typeof out !== 'string') return { text: '', isWritten: true }
  const { writeExport } = await import('../run/exchange/write-export.ts')
  try {
    const lines = await writeExport(store, { runId, what, out })
    return { text: `Wrote     ${countOf(lines, 'line')} (${what}) to ${plainText(out)}\n`, isWritten: true }
  } catch (error) {
    const again = `${programName()} export --run ${runId} --what ${what} --out ${fileText(out)}`
    surroundings().stderr.write(`quorate: ${errorSentence(error)}; the run is kept: ${plainText(again)}\n`)
    return { text: '', isWritten: false }
  }
}
