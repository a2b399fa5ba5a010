import type { Engine } from './engine.ts'

/** Creates a value once for each engine, such as its prepared queries. */
export function perEngine<Value>(
  make: (queries: Engine['queries'], name: Engine['name']) => Value,
): (engine: Engine) => Value {
  const made = new WeakMap<Engine, Value>()
  return (engine) => {
    const known = made.get(engine)
    if (known !== undefined) return known
    const value = make(engine.queries, engine.name)
    made.set(engine, value)
    return value
  }
}
