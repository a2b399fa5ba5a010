import { z } from 'zod'
import { refusal } from '../../files/file-error.ts'
import { optionLetter } from '../option-letter.ts'
import { parsedAs } from '../parsed-json.ts'
import { benchmarkRows } from './benchmark-rows.ts'
import type { BenchmarkQuestion } from './load-benchmark.ts'

const rowSchema = z.looseObject({
  question_id: z.union([z.int(), z.string()]).optional(),
  question: z.string().min(1),
  options: z.array(z.string()).min(2).max(10),
  answer: z.string().regex(/^[A-J]$/, 'a letter from A to J'),
  answer_index: z.int().min(0).optional(),
  category: z.string().optional(),
})

/** Replaces an option if a question has fewer than ten. */
const ABSENT = 'N/A'

/** MMLU-Pro (Wang et al. 2024): JSON lines, a JSON list or Parquet, with two to ten options. */
export async function* readMmluPro(path: string): AsyncGenerator<BenchmarkQuestion> {
  for await (const { value, place } of benchmarkRows(path)) {
    const row = parsedAs(rowSchema, value, place)
    const index = row.answer.charCodeAt(0) - 65
    const right = row.options[index]
    if (right === undefined || right === ABSENT) {
      throw refusal(`${place}: answer`, `a letter from A to ${optionLetter(row.options.length - 1)}`, row.answer)
    }
    if (row.answer_index !== undefined && row.answer_index !== index) {
      throw refusal(`${place}: answer_index`, `${index}, the index of ${row.answer}`, row.answer_index)
    }
    const kept = row.options.map((text, at) => ({ text, at })).filter(({ text }) => text !== ABSENT)
    yield {
      id: row.question_id === undefined ? null : String(row.question_id),
      group: row.category ?? null,
      question: row.question,
      texts: kept.map(({ text }) => text),
      gold: kept.findIndex(({ at }) => at === index),
    }
  }
}
