import type { Model } from '../model/model.ts'
import { breaker } from './breaker.ts'
import { createGates, type Gates, lineOf, openGates } from './gates.ts'
import type { TrafficLimits } from './limits.ts'
import { dropPending, insert, learn, nextChange, type Passage, type Ticket, type Waiting } from './line.ts'
import { onAbort } from './on-abort.ts'
import type { AttemptResult, Sleep, TrafficLoad } from './traffic.ts'
import { wakeUp } from './wake-up.ts'

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

export interface ScheduleOptions {
  readonly limits: TrafficLimits
  readonly now: () => number
  readonly sleep: Sleep
  /** Of a model; absent: of this process alone. */
  readonly newBreaker?: Gates['newBreaker']
}

/**
 * Two gates, because committing an intent takes time: while calls are in flight the next few are announced, so that a
 * slot that becomes free is used at once. Rates, pauses and slots are held at the second gate, where things are sent.
 */
export function createSchedule({ limits, now, sleep, newBreaker }: ScheduleOptions): Schedule {
  const gates = createGates(limits, newBreaker ?? (() => breaker(limits.breaker)))
  const pump = (): void => {
    openGates(gates, now())
    timer.at(nextChange(gates.lines.values(), now()))
  }
  const timer = wakeUp(now, sleep, pump)
  return {
    newTicket: (model, call) => ({ line: lineOf(gates, model), ...call, startedAt: Number.NaN, rate: null }),
    async announce(ticket, signal) {
      return signal.aborted ? { kind: 'aborted' } : wait(ticket.line.arriving, { ticket, signal, pump })
    },
    async start(ticket, signal) {
      if (!signal.aborted) return wait(ticket.line.announced, { ticket, signal, pump })
      dropPending(ticket)
      pump()
      return { kind: 'aborted' }
    },
    withdraw(ticket) {
      dropPending(ticket)
      pump()
    },
    finish(ticket, result) {
      gates.inFlight -= 1
      ticket.line.lane.inFlight -= 1
      learn(ticket, result, now())
      pump()
    },
    load: () => loadOf(gates),
  }
}

interface Wait {
  readonly ticket: Ticket
  readonly signal: AbortSignal
  readonly pump: () => void
}

/** Until the gate behind the queue lets the ticket through, or the signal takes it out. */
function wait(queue: Waiting[], { ticket, signal, pump }: Wait): Promise<Passage> {
  return new Promise((resolve) => {
    const leave = () => {
      queue.splice(queue.indexOf(waiting), 1)
      if (queue === ticket.line.announced) dropPending(ticket)
      resolve({ kind: 'aborted' })
      pump()
    }
    const pass = (passage: Passage) => {
      stopListening()
      resolve(passage)
    }
    const waiting = { ticket, pass }
    insert(queue, waiting)
    const stopListening = onAbort(signal, leave)
    pump()
  })
}

function loadOf({ inFlight, lines }: Gates): TrafficLoad {
  const waiting = [...lines.values()].reduce((sum, { arriving, pending }) => sum + arriving.length + pending, 0)
  return { inFlight, waiting }
}
