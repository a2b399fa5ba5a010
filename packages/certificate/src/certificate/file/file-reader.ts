import { CertificateError } from '../../certificate-error.ts'

/** A value inside a file together with its path, so every error names the place. */
export interface FileReader {
  readonly value: unknown
  /** An error for the caller to throw if a value is valid by itself but does not fit the rest. */
  refusal(expected: string): CertificateError
  at(name: string): FileReader
  object(): object
  list(): FileReader[]
  finite(): number
  integer(): number
  text(): string
  flag(): boolean
  oneOf<Name extends string>(names: readonly Name[]): Name
  /** Null stays null; any other value is read. */
  optional<Value>(read: (reader: FileReader) => Value): Value | null
  /** A string of zeros and ones. */
  digits(): Uint8Array
  finiteList(): number[]
  /** NaN for null. */
  finiteOrNullList(): Float64Array
  textList(): string[]
}

export function fileReader(where: string, place: string, value: unknown): FileReader {
  const refuse = (expected: string) => new CertificateError(where, place, expected, value)
  const reader: FileReader = {
    value,
    refusal: refuse,
    at(name) {
      const object = reader.object()
      return fileReader(where, `${place}.${name}`, Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined)
    },
    object() {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refuse('an object')
      return value
    },
    list() {
      if (!Array.isArray(value)) throw refuse('an array')
      return Array.from(value, (item, index) => fileReader(where, `${place}[${index}]`, item))
    },
    finite() {
      if (typeof value !== 'number' || !Number.isFinite(value)) throw refuse('a finite number')
      return value
    },
    integer() {
      if (typeof value !== 'number' || !Number.isInteger(value)) throw refuse('an integer')
      return value
    },
    text() {
      if (typeof value !== 'string') throw refuse('a string')
      return value
    },
    flag() {
      if (typeof value !== 'boolean') throw refuse('true or false')
      return value
    },
    oneOf(names) {
      const found = names.find((name) => name === value)
      if (found === undefined) throw refuse(`one of ${names.join(', ')}`)
      return found
    },
    optional: (read) => (value === null ? null : read(reader)),
    digits() {
      const text = reader.text()
      if (!/^[01]*$/.test(text)) throw refuse('a string of 0 and 1')
      return Uint8Array.from(text, Number)
    },
    finiteList() {
      if (!Array.isArray(value)) throw refuse('an array of numbers')
      const bad = value.findIndex((item) => typeof item !== 'number' || !Number.isFinite(item))
      if (bad >= 0) throw new CertificateError(where, `${place}[${bad}]`, 'a finite number', value[bad])
      return value
    },
    finiteOrNullList() {
      if (!Array.isArray(value)) throw refuse('an array of numbers and nulls')
      const bad = value.findIndex((item) => item !== null && (typeof item !== 'number' || !Number.isFinite(item)))
      if (bad >= 0) throw new CertificateError(where, `${place}[${bad}]`, 'a finite number or null', value[bad])
      return Float64Array.from(value, (item) => item ?? Number.NaN)
    },
    textList() {
      if (!Array.isArray(value)) throw refuse('an array of strings')
      const bad = value.findIndex((item) => typeof item !== 'string')
      if (bad >= 0) throw new CertificateError(where, `${place}[${bad}]`, 'a string', value[bad])
      return value
    },
  }
  return reader
}
