/** The key of providers that take one. Never undefined: the SDKs would go and look in the environment themselves. */
export function firstKey(keys: ReadonlyMap<string, string>): string {
  const [key = ''] = keys.values()
  return key
}
