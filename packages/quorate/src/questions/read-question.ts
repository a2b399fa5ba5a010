import { compareCodePoints } from '@quorate/certificate'
import { equivalenceOf } from '../answers/equivalence.ts'
import { FileError, oneOf, refusal, shownValue } from '../files/file-error.ts'
import { checkPlainName } from '../files/plain-names.ts'
import { LIMITS } from '../record/limits.ts'
import { ID_WORDS, isDotSegment } from '../record/names.ts'
import type { Question, QuestionOption } from '../record/question.ts'
import { type Answers, answerOptions, openAnswers } from '../record/task.ts'
import { nearestName } from '../text/nearest-name.ts'
import { plainText } from '../text/plain-text.ts'

/** Names file, line and field in a message. */
export type ReadPlace = (field: string, column?: number | null) => string

/** A field, with the name of its column if that is another. */
export function namedField(field: string, column: string | undefined): string {
  return column === undefined || column === field ? field : `${field} (${JSON.stringify(plainText(column))})`
}

/** What all questions of a config have in common. */
export interface CommonAnswers {
  readonly answers: Answers
  /** Seed of the run, from which the order of the options follows. */
  readonly seed: number
}

/** The common answers of a plan; null if every question has its own options. */
export function commonAnswers({
  panel: { answers },
  seed,
}: {
  readonly panel: { readonly answers?: Answers | undefined }
  readonly seed: number
}): CommonAnswers | null {
  return answers === undefined ? null : { answers, seed }
}

/**
 * Parses a question that came from outside. `place` names the file and the line. It does not use zod, whose records
 * drop `__proto__`, a legal name of an option. With `common` answers, the value has no options of its own.
 */
export function readQuestion(value: unknown, place: string | ReadPlace, common: CommonAnswers | null = null): Question {
  const at = typeof place === 'string' ? (name: string) => `${place}: ${name}` : place
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refusal(at('the line'), 'one JSON object', value)
  }
  const version = field(value, 'quorate')
  if (version !== undefined && version !== 1) throw refusal(at('quorate'), '1', version)
  const id = readId(field(value, 'id'), at)
  const options =
    common === null ? readOptions(field(value, 'options'), at) : commonOptions(field(value, 'options'), id, common, at)
  return {
    id,
    question: readText(field(value, 'question'), at('question')),
    options,
    ...readRight(field(value, 'gold') ?? null, options, common, at),
    group: readGroup(field(value, 'group') ?? null, at),
  }
}

/** If a question has options all the same, they must be those of the config. */
function commonOptions(
  given: unknown,
  questionId: string,
  { answers, seed }: CommonAnswers,
  at: ReadPlace,
): readonly QuestionOption[] {
  const options = answerOptions(answers, { seed, questionId })
  if (given === undefined || given === null) return options
  const givenNames = new Set(readOptions(given, at).map(({ name }) => name))
  if (givenNames.size === options.length && options.every(({ name }) => givenNames.has(name))) return options
  throw refusal(at('options'), 'left out, or the answers of the config', given)
}

function readOptions(value: unknown, at: ReadPlace): readonly QuestionOption[] {
  const options = Array.isArray(value) ? namesInOrder(value, at) : namesWithTexts(value, at)
  if (options.length < LIMITS.fewestOptions || options.length > LIMITS.options) {
    throw refusal(at('options'), `${LIMITS.fewestOptions} to ${LIMITS.options} options`, value)
  }
  return options
}

function namesInOrder(value: readonly unknown[], at: ReadPlace): QuestionOption[] {
  const seen = new Map<string, number>()
  return value.map((item, index) => {
    const name = readName(item, at(`options[${index}]`))
    const first = seen.get(name)
    if (first !== undefined) {
      throw refusal(at(`options[${index}]`), `a unique name: options[${first}] has the same`, name)
    }
    seen.set(name, index)
    return { name, text: name }
  })
}

function namesWithTexts(value: unknown, at: ReadPlace): QuestionOption[] {
  if (typeof value !== 'object' || value === null) {
    throw refusal(at('options'), 'an array of names or an object of name to text', value)
  }
  const names = Object.keys(value).sort(compareCodePoints)
  return names.map((name) => {
    if (name.trim() === '') throw refusal(at('options'), 'under names that are not blank', name)
    const place = at(`options[${shownValue(name)}]`)
    checkLength(name, place, LIMITS.name)
    return { name, text: readText(field(value, name), place) }
  })
}

function readId(value: unknown, at: ReadPlace): string {
  const id = readName(value, at('id'))
  checkPlainName(id, at('id'))
  if (isDotSegment(id)) throw refusal(at('id'), ID_WORDS, id)
  return id
}

/** The right answer: an option, or for open answers a text that can be read as one. */
function readRight(
  value: unknown,
  options: readonly QuestionOption[],
  common: CommonAnswers | null,
  at: ReadPlace,
): Pick<Question, 'gold' | 'goldText'> {
  const open = openAnswers(common?.answers)
  if (open === null || value === null) return { gold: readGold(value, options, at) }
  const goldText = readText(typeof value === 'number' ? String(value) : value, at('gold'))
  const rules = equivalenceOf(open)
  if (!rules.isReadable(goldText)) throw refusal(at('gold'), rules.form, goldText)
  return { gold: null, goldText }
}

function readGold(value: unknown, options: readonly QuestionOption[], at: ReadPlace): string | null {
  if (value === null) return null
  const names = options.map(({ name }) => name)
  if (typeof value !== 'string') throw refusal(at('gold'), oneOf(names), value)
  if (names.includes(value)) return value
  const near = nearestName(value, names)
  const meant = near === null ? '' : `. Did you mean ${shownValue(near)}?`
  throw new FileError(`${refusal(at('gold'), oneOf(names), value).message}${meant}`)
}

function readGroup(value: unknown, at: ReadPlace): string | null {
  if (value !== null && typeof value !== 'string') throw refusal(at('group'), 'a string', value)
  if (value === null) return null
  checkPlainName(value, at('group'))
  checkLength(value, at('group'), LIMITS.name)
  return value
}

function readName(value: unknown, place: string): string {
  return readText(value, place, LIMITS.name)
}

function readText(value: unknown, place: string, most: number = LIMITS.text): string {
  if (typeof value !== 'string' || value.trim() === '') throw refusal(place, 'a text that is not blank', value)
  checkLength(value, place, most)
  return value
}

export function checkLength(text: string, place: string, most: number = LIMITS.text): void {
  if (text.length <= most) return
  throw new FileError(`${place} must be a text of at most ${most} characters, got ${text.length}`)
}

/** The object's own field, never an inherited one. */
function field(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined
}
