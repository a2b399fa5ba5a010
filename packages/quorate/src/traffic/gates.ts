import type { Model } from '../model/model.ts'
import type { Breaker } from './breaker.ts'
import { createLane, type Lane, laneWaitMs, takeRates } from './lane.ts'
import type { TrafficLimits } from './limits.ts'
import { dropPending, firstLine, type Line, movable, takePending } from './line.ts'

/** Everything that decides who may move. */
export interface Gates {
  readonly limits: TrafficLimits
  /** Tickets that may be announced beyond the slots. */
  readonly lookAhead: number
  readonly lanes: Map<string, Lane>
  readonly lines: Map<string, Line>
  /** Of a model. */
  readonly newBreaker: (model: string) => Breaker
  inFlight: number
}

export function createGates(limits: TrafficLimits, newBreaker: Gates['newBreaker']): Gates {
  const lookAhead = Math.ceil(limits.concurrency / 4)
  return { limits, lookAhead, lanes: new Map(), lines: new Map(), newBreaker, inFlight: 0 }
}

export function lineOf({ limits, lanes, lines, newBreaker }: Gates, model: Model): Line {
  const known = lines.get(model.id)
  if (known !== undefined) return known
  const lane = lanes.get(model.provider) ?? createLane(limits.providers[model.provider] ?? {}, limits.concurrency)
  lanes.set(model.provider, lane)
  const line = { lane, breaker: newBreaker(model.id), arriving: [], announced: [], pending: 0, lastError: null }
  lines.set(model.id, line)
  return line
}

/** Lets everyone through who may go now: those that were announced first, then new ones, then those in vain. */
export function openGates(gates: Gates, time: number): void {
  const lines = [...gates.lines.values()]
  const startable = () => firstLine(lines, 'announced', (line) => mayStart(gates, line, time))
  for (let line = startable(); line !== undefined; line = startable()) startFirst(gates, line, time)
  const announceable = () => firstLine(lines, 'arriving', (line) => mayAnnounce(gates, line, time))
  for (let line = announceable(); line !== undefined; line = announceable()) announceFirst(line)
  for (const line of lines) if (line.breaker.isDown() && line.breaker.state(time) !== 'ready') sendAway(line)
}

function mayStart({ limits, inFlight }: Gates, { lane, breaker, announced }: Line, time: number): boolean {
  const state = breaker.state(time)
  if (inFlight >= limits.concurrency || lane.inFlight >= lane.adaptive.current()) return false
  if (state === 'resting' || state === 'probing') return false
  return laneWaitMs(lane, time, { tokens: announced[0]?.ticket.tokens ?? 0, isAnnounced: true }) === 0
}

function mayAnnounce({ limits, lines, lookAhead, inFlight }: Gates, line: Line, time: number): boolean {
  const { lane, breaker, arriving, pending } = line
  const state = breaker.state(time)
  if (state === 'resting' || state === 'probing' || (state === 'ready' && pending > 0)) return false
  if (inFlight + movable(lines.values(), time) >= limits.concurrency + lookAhead) return false
  if (lane.inFlight + lane.announced >= lane.adaptive.current() + lookAhead) return false
  return laneWaitMs(lane, time, { tokens: arriving[0]?.ticket.tokens ?? 0, isAnnounced: false }) === 0
}

function announceFirst({ arriving }: Line): void {
  const first = arriving.shift()
  if (first === undefined) return
  takePending(first.ticket)
  first.pass({ kind: 'go' })
}

function startFirst(gates: Gates, { lane, breaker, announced }: Line, time: number): void {
  const first = announced.shift()
  if (first === undefined) return
  const { ticket, pass } = first
  dropPending(ticket)
  if (breaker.state(time) === 'ready') breaker.probe()
  gates.inFlight += 1
  lane.inFlight += 1
  ticket.startedAt = time
  ticket.rate = takeRates(lane, time, ticket.tokens)
  pass({ kind: 'go' })
}

function sendAway({ arriving, announced }: Line): void {
  for (const { pass } of arriving.splice(0)) pass({ kind: 'down' })
  for (const { ticket, pass } of announced.splice(0)) {
    dropPending(ticket)
    pass({ kind: 'down' })
  }
}
