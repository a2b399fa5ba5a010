import { compareCodePoints } from '@quorate/certificate'
import { byName } from '../../debate/debate-record.ts'
import { JUDGE } from '../../record/judge-settings.ts'
import { countText } from '../../text/number-text.ts'
import { plainText } from '../../text/plain-text.ts'
import { RunError } from '../run-plan.ts'

/** Ids that providers returned for the requested models, by agent. An agent without any id is not included. */
export type ServedModels = ReadonlyMap<string, ReadonlySet<string>>

/** The debates in which a model answered: how many, and the numbers of the first and the last, from 1. */
export interface Answered {
  readonly debates: number
  readonly first: number
  readonly last: number
}

/** By agent and id of the model. */
export type ServedDebates = ReadonlyMap<string, ReadonlyMap<string, Answered>>

export interface ServedCollector {
  /** Adds a debate, which need not be valid. An agent without a served model adds nothing. */
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

/** Agents for which more than one model answered, with the number of debates of each model. */
export type Mixture = Readonly<Record<string, Readonly<Record<string, number>>>>

export function mixtureOf(served: ServedDebates): Mixture {
  const mixed = [...served].filter(([, ids]) => ids.size > 1)
  return byName(
    mixed.map(([agent, ids]) => [agent, byName([...ids].map(([id, { debates }]) => [id, debates] as const))]),
  )
}

/**
 * Throws if several models answered for one agent, for example because an alias moved during the debates. The certificate would
 * accept all of them, even if later every answer comes from the rarest one.
 */
export function refuseMixture(served: ServedDebates, where: string): void {
  const mixed = [...served].find(([, ids]) => ids.size > 1)
  if (mixed === undefined) return
  const [agent, ids] = mixed
  const listed = [...ids].map(([id, { debates, first, last }]) => {
    const span = first === last ? `debate ${countText(first)}` : `debates ${countText(first)} to ${countText(last)}`
    return `${JSON.stringify(plainText(id))} in ${countText(debates)} (${span} of those used)`
  })
  throw new RunError(
    `${plainText(where)}: agent ${JSON.stringify(plainText(agent))} was answered by ${ids.size} models, by ` +
      `${listed.join(', by ')}. A certificate covers one model. Calibrate from a file with the debates of the model that ` +
      'will answer, or pass --mixed-models if the provider always mixes them (recorded)',
  )
}

/** For example: bob was answered by m-1 in 98 debates and by m-2 in 2 debates. */
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

/** Models that answered in a debate but not during calibration, once each. Agents without known models are not compared. */
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

/** For the file of a certificate: names are sorted, so that equal sets give equal text. */
export function writeServed(served: ServedModels): Readonly<Record<string, readonly string[]>> {
  return byName([...served].map(([agent, ids]) => [agent, [...ids].sort(compareCodePoints)]))
}

export function readServed(served: Readonly<Record<string, readonly string[]>>): ServedModels {
  return new Map(Object.entries(served).map(([agent, ids]) => [agent, new Set(ids)]))
}

function* servedIn(debate: unknown): Generator<UnexpectedModel> {
  // The judge counts as an agent, because another model would sort answers into other classes.
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
