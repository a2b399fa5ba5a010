import type { Model } from '../model/model.ts'
import { type Breaker, breaker } from './breaker.ts'
import { createLane, type Lane, laneWaitMs, takeRates } from './lane.ts'
import type { TrafficLimits } from './limits.ts'
import type { RateEntry } from './rate-window.ts'
import type { AttemptResult, Sleep, TrafficLoad } from './traffic.ts'

/** One attempt on its way through the gates. */
export interface Ticket {
  readonly line: Line
  /** Order of arrival; an attempt that is made again keeps the place of its call. */
  readonly sequence: number
  readonly tokens: number
  startedAt: number
  rate: RateEntry | null
}

export type Passage = { readonly kind: 'go' } | { readonly kind: 'aborted' } | { readonly kind: 'down' }

export interface Schedule {
  newTicket(model: Model, call: { readonly sequence: number; readonly tokens: number }): Ticket
  /** First gate: the attempt is about to be sent and may be announced. */
  announce(ticket: Ticket, signal: AbortSignal): Promise<Passage>
  /** Second gate: it is sent now. Anything but `go` gives up what was announced. */
  start(ticket: Ticket, signal: AbortSignal): Promise<Passage>
  /** Gives up an announced ticket that was not started. */
  withdraw(ticket: Ticket): void
  finish(ticket: Ticket, result: AttemptResult): void
  load(): TrafficLoad
}

interface Waiting {
  readonly ticket: Ticket
  readonly pass: (passage: Passage) => void
}

/** One per model. */
interface Line {
  readonly lane: Lane
  readonly breaker: Breaker
  /** Before the first gate and before the second, by sequence. */
  readonly arriving: Waiting[]
  readonly announced: Waiting[]
  /** Past the first gate and not started, also those still being committed. */
  pending: number
}

export interface ScheduleOptions {
  readonly limits: TrafficLimits
  readonly now: () => number
  readonly sleep: Sleep
}

/**
 * Two gates, because committing an intent takes time: while calls are in flight the next few are announced, so that a
 * slot that becomes free is used at once. Rates, pauses and slots are held at the second gate, where things are sent.
 */
