import { z } from 'zod'
import { refusal } from '../../files/file-error.ts'
import { parsedAs } from '../parsed-json.ts'
import { benchmarkRows } from './benchmark-rows.ts'
import type { BenchmarkQuestion } from './load-benchmark.ts'

const FEWEST = 2

/** A row as AI2 publishes it. */
const originalSchema = z.looseObject({
  id: z.string().min(1),
  question: z.looseObject({
    stem: z.string().min(1),
    choices: z.array(z.looseObject({ text: z.string().min(1), label: z.string().min(1) })).min(FEWEST),
  }),
  answerKey: z.string().min(1),
})

/** A row as the Hugging Face hub has it, in JSON lines or Parquet. */
const hubSchema = z.looseObject({
  id: z.string().min(1),
  question: z.string().min(1),
  choices: z.looseObject({ text: z.array(z.string().min(1)).min(FEWEST), label: z.array(z.string().min(1)) }),
  answerKey: z.string().min(1),
})

/** ARC (Clark et al. 2018): options have letters, or digits in some rows. */
export async function* readArc(path: string): AsyncGenerator<BenchmarkQuestion> {
  for await (const { value, place } of benchmarkRows(path)) {
    const row = rowOf(value, place)
    const gold = row.names.indexOf(row.key)
    if (gold < 0) throw refusal(`${place}: answerKey`, `one of the labels ${row.names.join(', ')}`, row.key)
    if (new Set(row.names).size !== row.texts.length) {
      throw refusal(`${place}: choices`, 'a unique label for each option', row.names.join(', '))
    }
    yield { id: row.id, group: null, question: row.question, names: row.names, texts: row.texts, gold }
  }
}

function rowOf(value: unknown, place: string) {
  const isHub = typeof value === 'object' && value !== null && Object.hasOwn(value, 'choices')
  if (isHub) {
    const { id, question, choices, answerKey: key } = parsedAs(hubSchema, value, place)
    return { id, question, names: choices.label, texts: choices.text, key }
  }
  const { id, question, answerKey: key } = parsedAs(originalSchema, value, place)
  const [names, texts] = [question.choices.map(({ label }) => label), question.choices.map(({ text }) => text)]
  return { id, question: question.stem, names, texts, key }
}
