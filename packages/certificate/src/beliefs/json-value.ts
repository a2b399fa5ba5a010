import { LIMITS } from '../limits.ts'
import { type Place, refusal } from './place.ts'

/** The value as an object that is neither null nor a list. */
export function readObject(value: unknown, place: Place): object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refusal(place, 'an object', value)
  return value
}

/** The value as a list of 1 to `most` items. A hole in a sparse array reads as undefined, which every reader refuses. */
export function readList(value: unknown, most: number, place: Place): readonly unknown[] {
  if (!Array.isArray(value) || value.length < 1 || value.length > most) {
    throw refusal(place, `an array of 1 to ${most}`, value)
  }
  return value
}

export function readName(value: unknown, place: Place): string {
  if (typeof value !== 'string' || value === '') throw refusal(place, 'a non-empty string', value)
  checkLength(value, place)
  return value
}

export function checkLength(name: string, place: Place): void {
  if (name.length > LIMITS.name) throw refusal(place, `at most ${LIMITS.name} letters long`, name)
}

/**
 * The object's own field; undefined if it has none. Inherited fields never count: `toString` and `__proto__` are legal
 * option names, and only `{"__proto__": 0.5}` parsed from JSON has an own field of that name.
 */
export function ownField(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined
}
