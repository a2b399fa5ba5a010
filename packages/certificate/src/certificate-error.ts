/**
 * A broken promise at the border of this package: who was called, which value, what was expected, what came.
 *
 * Expected outcomes (too few labels, an infeasible budget) are return values, never errors.
 */
export class CertificateError extends RangeError {
  override readonly name = 'CertificateError'
  /** The place, for example `rounds[2].states[17][0]`. */
  readonly parameter: string
  readonly expected: string
  readonly received: unknown

  constructor(where: string, parameter: string, expected: string, received: unknown) {
    // Names inside come from files and models: nothing in a message may steer a terminal or fill a log.
    super(escaped(`${where}: ${clip(parameter, 400)} must be ${clip(expected, 1200)}, got ${printable(received)}`))
    this.parameter = parameter
    this.expected = expected
    this.received = received
  }
}

/** One short line whatever came in: values from outside may be long, cyclic or hostile to a terminal. */
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

/** A text on one line, safe to print: names are hostile, and a terminal or a log obeys control characters. */
export function quoted(text: string): string {
  return escaped(JSON.stringify(clip(text)))
}

const LONGEST = 60
/** Control and format characters: among them the marks that reverse the direction of text. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu
