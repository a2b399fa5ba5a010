import { hash } from 'node:crypto'
import { permutation, seededRandom } from '@quorate/certificate'
import { FileError } from '../../files/file-error.ts'
import { benchmarkRows } from './benchmark-rows.ts'
import type { BenchmarkOptions, BenchmarkQuestion } from './load-benchmark.ts'

const ANSWERS = ['Correct Answer', 'Incorrect Answer 1', 'Incorrect Answer 2', 'Incorrect Answer 3'] as const

/**
 * GPQA (Rein et al. 2023): CSV whose first answer is the right one, so options are shuffled. The order follows from the
 * seed and the question alone, not from its row. The authors ask that rows are never published where a crawler reads
 * them, so no error repeats the text of a row.
 */
export async function* readGpqa(path: string, { seed }: BenchmarkOptions): AsyncGenerator<BenchmarkQuestion> {
  for await (const { value, place } of benchmarkRows(path)) {
    const question = cell(value, 'Question', place)
    const answers = ANSWERS.map((column) => cell(value, column, place))
    const digest = hash('sha256', `${seed} ${question}`, 'buffer')
    const order = [...permutation(answers.length, seededRandom(digest.readUInt32LE(0)))]
    yield {
      id: optionalCell(value, 'Record ID'),
      group: optionalCell(value, 'High-level domain'),
      question,
      texts: order.map((index) => answers[index] ?? ''),
      gold: order.indexOf(0),
    }
  }
}

function cell(row: unknown, column: string, place: string): string {
  const text = optionalCell(row, column)
  if (text !== null) return text
  throw new FileError(`${place}: the column "${column}" must have a text, got none`)
}

function optionalCell(row: unknown, column: string): string | null {
  const value: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, column) : undefined
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}
