import { CHARGED, type Fault } from './faults.ts'

/** What the fake did and what it would bill. */
export interface Counts {
  readonly requests: number
  /** Replies sent whole, without a fault. */
  readonly answered: Charge
  /** Answered, and produced but lost on the way. */
  readonly charged: Charge
  readonly faults: Readonly<Partial<Record<Fault, number>>>
  /** Most requests that were open together. */
  readonly mostInFlight: number
}

export interface Charge {
  readonly requests: number
  readonly inputTokens: number
  readonly outputTokens: number
}

/** Of one request body. */
export interface RequestCount {
  readonly model: string
  readonly seen: number
  readonly answered: number
}

export function createCounter() {
  let requests = 0
  let answered: Charge = { requests: 0, inputTokens: 0, outputTokens: 0 }
  let charged = answered
  const faults: Partial<Record<Fault, number>> = {}
  const byRequest = new Map<string, RequestCount>()
  let inFlight = 0
  let mostInFlight = 0
  return {
    opened() {
      inFlight += 1
      mostInFlight = Math.max(mostInFlight, inFlight)
    },
    closed() {
      inFlight -= 1
    },
    /** How often this body was seen before. */
    seen: (key: string): number => byRequest.get(key)?.seen ?? 0,
    count(key: string, model: string, fault: Fault | null, tokens: Omit<Charge, 'requests'>) {
      requests += 1
      const before = byRequest.get(key) ?? { model, seen: 0, answered: 0 }
      byRequest.set(key, { model, seen: before.seen + 1, answered: before.answered + (fault === null ? 1 : 0) })
      if (fault !== null) faults[fault] = (faults[fault] ?? 0) + 1
      if (fault === null) answered = plus(answered, tokens)
      if (fault === null || CHARGED.has(fault)) charged = plus(charged, tokens)
    },
    counts: (): Counts => ({ requests, answered, charged, faults: { ...faults }, mostInFlight }),
    /** By the hash of the body. */
    byRequest: (): ReadonlyMap<string, RequestCount> => byRequest,
  }
}

function plus(sum: Charge, tokens: Omit<Charge, 'requests'>): Charge {
  return {
    requests: sum.requests + 1,
    inputTokens: sum.inputTokens + tokens.inputTokens,
    outputTokens: sum.outputTokens + tokens.outputTokens,
  }
}
