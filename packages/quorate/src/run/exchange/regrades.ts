import { canonicalJson, sha256 } from '@quorate/certificate'
import type { z } from 'zod'
import { FileError, refusal } from '../../files/file-error.ts'
import { cellOf, columnsOf } from '../../questions/csv-columns.ts'
import { csvTable } from '../../questions/csv-rows.ts'
import { debateSchema } from '../../record/debate.ts'
import { representatives } from '../../record/open-answers.ts'
import { csvLine, withoutEscape } from '../../text/csv-text.ts'
import { countOf } from '../../text/number-text.ts'
import { plainText } from '../../text/plain-text.ts'
import type { RecordedDebate } from '../calibration/calibration-debates.ts'
import type { GrowingSample, RegradeSample } from './regrade-sample.ts'

/*
 * The error of a grading model is measured on debates that people grade again. Which debates are in the sample follows from the
 * run and their ids alone, and the sample is recorded when it is made. So nobody can choose it by the model's grades, sample
 * again until it looks good, leave rows out, or cut the file after seeing it.
 */

const COLUMNS = ['sample', 'id', 'question', 'reference', 'answer', 'answer_text', 'right'] as const

/** What a person may write in the column `right`; upper and lower case are equal. */
const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ['yes', true],
  ['right', true],
  ['no', false],
  ['wrong', false],
  ['cannot tell', null],
])

const gradedSchema = debateSchema.pick({ id: true, question: true, gold_text: true, rounds: true, grades: true })
type GradedLine = z.infer<typeof gradedSchema>

export interface SampleOptions {
  /** Id of the run of the debates; empty for a file. */
  readonly key: string
  /** How many debates the sample contains. */
  readonly count: number
  readonly sample: GrowingSample
  /** Grades that people gave so far; the new file keeps them. */
  readonly kept?: Regrades | null
}

export interface SampledRegrades {
  /** Lines with their line ends. */
  readonly lines: readonly string[]
  readonly debates: number
  readonly rows: number
}

/** Makes a CSV file for people: the answers of a random sample of debates, without the model's grades. */
export async function sampleRegrades(
  debates: AsyncIterable<RecordedDebate>,
  { key, count, sample, kept = null }: SampleOptions,
): Promise<SampledRegrades> {
  const before = (await sample.read()) ?? []
  if (count < before.length) {
    throw new FileError(
      `the sample of these debates already has ${countOf(before.length, 'debate')} and can only grow: expected --sample ` +
        `${before.length} or more, got ${count}`,
    )
  }
  const last = before.map((id) => rankOf(key, id)).reduce((latest, rank) => (rank > latest ? rank : latest), '')
  const ranks: { readonly id: string; readonly rank: string; readonly rows: readonly (readonly string[])[] }[] = []
  for await (const { value } of debates) {
    const debate = gradedByModel(value)
    if (debate === null) continue
    ranks.push({ id: debate.id, rank: rankOf(key, debate.id), rows: rowsOf(debate, kept?.grades.get(debate.id)) })
    // Only the first debates by rank are kept in memory.
    if (ranks.length >= 2 * (count + before.length)) keepFirst(ranks, count, last)
  }
  keepFirst(ranks, count, last)
  if (ranks.length === 0) {
    throw new FileError(
      'there is no debate that a model graded: set grader: { kind: model, model } in the config, and debate labelled questions',
    )
  }
  const ids = ranks.map(({ id }) => id)
  const known = new Set(ids)
  const gone = before.find((id) => !known.has(id))
  if (gone !== undefined) {
    throw new FileError(
      `the debate ${JSON.stringify(plainText(gone))} is in the sample, but no debate that a model graded has this id now`,
    )
  }
  await sample.keep(ids)
  const rows = ranks.flatMap((each) => each.rows)
  const lines = [[...COLUMNS], ...rows.map((row) => [String(ranks.length), ...row])].map((cells) => csvLine(cells))
  return { lines, debates: ranks.length, rows: rows.length }
}

