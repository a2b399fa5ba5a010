/**
 * A copy with the value at the end of the path. Each step is taken modulo the number of keys, and the path ends early
 * where the object does.
 */
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
