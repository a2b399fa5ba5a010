import { CertificateError, quoted } from '../certificate-error.ts'

/** Where in the input a value stands: who was called, and the steps from the argument down to the value. */
export interface Place {
  readonly where: string
  readonly above: Place | null
  readonly step: number | string
}

/** The place of the argument itself. */
export function argument(where: string, name: string): Place {
  return { where, above: null, step: name }
}

/** The place of a list's item (a number) or of an object's field (a name, which may come from outside). */
export function inside(place: Place, step: number | string): Place {
  return { where: place.where, above: place, step }
}

/** In one line, for example `debates[3].rounds[1][0].beliefs.Z`. Written only when asked for: most values are right. */
export function pathTo(place: Place): string {
  return place.above === null ? String(place.step) : pathTo(place.above) + written(place.step)
}

/** To be thrown by the caller, so that the compiler sees where the path ends. */
export function refusal(place: Place, expected: string, received: unknown): CertificateError {
  return new CertificateError(place.where, pathTo(place), expected, received)
}

const IDENTIFIER = /^[A-Za-z_$][\w$]{0,59}$/
function written(step: number | string): string {
  if (typeof step === 'number') return `[${step}]`
  return IDENTIFIER.test(step) ? `.${step}` : `[${quoted(step)}]`
}
