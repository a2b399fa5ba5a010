import type { Breaker } from './breaker.ts'
import { type Lane, laneWaitMs } from './lane.ts'
import type { RateEntry } from './rate-window.ts'
import type { AttemptResult } from './traffic.ts'

/** What the calls of one model share. */
export interface Line {
  readonly lane: Lane
  readonly breaker: Breaker
  /** Before the first gate and before the second, by sequence. */
  readonly arriving: Waiting[]
  readonly announced: Waiting[]
  /** Past the first gate and not started, also those still being committed. */
  pending: number
  /** What the last attempt failed with; null after a reply. */
  lastError: string | null
}

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

export interface Waiting {
  readonly ticket: Ticket
  readonly pass: (passage: Passage) => void
}

/** By sequence; a new one goes last. */
export function insert(queue: Waiting[], waiting: Waiting): void {
  const before = queue.findLastIndex(({ ticket }) => ticket.sequence <= waiting.ticket.sequence)
  queue.splice(before + 1, 0, waiting)
}

/** The line whose first ticket came first among those that may move. */
export function firstLine(
  lines: Iterable<Line>,
  queue: 'arriving' | 'announced',
  may: (line: Line) => boolean,
): Line | undefined {
  let first: Line | undefined
  let earliest = Number.POSITIVE_INFINITY
  for (const line of lines) {
    const sequence = line[queue][0]?.ticket.sequence ?? Number.POSITIVE_INFINITY
    if (sequence >= earliest || !may(line)) continue
    first = line
    earliest = sequence
  }
  return first
}

/** Announced tickets that a free slot would start: those that rest or are paused must not keep others out. */
export function movable(lines: Iterable<Line>, time: number): number {
  let count = 0
  for (const { lane, breaker, pending } of lines) {
    // A breaker that is asked may take the one probe of all processes: only where somebody would use it.
    if (pending > 0 && lane.pausedUntil <= time && breaker.state(time) !== 'resting') count += pending
  }
  return count
}

/** When a rate, a pause or a rest lets something through that waits; what waits for a slot is woken by its leaver. */
export function nextChange(lines: Iterable<Line>, time: number): number {
  let next = Number.POSITIVE_INFINITY
  for (const { lane, breaker, arriving, announced } of lines) {
    const first = announced[0] ?? arriving[0]
    if (first === undefined) continue
    const isAnnounced = announced[0] !== undefined
    const laneWait = laneWaitMs(lane, time, { tokens: first.ticket.tokens, isAnnounced })
    const wait = Math.max(laneWait, (breaker.readyAt() ?? time) - time)
    if (wait > 0) next = Math.min(next, time + wait)
  }
  return next
}

export function takePending({ line, tokens }: Ticket): void {
  line.pending += 1
  line.lane.announced += 1
  line.lane.announcedTokens += tokens
}

export function dropPending({ line, tokens }: Ticket): void {
  line.pending -= 1
  line.lane.announced -= 1
  line.lane.announcedTokens -= tokens
}

/** What the provider's limits and the model's breaker learn from an attempt. */
export function learn({ line, rate, startedAt }: Ticket, result: AttemptResult, time: number): void {
  const { lane, breaker } = line
  if (result.kind === 'reply') {
    line.lastError = null
    breaker.succeeded()
    lane.adaptive.succeeded()
    const { usage } = result.reply
    if (rate !== null && usage !== null) lane.tokens?.settle(rate, usage.inputTokens + usage.outputTokens)
    return
  }
  const { kind, retryAfterMs, charged } = result.error
  if (kind !== 'aborted') line.lastError = result.error.message
  breaker.failed(kind, time)
  if (rate !== null && charged === 'no') lane.tokens?.settle(rate, 0)
  if (kind !== 'rate-limit' && kind !== 'overloaded') return
  lane.adaptive.turnedAway(startedAt, time)
  if (retryAfterMs !== null) lane.pausedUntil = Math.max(lane.pausedUntil, time + retryAfterMs)
}
