import { z } from 'zod'
import { FileError, oneOf, refusal } from '../../files/file-error.ts'
import { cellOf, columnsOf } from '../../questions/csv-columns.ts'
import { csvTable } from '../../questions/csv-rows.ts'
import { debateSchema, optionNames } from '../../record/debate.ts'
import { areClasses } from '../../record/open-answers.ts'
import { findStored } from '../../record/parse-stored.ts'
import type { Store, StoredLabel } from '../../store/store.ts'
import { plainText } from '../../text/plain-text.ts'
import { debatesOfFile } from '../calibration/recorded-debates.ts'
import { allRuns } from '../find-run.ts'
import { questionRows } from '../pages.ts'
import { readStoredQuestion } from '../stored-question.ts'
import type { ImportTools } from './import-debates.ts'

export interface LabelFile {
  readonly path: string
  /** Columns of a CSV file. If given, the file is read as CSV whatever its name. */
  readonly columns?: { readonly id?: string; readonly gold?: string }
  /** Whether a label may contradict an earlier label of the same question. The later one counts. */
  readonly isReplacing?: boolean
  /** Whether labels of questions that no run has are left out. Otherwise they are an error. */
  readonly skipsUnknown?: boolean
}

export interface ImportedLabels {
  readonly labels: number
  /** Labels that were left out because no run has their question. */
  readonly unknown: number
}

const labelSchema = z.object({ id: z.string().min(1), gold: z.string().min(1) })

/**
 * Imports the right options of questions from a file of {id, gold}, all of them or none. A label that is no option of its
 * question, or that contradicts an earlier label, is an error.
 */
export async function importLabels(
  store: Store,
  file: LabelFile,
  { now, newId }: ImportTools,
): Promise<ImportedLabels> {
  const all = await readLabels(file)
  const known = await knownQuestions(store, new Set(all.map(({ id }) => id)))
  const read = file.skipsUnknown === true ? all.filter(({ id }) => known.has(id)) : all
  const labels: StoredLabel[] = []
  for (const label of read) {
    checkOption(label, known.get(label.id))
    if (file.isReplacing !== true) await checkEarlier(store, label)
    const { id: questionId, gold } = label
    labels.push({ id: newId(), runId: null, questionId, gold, source: 'import', by: null, at: now() })
  }
  await store.labels.addAll(labels)
  return { labels: labels.length, unknown: all.length - read.length }
}

interface Label extends z.infer<typeof labelSchema> {
  /** File and line. */
  readonly place: string
}

async function readLabels(file: LabelFile): Promise<readonly Label[]> {
  const name = plainText(file.path)
  const isCsv = file.columns !== undefined || file.path.toLowerCase().endsWith('.csv')
  const labels = new Map<string, Label>()
  for await (const { value, place: line } of isCsv ? labelsOfCsv(file) : debatesOfFile(file.path)) {
    const place = `${name}: ${line}`
    const label = { ...readLabel(value, place), place }
    const first = labels.get(label.id)
    if (first !== undefined) throw refusal(`${place}: id`, `a unique question: ${first.place} has the same`, label.id)
    labels.set(label.id, label)
  }
  if (labels.size === 0) throw new FileError(`${name}: expected labels, one per line, got none`)
  return [...labels.values()]
}

function checkOption({ id, gold, place }: Label, known: KnownQuestion | undefined): void {
  if (known === undefined) {
    const next = 'Correct the id, or leave such labels out with --skip-unknown'
    throw new FileError(`${place}: no run has a question ${JSON.stringify(plainText(id))}. ${next}`)
  }
  const { options, golds, isOpen } = known
  if (isOpen) {
    const expected =
      'left to the question file, to grades or to a reviewer where answers are open: a class has another number in each run'
    throw refusal(`${place}: gold`, expected, gold)
  }
  if (options.size > 0 && !options.has(gold)) throw refusal(`${place}: gold`, oneOf([...options]), gold)
  if (golds.size === 0 || golds.has(gold)) return
  throw refusal(`${place}: gold`, `${oneOf([...golds])} as the question itself says, which counts before labels`, gold)
}

async function checkEarlier(store: Store, { id, gold, place }: Label): Promise<void> {
  const earlier = (await store.labels.of(id)).findLast((label) => label.gold !== null)?.gold ?? null
  if (earlier === null || earlier === gold) return
  throw refusal(`${place}: gold`, `${oneOf([earlier])} as an earlier label says, or come with --replace`, gold)
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

/** What the runs of a store know about a question. */
interface KnownQuestion {
  readonly options: ReadonlySet<string>
  /** Right options in the questions themselves, which count before any label. */
  readonly golds: ReadonlySet<string>
  /** True: its options are classes 1, 2, ... of open answers. The right answer 1 would be read as class 1. */
  readonly isOpen: boolean
}

/** The questions with these ids, over all runs, since several runs may have the same question. */
async function knownQuestions(store: Store, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, KnownQuestion>> {
  const known = new Map<string, { options: Set<string>; golds: Set<string>; isOpen: boolean }>()
  for await (const { id: runId } of allRuns(store)) {
    for await (const { questionId, question } of questionRows(store, runId)) {
      if (!ids.has(questionId)) continue
      const { options, gold } = question === null ? await erased(store, runId, questionId) : readNames(question)
      const own = known.get(questionId) ?? { options: new Set(), golds: new Set(), isOpen: false }
      known.set(questionId, own)
      own.isOpen ||= areClasses(options.map((name) => ({ name })))
      for (const option of options) own.options.add(option)
      if (gold !== null) own.golds.add(gold)
    }
  }
  return known
}

interface Names {
  readonly options: readonly string[]
  readonly gold: string | null
}

function readNames(question: string): Names {
  const { options, gold } = readStoredQuestion(question)
  return { options: options.map(({ name }) => name), gold }
}

/** The text of the question was erased. Its debate, if there was one, still names the options. */
async function erased(store: Store, runId: string, questionId: string): Promise<Names> {
  const stored = await store.debates.find(runId, questionId)
  const debate = findStored(namesSchema, stored?.debate ?? null)
  return debate === null
    ? { options: [], gold: null }
    : { options: optionNames(debate.options), gold: debate.gold ?? null }
}

const namesSchema = debateSchema.pick({ options: true, gold: true })
