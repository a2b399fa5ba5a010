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

/** Without the members that are undefined, so that they cannot erase a default through a spread. */
export function definedOnly<Options extends object>(options: Options): Partial<Options> {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Partial<Options> // fromEntries forgets the names it was given
}
