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
  /** From the first request to the last reply, on the fake's own clock. */
  readonly spanMs: number
  /** Sum over the requests of how long each was open: over `spanMs` it is the mean number in flight. */
  readonly openMs: number
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

/** How a request ended; `open`: not yet. */
export type End = Fault | 'answered' | 'gone' | 'open'

/** One request, in the order of arrival: its place in the list is its serial. */
export interface LoggedRequest extends Omit<Charge, 'requests'> {
  /** Hash of the body but for the tags of replies in it. */
  readonly key: string
  readonly model: string
  /** Serials of the replies that it repeats. */
  readonly quoted: readonly number[]
  /** When it came in, on the fake's own clock. */
  readonly at: number
  readonly end: End
}

export function createCounter(now: () => number = () => performance.now()) {
  let requests = 0
  let answered: Charge = { requests: 0, inputTokens: 0, outputTokens: 0 }
  let charged = answered
  const faults: Partial<Record<Fault, number>> = {}
  const byRequest = new Map<string, RequestCount>()
  const log: LoggedRequest[] = []
  const awaited = new Map<number, () => void>()
  let gone = 0
  let inFlight = 0
  let mostInFlight = 0
  let firstAt: number | null = null
  let changedAt = 0
  let openMs = 0
  function change(by: 1 | -1): void {
    const time = now()
    firstAt ??= time
    openMs += inFlight === 0 ? 0 : inFlight * (time - changedAt)
    changedAt = time
    inFlight += by
    mostInFlight = Math.max(mostInFlight, inFlight)
  }
  return {
    opened: () => change(1),
    closed: () => change(-1),
    /** A request came in; returns its serial, from 0, and how often its body was seen before. */
    arrived(request: Pick<LoggedRequest, 'key' | 'model' | 'quoted'>): { serial: number; seen: number } {
      const { key, model } = request
      const before = byRequest.get(key) ?? { model, seen: 0, answered: 0 }
      byRequest.set(key, { ...before, seen: before.seen + 1 })
      log.push({ ...request, at: now(), end: 'open', inputTokens: 0, outputTokens: 0 })
      requests += 1
      awaited.get(requests)?.()
      return { serial: requests - 1, seen: before.seen }
    },
    /** It was dealt with. */
    ended(serial: number, end: Exclude<End, 'open'>, { inputTokens, outputTokens }: Omit<Charge, 'requests'>) {
      const request = log[serial]
      if (request === undefined) throw new Error(`counts: request ${serial} never arrived`)
      const { key } = request
      const tokens = { inputTokens, outputTokens }
      log[serial] = { ...request, ...tokens, end }
      if (end === 'answered') {
        answered = plus(answered, tokens)
        const before = byRequest.get(key)
        if (before !== undefined) byRequest.set(key, { ...before, answered: before.answered + 1 })
      } else if (end === 'gone') gone += 1
      else faults[end] = (faults[end] ?? 0) + 1
      if (isCharged(end)) charged = plus(charged, tokens)
    },
    counts: (): Counts => ({
      requests,
      answered,
      charged,
      faults: { ...faults },
      gone,
      mostInFlight,
      spanMs: firstAt === null ? 0 : changedAt - firstAt,
      openMs,
    }),
    /** By the hash of the body. */
    byRequest: (): ReadonlyMap<string, RequestCount> => byRequest,
    log: (): readonly LoggedRequest[] => log,
    /** One waits at a time. */
    reached: async (count: number): Promise<void> => {
      if (requests < count) await new Promise<void>((resolve) => awaited.set(count, resolve))
    },
  }
}

export function isCharged(end: End): boolean {
  return end === 'answered' || end === 'gone' || (end !== 'open' && CHARGED.has(end))
}

function plus(sum: Charge, tokens: Omit<Charge, 'requests'>): Charge {
  return {
    requests: sum.requests + 1,
    inputTokens: sum.inputTokens + tokens.inputTokens,
    outputTokens: sum.outputTokens + tokens.outputTokens,
  }
}