/** Keeps the first debates by rank, and all up to the last one that is already in the sample. */
function keepFirst(ranks: { readonly rank: string }[], count: number, last: string): void {
  ranks.sort((a, b) => (a.rank < b.rank ? -1 : 1))
  const end = ranks.findIndex(({ rank }, at) => at >= count && rank > last)
  if (end >= 0) ranks.splice(end)
}

function rankOf(key: string, id: string): string {
  return sha256(canonicalJson(['re-grade', key, id]))
}

/** One row for each distinct answer of the panel. */
function rowsOf(debate: GradedLine, known: ReadonlyMap<string, boolean | null> | undefined) {
  const standing = representatives(debate.rounds)
  return answersOf(debate).map((answer) => {
    const right = known?.get(answer)
    const text = standing.get(answer) ?? answer
    return [debate.id, debate.question ?? '', debate.gold_text ?? '', answer, text, wordOf(right)]
  })
}

function wordOf(right: boolean | null | undefined): string {
  if (right === undefined) return ''
  return right === null ? 'cannot tell' : right ? 'yes' : 'no'
}

function answersOf({ grades }: GradedLine): readonly string[] {
  return [...new Set((grades ?? []).flatMap(({ answer }) => answer ?? []))]
}

/** The grades of people, by debate and by answer. */
export interface Regrades {
  readonly file: string
  readonly grades: ReadonlyMap<string, ReadonlyMap<string, boolean | null>>
}

/**
 * Reads the grades of people. Every row must be present and graded, because rows could be left out for what they say. With
 * `isPartial` the grading is not finished, and rows may be missing or empty.
 */
export async function readRegrades(path: string, { isPartial = false } = {}): Promise<Regrades> {
  const file = plainText(path)
  const { header, rows } = await csvTable(path)
  const grades = new Map<string, Map<string, boolean | null>>()
  const samples = new Set<string>()
  let empty = 0
  if (header !== null) {
    const found = columnsOf(header, path)
    const [sample, id, answer, right] = ['sample', 'id', 'answer', 'right'].map((name) => found.required(name))
    for await (const { line, cells } of rows) {
      const place = `${file}: line ${line}`
      const cell = (column: number | undefined, name: string) => {
        const text = cellOf(cells, column ?? null)
        if (text === null) throw refusal(`${place}: ${name}`, 'a text that is not blank', '')
        return withoutEscape(text)
      }
      samples.add(cell(sample, 'sample'))
      const own = grades.get(cell(id, 'id')) ?? new Map<string, boolean | null>()
      grades.set(cell(id, 'id'), own)
      const grade = cellOf(cells, right ?? null)?.toLowerCase() ?? null
      if (grade === null) empty += 1
      else if (!WORDS.has(grade)) throw refusal(`${place}: right`, 'yes, no or cannot tell', grade)
      if (own.has(cell(answer, 'answer')))
        throw refusal(`${place}: answer`, 'an answer that occurs once', cell(answer, 'answer'))
      if (grade !== null) own.set(cell(answer, 'answer'), WORDS.get(grade) ?? null)
    }
  }
  if (grades.size === 0) throw new FileError(`${file}: expected rows with sample, id, answer and right, got none`)
  if (isPartial) return { file, grades }
  if (empty > 0) {
    throw new FileError(
      `${file}: ${countOf(empty, 'row')} ${empty === 1 ? 'has' : 'have'} nothing in the column right: write yes, no or ` +
        'cannot tell, which counts as no',
    )
  }
  const [size, ...others] = samples
  if (others.length > 0 || Number(size) !== grades.size) {
    throw new FileError(
      `${file}: expected all ${plainText([...samples].join(' or '))} debates of the sample, got ${grades.size}: rows that are ` +
        'left out make it a non-random sample',
    )
  }
  return { file, grades }
}

