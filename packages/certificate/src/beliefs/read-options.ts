import { quoted } from '../certificate-error.ts'
import { LIMITS } from '../limits.ts'
import { compareCodePoints } from './code-point-order.ts'
import { checkLength, ownField, readList, readName } from './json-value.ts'
import { inside, type Place, pathTo, refusal } from './place.ts'

export interface OptionNames {
  readonly names: readonly string[]
  readonly indexOf: ReadonlyMap<string, number>
}

/** Options of a question: names in order, or an object from name to text, ordered by code point of the names. */
export function readOptions(value: unknown, place: Place): OptionNames {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  const names = isObject ? namesOfTexts(value, place) : namesInOrder(value, place)
  return { names, indexOf: new Map(names.map((name, index) => [name, index])) }
}

/** Index of the option that the value names. */
export function readOption(value: unknown, options: OptionNames, place: Place): number {
  const index = typeof value === 'string' ? options.indexOf.get(value) : undefined
  if (index === undefined) throw refusal(place, listed(options), value)
  return index
}

/** The same, but null is allowed: an answer that is missing or unreadable. */
export function readOptionOrNull(value: unknown, options: OptionNames, place: Place): number | null {
  if (value === null) return null
  const index = typeof value === 'string' ? options.indexOf.get(value) : undefined
  if (index === undefined) throw refusal(place, `null or ${listed(options)}`, value)
  return index
}

/** The expected names, short enough to read: a list of 500 long names would bury the received value. */
export function listed(options: OptionNames): string {
  const shown = options.names.slice(0, MOST_SHOWN).map(quoted).join(', ')
  const hidden = options.names.length - MOST_SHOWN
  return `one of ${shown}${hidden > 0 ? ` and ${hidden} more options` : ''}`
}

const MOST_SHOWN = 12

function namesInOrder(value: unknown, place: Place): string[] {
  const names: string[] = []
  const seen = new Map<string, number>()
  for (const [index, item] of readList(value, LIMITS.options, place).entries()) {
    const name = readName(item, inside(place, index))
    const first = seen.get(name)
    if (first !== undefined) {
      throw refusal(inside(place, index), `a unique name: ${pathTo(inside(place, first))} has the same`, name)
    }
    seen.set(name, index)
    names.push(name)
  }
  return names
}

function namesOfTexts(value: object, place: Place): string[] {
  const names = Object.keys(value).sort(compareCodePoints)
  if (names.length < 1 || names.length > LIMITS.options) {
    throw refusal(place, `an array or object of 1 to ${LIMITS.options} options`, value)
  }
  for (const name of names) {
    if (name === '') throw refusal(inside(place, name), 'under a non-empty name', name)
    checkLength(name, inside(place, name))
    const text = ownField(value, name)
    if (typeof text !== 'string') throw refusal(inside(place, name), 'the text of the option', text)
  }
  return names
}
