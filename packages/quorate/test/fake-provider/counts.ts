import { CHARGED, type Fault } from './faults.ts'

/** What the fake did and what it would bill. */
export interface Counts {
  readonly requests: number
  /** Replies sent whole, without a fault. */
  readonly answered: Charge
  /** Answered, and produced but lost on the way. */
  readonly charged: Charge
  readonly faults: Readonly<Partial<Record<Fault, number>>>
  /** Produced, and charged, for a caller who had left meanwhile. */
  readonly gone: number
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
  let gone = 0
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
    /** A request came in; returns how often its body was seen before. */
    arrived(key: string, model: string): number {
      requests += 1
      const before = byRequest.get(key) ?? { model, seen: 0, answered: 0 }
      byRequest.set(key, { ...before, seen: before.seen + 1 })
      return before.seen
    },
    /** It was dealt with. */
    ended(key: string, end: Fault | 'answered' | 'gone', tokens: Omit<Charge, 'requests'>) {
      if (end === 'answered') {
        answered = plus(answered, tokens)
        const before = byRequest.get(key)
        if (before !== undefined) byRequest.set(key, { ...before, answered: before.answered + 1 })
      } else if (end === 'gone') gone += 1
      else faults[end] = (faults[end] ?? 0) + 1
      if (end === 'answered' || end === 'gone' || CHARGED.has(end)) charged = plus(charged, tokens)
    },
    counts: (): Counts => ({ requests, answered, charged, faults: { ...faults }, gone, mostInFlight }),
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
