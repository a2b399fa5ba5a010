import { debateSoFar } from '../../debate/debate-record.ts'
import type { ColumnMap } from '../../questions/csv-questions.ts'
import { readQuestions } from '../../questions/read-questions.ts'
import type { Question } from '../../record/question.ts'

/** The questions of a file as lines of JSONL. */
export async function* questionLines(path: string, columns?: ColumnMap): AsyncGenerator<string> {
  for await (const question of readQuestions(path, columns === undefined ? {} : { columns })) {
    yield questionLine(question)
  }
}

export function questionLine(question: Question): string {
  const { rounds: _, ...line } = debateSoFar(question, [])
  return JSON.stringify(line)
}
