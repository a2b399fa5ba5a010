/**
 * An invalid argument to this package: the called function, the parameter, the expected value and the received one.
 *
 * Expected outcomes (too few labels, an infeasible budget) are return values, never errors.
 */
export class CertificateError extends RangeError {
  override readonly name = 'CertificateError'
  /** Path of the value, for example `rounds[2].states[17][0]`. */
  readonly parameter: string
  readonly expected: string
  readonly received: unknown

  constructor(where: string, parameter: string, expected: string, received: unknown) {
    // Names come from files and models, so a message must not be able to control a terminal or fill a log.
    super(escaped(`${where}: ${clip(parameter, 400)} must be ${clip(expected, 1200)}, got ${printable(received)}`))
    this.parameter = parameter
    this.expected = expected
    this.received = received
  }
}

/** One short line for any value. Values from outside may be long, cyclic or contain terminal escapes. */
function printable(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined)
    return String(value)
  if (typeof value === 'bigint') return clip(`${value}n`)
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`
  return Array.isArray(value) || ArrayBuffer.isView(value) ? `an array of ${Reflect.get(value, 'length')}` : 'an object'
}

function clip(text: string, longest = LONGEST): string {
  return text.length > longest ? `${text.slice(0, longest)}...` : text
}

function escaped(text: string): string {
  return text.replace(UNPRINTABLE, (point) => `\\u{${point.codePointAt(0)!.toString(16)}}`)
}

/**
 * A string on one line, safe to print: untrusted names may contain control characters that a terminal or a log would
 * obey.
 */
export function quoted(text: string): string {
  return escaped(JSON.stringify(clip(text)))
}

const LONGEST = 60
/** Control and format characters, including those that reverse the direction of text. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu
