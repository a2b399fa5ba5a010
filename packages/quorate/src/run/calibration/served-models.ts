import { byName } from '../../debate/debate-record.ts'
import { compareCodePoints } from '../../record/code-points.ts'
import { JUDGE } from '../../record/judge.ts'
import { countText } from '../../text/number-text.ts'
import { plainText } from '../../text/plain-text.ts'
import { RunError } from '../run-plan.ts'

/** Ids that providers gave back for the models they were asked for, by agent. An agent without any is not among them. */
export type ServedModels = ReadonlyMap<string, ReadonlySet<string>>

/** The debates that an id answered in: how many, the first and the last, counted from 1. */
export interface Answered {
  readonly debates: number
  readonly first: number
  readonly last: number
}

/** By agent and id. */
export type ServedDebates = ReadonlyMap<string, ReadonlyMap<string, Answered>>

export interface ServedCollector {
  /** A debate, as far as it is one: an agent without a served model adds nothing. */
  add(debate: unknown): void
  all(): ServedDebates
}

export function collectServed(): ServedCollector {
  const all = new Map<string, Map<string, Answered>>()
  let debates = 0
  return {
    add(debate) {
      debates += 1
      for (const { agent, id } of servedIn(debate)) {
        const ids = all.get(agent) ?? new Map<string, Answered>()
        all.set(agent, ids)
        const known = ids.get(id)
        if (known?.last === debates) continue
        ids.set(id, { debates: (known?.debates ?? 0) + 1, first: known?.first ?? debates, last: debates })
      }
    },
    all: () => all,
  }
}

/** Agents that more than one model answered for, with the debates of each. */
export type Mixture = Readonly<Record<string, Readonly<Record<string, number>>>>

export function mixtureOf(served: ServedDebates): Mixture {
  const mixed = [...served].filter(([, ids]) => ids.size > 1)
  return byName(
    mixed.map(([agent, ids]) => [agent, byName([...ids].map(([id, { debates }]) => [id, debates] as const))]),
  )
}

/**
 * A certificate from the answers of several models would know all of them, and accept a stream that is all of the rarest:
 * an alias that was moved during the debates must not pass unseen.
 */
export function refuseMixture(served: ServedDebates, where: string): void {
  const mixed = [...served].find(([, ids]) => ids.size > 1)
  if (mixed === undefined) return
  const [agent, ids] = mixed
  const listed = [...ids].map(([id, { debates, first, last }]) => {
    const span = first === last ? `the ${countText(first)}.` : `the ${countText(first)}. to the ${countText(last)}.`
    return `${JSON.stringify(plainText(id))} in ${countText(debates)} (${span} of those used)`
  })
  throw new RunError(
    `${plainText(where)}: agent ${JSON.stringify(plainText(agent))} was answered by ${ids.size} models, by ` +
      `${listed.join(', by ')}. A certificate covers one model. Calibrate from a file with the debates of the model that ` +
      'will answer, or pass --mixed-models if the provider always mixes them (recorded)',
  )
}

/** For people: bob was answered by m-1 in 98 debates and by m-2 in 2. */
export function mixtureText(mixture: Mixture): string {
  const listed = Object.entries(mixture).map(([agent, ids]) => {
    const shares = Object.entries(ids).map(([id, debates]) => `${plainText(id)} in ${countText(debates)} debates`)
    return `${plainText(agent)} was answered by ${shares.join(' and by ')}`
  })
  return listed.join('; ')
}

export interface UnexpectedModel {
  readonly agent: string
  readonly id: string
}

/** Who answered in a debate and did not in the calibration, once each. Agents of which nothing is known are not compared. */
export function unexpectedModels(debate: unknown, calibrated: ServedModels): readonly UnexpectedModel[] {
  const found = new Map<string, UnexpectedModel>()
  for (const model of servedIn(debate)) {
    const { agent, id } = model
    if (calibrated.get(agent)?.has(id) === false) found.set(JSON.stringify([agent, id]), model)
  }
  return [...found.values()]
}

export function servedModels(served: ServedDebates): ServedModels {
  return new Map([...served].map(([agent, ids]) => [agent, new Set(ids.keys())]))
}

/** For a certificate's file: names in order, so that equal sets are equal text. */
export function writeServed(served: ServedModels): Readonly<Record<string, readonly string[]>> {
  return byName([...served].map(([agent, ids]) => [agent, [...ids].sort(compareCodePoints)]))
}

export function readServed(served: Readonly<Record<string, readonly string[]>>): ServedModels {
  return new Map(Object.entries(served).map(([agent, ids]) => [agent, new Set(ids)]))
}

function* servedIn(debate: unknown): Generator<UnexpectedModel> {
  // Another model that compares answers puts them into other classes.
  for (const ids of listOf(fieldOf(debate, 'judged_by'))) {
    for (const id of listOf(ids)) if (typeof id === 'string') yield { agent: JUDGE, id }
  }
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
