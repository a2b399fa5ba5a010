import { CertificateError } from './certificate-error.ts'

/** The value itself if it is one of the names, else an error that lists them. */
export function choice<Name extends string>(
  where: string,
  parameter: string,
  value: unknown,
  names: readonly Name[],
): Name {
  const found = names.find((name) => name === value)
  if (found === undefined) throw new CertificateError(where, parameter, `one of ${names.join(', ')}`, value)
  return found
}

/** Refuses unknown members, since a misspelt option would silently have no effect. */
export function onlyNames(where: string, options: object, names: readonly string[]): void {
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) throw new CertificateError(where, 'an option', `one of ${names.join(', ')}`, name)
  }
}

/** A copy without undefined members, so that they cannot override a default in a spread. */
export function definedOnly<Options extends object>(options: Options): Partial<Options> {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Partial<Options> // fromEntries forgets the names it was given
}
