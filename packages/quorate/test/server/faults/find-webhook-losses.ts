import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { StoredDecision } from '../../../src/store/store.ts'
import type { Received } from '../webhooks/receiver.ts'
import type { Submission } from './journal.ts'

const UNDO_MS = 10_000

export interface Heard {
  readonly received: readonly Received[]
  readonly secret: string
  readonly decisions: readonly StoredDecision[]
  readonly submissions: readonly Submission[]
}

const messageSchema = z.object({
  id: z.string(),
  event: z.string(),
  data: z.looseObject({
    decisionId: z.string().optional(),
    reviewId: z.string().nullable().optional(),
    submittedAt: z.number().optional(),
  }),
})

/** Each event arrived, all copies of it are one message, and nothing arrived that did not happen or was undone in time. */
export function findWebhookLosses({ received, secret, decisions, submissions }: Heard): readonly string[] {
  const expected = new Set([
    ...decisions.map(({ kind, id }) => `decision.${kind === 'act' ? 'acted' : 'deferred'} ${id}`),
    ...submissions.filter(({ end }) => end !== 'undone').map((submission) => `review.submitted ${placeOf(submission)}`),
    ...submissions
      .filter(({ end }) => end === 'retracted')
      .map((submission) => `review.retracted ${placeOf(submission)}`),
  ])
  const copies = new Map<string, Set<string>>()
  const losses: string[] = []
  for (const one of received) {
    const about = aboutOf(one)
    copies.set(about, (copies.get(about) ?? new Set()).add(`${one.headers['quorate-delivery']} ${one.body}`))
    if (!isSigned(one, secret)) losses.push(`${about}: its signature is wrong`)
  }
  for (const about of expected) if (!copies.has(about)) losses.push(`${about}: it never arrived`)
  for (const [about, different] of copies) {
    if (!expected.has(about)) losses.push(`${about}: it arrived, and should not have`)
    if (different.size > 1) losses.push(`${about}: its copies differ`)
  }
  return losses
}

function placeOf({ reviewId, undoUntil }: Pick<Submission, 'reviewId' | 'undoUntil'>): string {
  return `${reviewId} ${undoUntil - UNDO_MS}`
}

function aboutOf({ headers, body }: Received): string {
  const { id, event, data } = messageSchema.parse(JSON.parse(body))
  const isHeadTrue = headers['quorate-delivery'] === id && headers['quorate-event'] === event
  const about = data.decisionId ?? `${data.reviewId} ${data.submittedAt}`
  return isHeadTrue ? `${event} ${about}` : `${event} ${about}, whose headers say otherwise`
}

/** Checked as the documentation recommends to receivers. */
function isSigned({ headers, body }: Received, secret: string): boolean {
  const [, seconds, hex] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['quorate-signature'])) ?? []
  return hex === createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
}