export function createSchedule({ limits, now, sleep }: ScheduleOptions): Schedule {
  const lookAhead = Math.ceil(limits.concurrency / 4)
  const lanes = new Map<string, Lane>()
  const lines = new Map<string, Line>()
  const timer = wakeUp(now, sleep, () => pump())
  let inFlight = 0

  function lineOf(model: Model): Line {
    const known = lines.get(model.id)
    if (known !== undefined) return known
    const lane = lanes.get(model.provider) ?? createLane(limits.providers[model.provider] ?? {}, limits.concurrency)
    lanes.set(model.provider, lane)
    const line = { lane, breaker: breaker(limits.breaker), arriving: [], announced: [], pending: 0 }
    lines.set(model.id, line)
    return line
  }

  function pump(): void {
    const time = now()
    for (let line = firstLine('announced', (one) => mayStart(one, time)); line; ) {
      startFirst(line, time)
      line = firstLine('announced', (one) => mayStart(one, time))
    }
    for (let line = firstLine('arriving', (one) => mayAnnounce(one, time)); line; ) {
      announceFirst(line)
      line = firstLine('arriving', (one) => mayAnnounce(one, time))
    }
    for (const line of lines.values()) if (line.breaker.isDown() && line.breaker.state(time) !== 'ready') sendAway(line)
    timer.at(nextChange(time))
  }

  /** The line whose first ticket came first among those that may move. */
  function firstLine(queue: 'arriving' | 'announced', may: (line: Line) => boolean): Line | undefined {
    let first: Line | undefined
    for (const line of lines.values()) {
      const sequence = line[queue][0]?.ticket.sequence
      if (sequence === undefined || sequence > (first?.[queue][0]?.ticket.sequence ?? Number.POSITIVE_INFINITY))
        continue
      if (may(line)) first = line
    }
    return first
  }

  function mayStart({ lane, breaker, announced }: Line, time: number): boolean {
    const state = breaker.state(time)
    if (inFlight >= limits.concurrency || lane.inFlight >= lane.adaptive.current()) return false
    if (state === 'resting' || state === 'probing') return false
    return laneWaitMs(lane, time, { requests: 1, tokens: announced[0]?.ticket.tokens ?? 0 }) === 0
  }

  function mayAnnounce({ lane, breaker, arriving, pending }: Line, time: number): boolean {
    const state = breaker.state(time)
    if (state === 'resting' || state === 'probing' || (state === 'ready' && pending > 0)) return false
    if (inFlight + movable(time) >= limits.concurrency + lookAhead) return false
    if (lane.inFlight + lane.announced >= lane.adaptive.current() + lookAhead) return false
    const tokens = lane.announcedTokens + (arriving[0]?.ticket.tokens ?? 0)
    return laneWaitMs(lane, time, { requests: lane.announced + 1, tokens }) === 0
  }

  /** Announced tickets that a free slot would start: those that rest or are paused must not keep others out. */
  function movable(time: number): number {
    let count = 0
    for (const { lane, breaker, pending } of lines.values()) {
      if (lane.pausedUntil <= time && breaker.state(time) !== 'resting') count += pending
    }
    return count
  }

  function announceFirst(line: Line): void {
    const first = line.arriving.shift()
    if (first === undefined) return
    line.pending += 1
    line.lane.announced += 1
    line.lane.announcedTokens += first.ticket.tokens
    first.pass({ kind: 'go' })
  }

  function startFirst(line: Line, time: number): void {
    const first = line.announced.shift()
    if (first === undefined) return
    const { ticket, pass } = first
    forgetPending(ticket)
    if (line.breaker.state(time) === 'ready') line.breaker.probe()
    inFlight += 1
    line.lane.inFlight += 1
    ticket.startedAt = time
    ticket.rate = takeRates(line.lane, time, ticket.tokens)
    pass({ kind: 'go' })
  }

  function forgetPending({ line, tokens }: Ticket): void {
    line.pending -= 1
    line.lane.announced -= 1
    line.lane.announcedTokens -= tokens
  }

  function sendAway({ arriving, announced }: Line): void {
    for (const { pass } of arriving.splice(0)) pass({ kind: 'down' })
    for (const { ticket, pass } of announced.splice(0)) {
      forgetPending(ticket)
      pass({ kind: 'down' })
    }
  }

  function nextChange(time: number): number {
    let next = Number.POSITIVE_INFINITY
    for (const { lane, breaker, arriving, announced } of lines.values()) {
      const first = announced[0] ?? arriving[0]
      if (first === undefined) continue
      const isArriving = announced[0] === undefined
      const tokens = first.ticket.tokens + (isArriving ? lane.announcedTokens : 0)
      const requests = 1 + (isArriving ? lane.announced : 0)
      const wait = Math.max(laneWaitMs(lane, time, { requests, tokens }), (breaker.readyAt() ?? time) - time)
      // What waits for a slot is woken by the call that leaves it.
      if (wait > 0) next = Math.min(next, time + wait)
    }
    return next
  }

  function wait(queue: Waiting[], ticket: Ticket, signal: AbortSignal): Promise<Passage> {
    return new Promise((resolve) => {
      const leave = () => {
        queue.splice(queue.indexOf(waiting), 1)
        if (queue === ticket.line.announced) forgetPending(ticket)
        resolve({ kind: 'aborted' })
        pump()
      }
      const pass = (passage: Passage) => {
        signal.removeEventListener('abort', leave)
        resolve(passage)
      }
      const waiting = { ticket, pass }
      insert(queue, waiting)
      signal.addEventListener('abort', leave, { once: true })
      pump()
    })
  }

  return {
    newTicket: (model, call) => ({ line: lineOf(model), ...call, startedAt: Number.NaN, rate: null }),
    async announce(ticket, signal) {
      return signal.aborted ? { kind: 'aborted' } : wait(ticket.line.arriving, ticket, signal)
    },
    async start(ticket, signal) {
      if (!signal.aborted) return wait(ticket.line.announced, ticket, signal)
      forgetPending(ticket)
      pump()
      return { kind: 'aborted' }
    },
    withdraw(ticket) {
      forgetPending(ticket)
      pump()
    },
    finish(ticket, result) {
      const { lane, breaker } = ticket.line
      inFlight -= 1
      lane.inFlight -= 1
      tell(ticket, result, now())
      if (result.kind === 'reply') breaker.succeeded()
      else breaker.failed(result.error.kind, now())
      pump()
    },
    load: () => ({
      inFlight,
      waiting: [...lines.values()].reduce((sum, line) => sum + line.arriving.length + line.pending, 0),
    }),
  }
}

/** What the provider's limits learn from an attempt. */
function tell({ line: { lane }, rate, startedAt }: Ticket, result: AttemptResult, time: number): void {
  if (result.kind === 'reply') {
    lane.adaptive.succeeded()
    const { usage } = result.reply
    if (rate !== null && usage !== null) lane.tokens?.settle(rate, usage.inputTokens + usage.outputTokens)
    return
  }
  const { kind, retryAfterMs, charged } = result.error
  if (rate !== null && charged === 'no') lane.tokens?.settle(rate, 0)
  if (kind !== 'rate-limit' && kind !== 'overloaded') return
  lane.adaptive.turnedAway(startedAt, time)
  if (retryAfterMs !== null) lane.pausedUntil = Math.max(lane.pausedUntil, time + retryAfterMs)
}

/** By sequence; a new one goes last. */
function insert(queue: Waiting[], waiting: Waiting): void {
  const before = queue.findLastIndex(({ ticket }) => ticket.sequence <= waiting.ticket.sequence)
  queue.splice(before + 1, 0, waiting)
}

/** One sleep at a time, to the nearest moment. */
function wakeUp(now: () => number, sleep: Sleep, wake: () => void): { at(time: number): void } {
  let set: { readonly time: number; readonly stop: AbortController } | null = null
  return {
    at(time) {
      if (set !== null && set.time <= time) return
      set?.stop.abort()
      set = null
      if (!Number.isFinite(time)) return
      const own = { time, stop: new AbortController() }
      set = own
      void sleep(Math.max(0, time - now()), own.stop.signal).then(() => {
        if (set !== own) return
        set = null
        wake()
      })
    },
  }
}
