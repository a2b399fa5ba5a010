import { basename } from 'node:path'
import { z } from 'zod'
import { refusal } from '../../files/file-error.ts'
import { plainText } from '../../text/plain-text.ts'
import { parsedAs, readJsonFile } from '../parsed-json.ts'
import type { BenchmarkQuestion } from './load-benchmark.ts'

const fileSchema = z.looseObject({
  examples: z.array(z.looseObject({ input: z.string().min(1), target: z.string().min(1) })).min(1),
})

/** Answers of subtasks that list no options, such as boolean_expressions and web_of_lies. */
const PAIRS = [
  ['True', 'False'],
  ['Yes', 'No'],
  ['yes', 'no'],
] as const

/**
 * BIG-Bench Hard (suzgunmirac/BIG-Bench-Hard, `bbh/SUBTASK.json`): the options follow `Options:` in `input`, with
 * letters in brackets or with dashes. Subtasks with free answers, such as word_sorting, are refused.
 */
export async function* readBbh(path: string): AsyncGenerator<BenchmarkQuestion> {
  const name = plainText(path)
  const { examples } = parsedAs(fileSchema, await readJsonFile(path), name)
  const group = basename(path).replace(/\.json$/i, '')
  const targets = new Set(examples.map(({ target }) => target))
  const pair = PAIRS.find((each) => [...targets].every((target) => each.some((option) => option === target)))
  for (const [index, { input, target }] of examples.entries()) {
    const place = `${name}: examples[${index}]`
    const listed = optionsOf(input)
    if (listed === null && pair === undefined) {
      throw refusal(`${place}.input`, 'a question with "Options:", since free answers cannot be chosen from', input)
    }
    const { question, names, texts } = listed ?? { question: input, names: pair ?? [], texts: pair ?? [] }
    const gold = names.indexOf(target.replace(/^\((.+)\)$/, '$1'))
    if (gold < 0) throw refusal(`${place}.target`, `one of ${names.join(', ')}`, target)
    yield { id: null, group, question, names, texts, gold }
  }
}

function optionsOf(
  input: string,
): { readonly question: string; readonly names: readonly string[]; readonly texts: readonly string[] } | null {
  const at = input.lastIndexOf('Options:')
  if (at < 0) return null
  const names: string[] = []
  const texts: string[] = []
  for (const line of input.slice(at + 'Options:'.length).split('\n')) {
    const lettered = /^\(([A-Z])\)\s*(\S.*)$/.exec(line.trim())
    const dashed = /^-\s*(\S.*)$/.exec(line.trim())
    const [name, text] = lettered ? [lettered[1], lettered[2]] : [dashed?.[1], dashed?.[1]]
    if (name === undefined || text === undefined) continue
    names.push(name.trim())
    texts.push(text.trim())
  }
  return names.length < 2 ? null : { question: input.slice(0, at).trim(), names, texts }
}
