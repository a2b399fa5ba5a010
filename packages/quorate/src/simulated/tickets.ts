import { type Random, seededRandom } from '@quorate/certificate'
import { integerBetween, pick } from './draws.ts'

/*
 * Support tickets whose label is known, for a first try without a key. Each consists of a sentence and a thing that the
 * sentence is about, so that a simulated agent recognises it by its words alone.
 */

/** The labels, in the order of the sample config. */
export const TICKET_LABELS = ['refund', 'bug report', 'delivery', 'other'] as const
export type TicketLabel = (typeof TICKET_LABELS)[number]

interface Sentence {
  readonly right: TicketLabel
  /** The label that it is most easily mistaken for. */
  readonly lure: TicketLabel
  readonly words: string
}

const THINGS = ['coat', 'lamp', 'kettle', 'phone', 'tent', 'bicycle', 'desk', 'camera', 'radio', 'watch'] as const

const SENTENCES = [
  { right: 'refund', lure: 'bug report', words: 'The {thing} is not what I ordered, please send my money back' },
  { right: 'refund', lure: 'delivery', words: 'I sent the {thing} back two weeks ago and still wait for the money' },
  { right: 'refund', lure: 'other', words: 'I changed my mind about the {thing} and want to return it' },
  { right: 'bug report', lure: 'refund', words: 'The {thing} stops after a minute, and so did the one before' },
  { right: 'bug report', lure: 'other', words: 'The page of the {thing} shows an error when I press buy' },
  { right: 'bug report', lure: 'delivery', words: 'Your app names a wrong date for the {thing} since yesterday' },
  { right: 'delivery', lure: 'refund', words: 'The {thing} was to come on Monday; where is it' },
  { right: 'delivery', lure: 'bug report', words: 'The tracking of my {thing} has not moved for a week' },
  { right: 'delivery', lure: 'other', words: 'Can the {thing} go to another address than the one I gave' },
  { right: 'other', lure: 'delivery', words: 'Do you also sell the {thing} in your shop in Vienna' },
  { right: 'other', lure: 'refund', words: 'Is there a discount if I buy a second {thing}' },
  { right: 'other', lure: 'bug report', words: 'How do I clean the {thing} best' },
] as const satisfies readonly [Sentence, ...Sentence[]]

export interface Ticket {
  readonly body: string
  readonly right: TicketLabel
  readonly lure: TicketLabel
}

const NUMBERS = { low: 10_000, high: 99_999 }
const BODY = /^(.*) \(order (\d{5})\)/u

/** Tickets made from the seed, all different. */
export function drawTickets({ seed, count }: { readonly seed: number; readonly count: number }): readonly Ticket[] {
  const random = seededRandom(seed)
  const drawn = new Map<string, Ticket>()
  while (drawn.size < count) {
    const ticket = drawTicket(random)
    drawn.set(ticket.body, ticket)
  }
  return [...drawn.values()]
}

function drawTicket(random: Random): Ticket {
  const { words, right, lure } = pick(random, SENTENCES)
  const thing = pick(random, THINGS)
  const order = integerBetween(random, NUMBERS.low, NUMBERS.high)
  return { body: `${words.replace('{thing}', thing)} (order ${order})`, right, lure }
}

/** The ticket that a text begins with; null for a text that was not made here. */
export function recogniseTicket(text: string): Ticket | null {
  const [body, words = ''] = BODY.exec(text) ?? []
  if (body === undefined) return null
  for (const { words: pattern, right, lure } of SENTENCES) {
    if (THINGS.some((thing) => pattern.replace('{thing}', thing) === words)) return { body, right, lure }
  }
  return null
}
