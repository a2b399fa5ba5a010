/** A copy with the value put where the steps, each modulo the number of keys, or the object end. */
export function replaced(root: object, steps: readonly number[], value: unknown): object {
  const copy = structuredClone(root)
  let current: object = copy
  for (const [index, step] of steps.entries()) {
    const keys = Object.keys(current)
    const key = keys[step % Math.max(1, keys.length)]
    if (key === undefined) return copy
    const next: unknown = Reflect.get(current, key)
    if (index === steps.length - 1 || typeof next !== 'object' || next === null) {
      // Defined, not assigned: the key may be __proto__.
      Object.defineProperty(current, key, { value, enumerable: true, configurable: true, writable: true })
      return copy
    }
    current = next
  }
  return copy
}
