import { byName } from '../debate/debate-record.ts'
import { compareCodePoints } from '../questions/code-points.ts'

/** Ids that providers gave back for the models they were asked for, by agent. An agent without any is not among them. */
export type ServedModels = ReadonlyMap<string, ReadonlySet<string>>

export interface ServedCollector {
  /** A debate, as far as it is one: who is not told about says nothing. */
  add(debate: unknown): void
  all(): ServedModels
}

export function collectServed(): ServedCollector {
  const all = new Map<string, Set<string>>()
  return {
    add(debate) {
      for (const { agent, id } of servedIn(debate)) {
        const ids = all.get(agent) ?? new Set()
        all.set(agent, ids.add(id))
      }
    },
    all: () => all,
  }
}

export interface Stranger {
  readonly agent: string
  readonly id: string
}

/** Who answered in a debate and did not in the calibration, once each. Agents of which nothing is known are not compared. */
export function strangersIn(debate: unknown, calibrated: ServedModels): readonly Stranger[] {
  const found = new Map<string, Stranger>()
  for (const stranger of servedIn(debate)) {
    const { agent, id } = stranger
    if (calibrated.get(agent)?.has(id) === false) found.set(JSON.stringify([agent, id]), stranger)
  }
  return [...found.values()]
}

/** For a certificate's file: names in order, so that equal sets are equal text. */
export function writeServed(served: ServedModels): Readonly<Record<string, readonly string[]>> {
  return byName([...served].map(([agent, ids]) => [agent, [...ids].sort(compareCodePoints)]))
}

export function readServed(served: Readonly<Record<string, readonly string[]>>): ServedModels {
  return new Map(Object.entries(served).map(([agent, ids]) => [agent, new Set(ids)]))
}

function* servedIn(debate: unknown): Generator<Stranger> {
  for (const round of listOf(fieldOf(debate, 'rounds'))) {
    for (const turn of listOf(round)) {
      const agent = fieldOf(turn, 'agent')
      if (typeof agent !== 'string') continue
      for (const id of listOf(fieldOf(turn, 'served'))) if (typeof id === 'string') yield { agent, id }
    }
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
