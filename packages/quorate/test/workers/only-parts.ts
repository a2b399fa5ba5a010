/** A stub that implements only some members. Using any other member throws an error that names it. */
export function onlyParts<Whole extends object>(
  parts: { readonly [Name in keyof Whole]?: Partial<Whole[Name]> | undefined },
): Whole {
  const known = parts as Whole // whatever it has not got is caught below
  return new Proxy(known, {
    get(target, name, receiver) {
      if (name in target || typeof name === 'symbol' || name === 'then') return Reflect.get(target, name, receiver)
      throw new Error(`this test has no ${name}`)
    },
  })
}
