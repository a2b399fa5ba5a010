import { CertificateError, quoted } from '../certificate-error.ts'

/** Location of a value in the input: the called function, and the path from its argument down to the value. */
export interface Place {
  readonly where: string
  readonly above: Place | null
  readonly step: number | string
}

/** The place of the argument itself. */
export function argument(where: string, name: string): Place {
  return { where, above: null, step: name }
}

/** The place of a list item (a number) or of an object field (a name, which may be untrusted). */
export function inside(place: Place, step: number | string): Place {
  return { where: place.where, above: place, step }
}

/**
 * The path as text, for example `debates[3].rounds[1][0].beliefs.Z`. It is built only for errors, since most values are
 * valid.
 */
export function pathTo(place: Place): string {
  return place.above === null ? String(place.step) : pathTo(place.above) + written(place.step)
}

/** The caller throws it, so that the compiler sees that control flow ends there. */
export function refusal(place: Place, expected: string, received: unknown): CertificateError {
  return new CertificateError(place.where, pathTo(place), expected, received)
}

const IDENTIFIER = /^[A-Za-z_$][\w$]{0,59}$/
function written(step: number | string): string {
  if (typeof step === 'number') return `[${step}]`
  return IDENTIFIER.test(step) ? `.${step}` : `[${quoted(step)}]`
}
