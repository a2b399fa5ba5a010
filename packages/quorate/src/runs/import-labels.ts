import { z } from 'zod'
import { FileError } from '../files/file-error.ts'
import { cellOf, columnsOf } from '../questions/csv-columns.ts'
import { csvTable } from '../questions/csv-rows.ts'
import { refusal } from '../questions/read-question.ts'
import { plainText } from '../report/plain-text.ts'
import type { Store, StoredLabel } from '../store/store.ts'
import type { ImportTools } from './import-debates.ts'
import { debatesOfFile } from './recorded-debates.ts'

export interface LabelFile {
  readonly path: string
  /** Columns of a CSV file; given, the file is read as CSV whatever its name. */
  readonly columns?: { readonly id?: string; readonly gold?: string }
}

const labelSchema = z.object({ id: z.string().min(1), gold: z.string().min(1) })

/** The right options of questions, from a file of {id, gold}, all of them or none; how many there were. */
export async function importLabels(store: Store, file: LabelFile, { now, newId }: ImportTools): Promise<number> {
  const isCsv = file.columns !== undefined || file.path.toLowerCase().endsWith('.csv')
  const labels: StoredLabel[] = []
  for await (const { value, place } of isCsv ? labelsOfCsv(file) : debatesOfFile(file.path)) {
    const { id: questionId, gold } = readLabel(value, `${plainText(file.path)}: ${place}`)
    labels.push({ id: newId(), runId: null, questionId, gold, source: 'import', by: null, at: now() })
  }
  if (labels.length === 0) throw new FileError(`${plainText(file.path)}: expected labels, one a line, got none`)
  await store.labels.addAll(labels)
  return labels.length
}

function readLabel(value: unknown, place: string): z.infer<typeof labelSchema> {
  const parsed = labelSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const [field] = parsed.error.issues[0]?.path ?? []
  if (field === undefined) throw refusal(`${place}: the line`, 'an object {"id": ..., "gold": ...}', value)
  const received: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, field) : value
  throw refusal(`${place}: ${String(field)}`, 'a text that is not blank', received)
}

async function* labelsOfCsv({ path, columns = {} }: LabelFile): AsyncGenerator<{ value: unknown; place: string }> {
  const { header, rows } = await csvTable(path)
  if (header === null) return
  const found = columnsOf(header, path)
  const [id, gold] = [found.required('id', columns.id), found.required('gold', columns.gold)]
  for await (const { line, cells } of rows) {
    yield { value: { id: cellOf(cells, id), gold: cellOf(cells, gold) }, place: `line ${line}` }
  }
}
