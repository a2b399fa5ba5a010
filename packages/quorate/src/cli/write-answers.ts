import { ANSWER_FORMATS, type AnswerFormat, answerLines } from '../run/exchange/answer-lines.ts'
import { writeLines } from '../run/exchange/write-lines.ts'
import type { Run, Store } from '../store/store.ts'
import { jsonLine } from '../text/json-line.ts'
import { countOf } from '../text/number-text.ts'
import { plainText, withoutControls } from '../text/plain-text.ts'
import { type Flags, wordFlag } from './flags/parse-flags.ts'
import { surroundings } from './terminal.ts'
import { UsageError } from './usage-error.ts'
import { outFlag } from './write-out.ts'

/** The format given by `--format`, by the name of the `--out` file, or CSV. A format that contradicts the name is refused. */
export function answerFormat(flags: Flags): AnswerFormat {
  const given = wordFlag(flags, 'format', ANSWER_FORMATS)
  const out = String(flags.get('out') ?? '').toLowerCase()
  const named = ANSWER_FORMATS.find((format) => out.endsWith(`.${format}`))
  if (given === undefined || named === undefined || given === named) return given ?? named ?? 'csv'
  throw new UsageError(`--format ${given} contradicts --out, whose name ends in .${named}: change one of them`)
}

/** Writes final answers, of one run or of all, to the `--out` file or to standard output. Returns the message to print. */
export async function writeAnswers(store: Store, run: Run | null, format: AnswerFormat, flags: Flags): Promise<string> {
  const lines = answerLines(store, { format, run })
  const out = await outFlag(flags)
  if (out === null) {
    const { stdout } = surroundings()
    for await (const line of lines) stdout.write(`${stdout.isTTY === true ? withoutControls(line) : line}\n`)
    return ''
  }
  const written = await writeLines(out, lines)
  const answers = format === 'csv' ? written - 1 : written
  if (flags.has('json')) return jsonLine({ quorate: 1, what: 'answers', format, answers, file: out })
  return `Wrote ${countOf(answers, 'answer')} to ${plainText(out)}.\n`
}
