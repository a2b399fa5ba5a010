import { z } from 'zod'
import { FileError, refusal } from '../../files/file-error.ts'
import { readLines } from '../../files/read-lines.ts'
import { plainText } from '../../text/plain-text.ts'
import { parsedAs } from '../parsed-json.ts'
import { benchmarkRows } from './benchmark-rows.ts'
import type { BenchmarkQuestion } from './load-benchmark.ts'

const OPTIONS = 4
/** Lines after the blank one: the letter, the passage, the question and the options. */
const BLOCK = 3 + OPTIONS

/** LogiQA (Liu et al. 2020, for example `Train.txt`): blocks of eight lines, the first one blank. */
export async function* readLogiqa(path: string): AsyncGenerator<BenchmarkQuestion> {
  const name = plainText(path)
  let block: string[] = []
  let line = 0
  let start = 1
  for await (const text of readLines(path)) {
    line += 1
    if (block.length === 0) {
      if (text.trim() === '') continue
      start = line
    }
    block.push(text.trim())
    if (block.length < BLOCK) continue
    yield blockQuestion(block, start, name)
    block = []
  }
  if (block.length > 0) {
    throw new FileError(
      `${name}: line ${start}: a block must have ${BLOCK} lines after a blank one, got ${block.length}`,
    )
  }
}

function blockQuestion(block: readonly string[], start: number, name: string): BenchmarkQuestion {
  const [letter = '', passage = '', question = '', ...options] = block
  const gold = /^[a-d]$/i.test(letter) ? letter.toLowerCase().charCodeAt(0) - 97 : -1
  if (gold < 0) throw refusal(`${name}: line ${start}: the right answer`, 'a letter from a to d', letter)
  const texts = options.map((option, index) => {
    const found = /^([A-D])(?:\s*[.、)])?\s*(\S.*)$/.exec(option)
    if (found !== null && found[1] === 'ABCD'[index] && found[2] !== undefined) return found[2]
    throw refusal(`${name}: line ${start + 3 + index}: the option`, `a text behind "${'ABCD'[index]}."`, option)
  })
  return { id: null, group: null, question: `${passage}\n\n${question}`, texts, gold }
}

const rowSchema = z.looseObject({
  id: z.union([z.int(), z.string()]).optional(),
  answer: z
    .int()
    .min(0)
    .max(OPTIONS - 1),
  text: z.string().min(1),
  question: z.string().min(1),
  options: z.array(z.string().min(1)).length(OPTIONS),
})

/** LogiQA 2 (csitfun/LogiQA2.0, `logiqa/DATA/LOGIQA/train.txt`): JSON lines. */
export async function* readLogiqa2(path: string): AsyncGenerator<BenchmarkQuestion> {
  for await (const { value, place } of benchmarkRows(path)) {
    const { id, answer, text, question, options } = parsedAs(rowSchema, value, place)
    yield {
      id: id === undefined ? null : String(id),
      group: null,
      question: `${text}\n\n${question}`,
      texts: options,
      gold: answer,
    }
  }
}
