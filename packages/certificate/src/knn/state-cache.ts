/** Numbers stored as keys: 32,768 states of two coordinates, fewer of more. */
const KEYS = 2 ** 16
const PROBES = 4

/**
 * Caches what was computed for a state, since votes and stated beliefs repeat a few states thousands of times. Keys are
 * compared exactly. If all slots for a key are full, the last of them is overwritten.
 */
export interface StateCache<Value> {
  get(state: ArrayLike<number>): Value | undefined
  set(state: ArrayLike<number>, value: Value): void
}

export function stateCache<Value>(dimension: number): StateCache<Value> {
  const slots = Math.max(2 * PROBES, Math.floor(KEYS / dimension))
  const keys = new Float64Array(slots * dimension)
  const values: (Value | undefined)[] = new Array(slots)
  const key = new Float64Array(dimension)
  const words = new Uint32Array(key.buffer)

  function home(state: ArrayLike<number>): number {
    // Adding 0 makes -0 and 0 the same key, as they are equal in every comparison.
    for (let axis = 0; axis < dimension; axis++) key[axis] = state[axis]! + 0
    let hash = 0x9e3779b9
    for (let word = 0; word < words.length; word++) {
      hash = Math.imul(hash ^ words[word]!, 0x85ebca6b)
      hash ^= hash >>> 15
    }
    return (hash >>> 0) % (slots - PROBES)
  }

  function holds(slot: number): boolean {
    for (let axis = 0; axis < dimension; axis++) if (keys[slot * dimension + axis] !== key[axis]) return false
    return true
  }

  return {
    get(state) {
      const first = home(state)
      for (let slot = first; slot < first + PROBES; slot++) {
        const value = values[slot]
        if (value === undefined) return undefined
        if (holds(slot)) return value
      }
      return undefined
    },
    set(state, value) {
      const first = home(state)
      let slot = first
      while (slot < first + PROBES - 1 && values[slot] !== undefined) slot++
      keys.set(key, slot * dimension)
      values[slot] = value
    },
  }
}
