import { z } from 'zod'
import { FileError } from '../files/file-error.ts'
import { csvRows } from '../questions/csv-rows.ts'
import { plainText } from '../report/plain-text.ts'
import type { Store } from '../store/store.ts'
import type { ImportTools } from './import-debates.ts'
import { debatesOfFile } from './recorded-debates.ts'

export interface LabelFile {
  readonly path: string
  /** Columns of a CSV file; given, the file is read as CSV whatever its name. */
  readonly columns?: { readonly id?: string; readonly gold?: string }
}

const labelSchema = z.object({ id: z.string().min(1), gold: z.string().min(1) })

/** The right options of questions, from a file of {id, gold}; how many there were. */
export async function importLabels(store: Store, file: LabelFile, { now, newId }: ImportTools): Promise<number> {
  const isCsv = file.columns !== undefined || file.path.toLowerCase().endsWith('.csv')
  let count = 0
  for await (const { value, place } of isCsv ? labelsOfCsv(file) : debatesOfFile(file.path)) {
    const parsed = labelSchema.safeParse(value)
    if (!parsed.success) {
      const field = parsed.error.issues[0]?.path.join('.') || 'the line'
      throw new FileError(
        `${plainText(file.path)}: ${place}: ${field} must be a text: a label is {"id": ..., "gold": ...}`,
      )
    }
    const { id: questionId, gold } = parsed.data
    await store.labels.add({ id: newId(), runId: null, questionId, gold, source: 'import', by: null, at: now() })
    count += 1
  }
  return count
}

async function* labelsOfCsv({ path, columns = {} }: LabelFile): AsyncGenerator<{ value: unknown; place: string }> {
  const { id = 'id', gold = 'gold' } = columns
  let titles: readonly string[] | null = null
  for await (const { line, cells } of csvRows(path)) {
    if (titles === null) {
      titles = cells.map((cell) => cell.trim())
      const missing = [id, gold].find((title) => !titles?.includes(title))
      if (missing !== undefined) {
        throw new FileError(
          `${plainText(path)}: line 1: expected a column ${JSON.stringify(plainText(missing))}; say which with --map`,
        )
      }
      continue
    }
    const cell = (title: string) => cells[titles?.indexOf(title) ?? -1]?.trim()
    yield { value: { id: cell(id), gold: cell(gold) }, place: `line ${line}` }
  }
}
