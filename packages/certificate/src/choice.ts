import { CertificateError } from './certificate-error.ts'

/** The value itself when it is one of the names, else an error that lists them. */
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

/** Refuses a member that is none of the names: a misspelt option would be silently without effect. */
export function onlyNames(where: string, options: object, names: readonly string[]): void {
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) throw new CertificateError(where, 'an option', `one of ${names.join(', ')}`, name)
  }
}

/** Without the members that are undefined, so that they cannot erase a default through a spread. */
export function definedOnly<Options extends object>(options: Options): Partial<Options> {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Partial<Options> // fromEntries forgets the names it was given
}