export interface SampledFrom {
  /** Id of the run of the debates; empty for a file. */
  readonly key: string
  readonly sample: RegradeSample
}

/** Adds the grades of people to the debates as `audits`. Throws at the end if the sample is not the recorded one. */
export async function* withRegrades(
  debates: AsyncIterable<RecordedDebate>,
  { file, grades }: Regrades,
  { key, sample }: SampledFrom,
): AsyncGenerator<RecordedDebate> {
  await checkSample({ file, grades }, sample)
  const ranks = [...grades.keys()].map((id) => rankOf(key, id)).sort()
  const last = ranks.at(-1) ?? ''
  const [unseen, missing] = [new Set(grades.keys()), new Set<string>()]
  for await (const recorded of debates) {
    const debate = gradedByModel(recorded.value)
    const known = debate === null ? undefined : grades.get(debate.id)
    if (debate !== null && known === undefined && rankOf(key, debate.id) < last) missing.add(debate.id)
    if (debate === null || known === undefined) {
      yield recorded
      continue
    }
    unseen.delete(debate.id)
    yield { ...recorded, value: { ...(recorded.value as object), audits: auditsOf(debate, known, file) } } // it was read as one
  }
  const [unknown] = unseen
  if (unknown !== undefined) {
    throw new FileError(`${file}: no debate that a model graded has the id ${JSON.stringify(plainText(unknown))}`)
  }
  const [first] = missing
  if (first === undefined) return
  throw new FileError(
    `${file}: ${countOf(missing.size, 'debate')} of the sample (first: ${JSON.stringify(plainText(first))}) ` +
      `${missing.size === 1 ? 'is' : 'are'} missing from the file. Write the file again with quorate grade --sample, which keeps the grades in it`,
  )
}

/** The bound on the model's error is only valid for the recorded sample, complete and without additions. */
async function checkSample({ file, grades }: Regrades, sample: RegradeSample): Promise<void> {
  const sampled = await sample.read()
  if (sampled === null) {
    throw new FileError(
      `${file}: no sample of these debates is recorded: expected a file that quorate grade --sample wrote, which records the sample`,
    )
  }
  const left = sampled.filter((id) => !grades.has(id))
  if (left.length > 0) {
    const first = JSON.stringify(plainText(left[0] ?? ''))
    throw new FileError(
      `${file}: expected all ${sampled.length} debates of the sample, got ${grades.size}. ${left.length} are missing (first: ${first}). ` +
        'Without them it is not a random sample. Write the file again with quorate grade --sample, which keeps the grades in it',
    )
  }
  const known = new Set(sampled)
  const added = [...grades.keys()].find((id) => !known.has(id))
  if (added !== undefined) {
    throw new FileError(
      `${file}: the debate ${JSON.stringify(plainText(added))} is not in the sample: expected only debates of the sample`,
    )
  }
}

function auditsOf({ id, grades }: GradedLine, known: ReadonlyMap<string, boolean | null>, file: string) {
  return (grades ?? []).map(({ round, answer = null }) => {
    if (answer !== null && !known.has(answer)) {
      const name = `${JSON.stringify(plainText(id))}, answer ${JSON.stringify(plainText(answer))}`
      throw new FileError(`${file}: expected a row for the debate ${name}, got none`)
    }
    return { round, right: answer === null ? null : (known.get(answer) ?? null), by: 'person', answer }
  })
}

/** Null unless the value is a debate that a model graded. */
function gradedByModel(value: unknown): GradedLine | null {
  const parsed = gradedSchema.safeParse(value)
  return parsed.success && isModelGraded(parsed.data) ? parsed.data : null
}

/** Whether a model graded the debate, so that the model's error counts. */
export function isModelGraded({ grades }: { readonly grades?: GradedLine['grades'] }): boolean {
  return (grades ?? []).some(({ by }) => by === 'model' || by?.startsWith('model:') === true)
}
