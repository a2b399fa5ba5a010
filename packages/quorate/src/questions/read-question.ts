import { FileError } from '../files/file-error.ts'
import { checkPlainName } from '../files/plain-names.ts'
import { compareCodePoints } from '../record/code-points.ts'
import { LIMITS } from '../record/limits.ts'
import { ID_WORDS, isDotSegment } from '../record/names.ts'
import type { Question, QuestionOption } from '../record/question.ts'
import { plainText } from '../text/plain-text.ts'

/**
 * A question from a value that came from outside; `place` names file and line. Not through zod, whose records drop
 * `__proto__`: a legal name of an option.
 */
export function readQuestion(value: unknown, place: string): Question {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refusal(`${place}: the line`, 'one JSON object', value)
  }
  const version = field(value, 'quorate')
  if (version !== undefined && version !== 1) throw refusal(`${place}: quorate`, '1', version)
  const options = readOptions(field(value, 'options'), place)
  return {
    id: readId(field(value, 'id'), place),
    question: readName(field(value, 'question'), 'question', place),
    options,
    gold: readGold(field(value, 'gold') ?? null, options, place),
    group: readGroup(field(value, 'group') ?? null, place),
  }
}

/** Who, which field, expected, received; on one line whatever came. */
export function refusal(place: string, expected: string, received: unknown): FileError {
  return new FileError(`${place} must be ${expected}, got ${shown(received)}`)
}

/** one of "A", "B" */
export function oneOf(names: readonly string[]): string {
  const told = names.slice(0, MOST_SHOWN).map(shown)
  const hidden = names.length - told.length
  return `${names.length === 1 ? '' : 'one of '}${told.join(', ')}${hidden > 0 ? ` and ${hidden} more` : ''}`
}

const LONGEST_SHOWN = 60
const MOST_SHOWN = 12

function readOptions(value: unknown, place: string): readonly QuestionOption[] {
  const options = Array.isArray(value) ? namesInOrder(value, place) : namesWithTexts(value, place)
  if (options.length < LIMITS.fewestOptions || options.length > LIMITS.options) {
    throw refusal(`${place}: options`, `${LIMITS.fewestOptions} to ${LIMITS.options} options`, value)
  }
  return options
}

function namesInOrder(value: readonly unknown[], place: string): QuestionOption[] {
  const seen = new Map<string, number>()
  return value.map((item, index) => {
    const name = readName(item, `options[${index}]`, place)
    const first = seen.get(name)
    if (first !== undefined) {
      throw refusal(`${place}: options[${index}]`, `a name of its own: options[${first}] has the same`, name)
    }
    seen.set(name, index)
    return { name, text: name }
  })
}

function namesWithTexts(value: unknown, place: string): QuestionOption[] {
  if (typeof value !== 'object' || value === null) {
    throw refusal(`${place}: options`, 'an array of names or an object of name to text', value)
  }
  const names = Object.keys(value).sort(compareCodePoints)
  return names.map((name) => {
    if (name.trim() === '') throw refusal(`${place}: options`, 'under names that are not blank', name)
    return { name, text: readName(field(value, name), `options[${shown(name)}]`, place) }
  })
}

function readId(value: unknown, place: string): string {
  const id = readName(value, 'id', place)
  checkPlainName(id, `${place}: id`)
  if (isDotSegment(id)) throw refusal(`${place}: id`, ID_WORDS, id)
  return id
}

function readGold(value: unknown, options: readonly QuestionOption[], place: string): string | null {
  if (value === null) return null
  if (typeof value === 'string' && options.some(({ name }) => name === value)) return value
  throw refusal(`${place}: gold`, oneOf(options.map(({ name }) => name)), value)
}

function readGroup(value: unknown, place: string): string | null {
  if (value !== null && typeof value !== 'string') throw refusal(`${place}: group`, 'a string', value)
  if (value !== null) checkPlainName(value, `${place}: group`)
  return value
}

function readName(value: unknown, name: string, place: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value
  throw refusal(`${place}: ${name}`, 'a string that is not blank', value)
}

/** Its own field, never what it inherits. */
function field(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return JSON.stringify(clipped(plainText(value)))
  if (Array.isArray(value)) return `an array of ${value.length}`
  return typeof value === 'object' && value !== null
    ? `an object of ${Object.keys(value).length} fields`
    : String(value)
}

function clipped(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}...` : text
}
