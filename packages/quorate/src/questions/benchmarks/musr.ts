import { basename } from 'node:path'
import { z } from 'zod'
import { refusal } from '../../files/file-error.ts'
import { plainText } from '../../text/plain-text.ts'
import { parsedAs, readJsonFile } from '../parsed-json.ts'
import type { BenchmarkQuestion } from './load-benchmark.ts'

const fileSchema = z
  .array(
    z.looseObject({
      context: z.string().min(1),
      questions: z
        .array(
          z.looseObject({
            question: z.string().min(1),
            choices: z.array(z.string().min(1)).min(2),
            answer: z.int().min(0),
          }),
        )
        .min(1),
    }),
  )
  .min(1)

/** MuSR (Zayne-sprague/MuSR, for example `datasets/murder_mystery.json`): stories, each with questions. */
export async function* readMusr(path: string): AsyncGenerator<BenchmarkQuestion> {
  const name = plainText(path)
  const stories = parsedAs(fileSchema, await readJsonFile(path), name)
  const group = basename(path).replace(/\.json$/i, '')
  for (const [story, { context, questions }] of stories.entries()) {
    for (const [index, { question, choices, answer }] of questions.entries()) {
      if (answer >= choices.length) {
        throw refusal(`${name}: [${story}].questions[${index}].answer`, `below ${choices.length}, an index`, answer)
      }
      yield { id: null, group, question: `${context}\n\n${question}`, texts: choices, gold: answer }
    }
  }
}
