import { createHash } from 'node:crypto'
import { z } from 'zod'
import { CHAT_EVENTS } from '../../config/webhooks.ts'
import { parseStored } from '../../record/parse-stored.ts'
import { StoreError } from '../../record/store-error.ts'
import type { ReviewService } from '../../review/review-service.ts'
import type { OutboxStore } from '../../store/outbox.ts'
import type { Sleep } from '../../traffic/traffic.ts'
import type { ChatFormat } from './targets.ts'

/** The event with the number of waiting items. It reveals nothing about a single item, as spot checks wait among the others. */
const DIGEST = 'reviews.waiting'

const noticeSchema = z.looseObject({
  event: z.enum([DIGEST, ...CHAT_EVENTS]),
  at: z.number(),
  data: z.looseObject({ waiting: z.int().optional(), oldestAt: z.number().nullish() }),
})
type ChatNotice = z.infer<typeof noticeSchema>

/**
 * A message of the outbox for a chat: a sentence and a link. It contains no question, answer, decision or reviewer, because a
 * reader of the chat may review the item blind.
 */
export function chatBody(stored: string, format: ChatFormat, publicOrigin: string | null): string {
  const notice = parseStored(noticeSchema, stored, 'a message of the outbox')
  const { textOf, title, path } = CHAT_WORDS[notice.event]
  const text = textOf(notice)
  const link = publicOrigin === null ? null : { title, url: `${publicOrigin}/#/${path}` }
  return JSON.stringify(format === 'slack' ? slackMessage(text, link) : teamsMessage(text, link))
}

interface ChatWords {
  readonly textOf: (notice: ChatNotice) => string
  readonly title: string
  /** The page of the app that the message links to. */
  readonly path: string
}

const CHAT_WORDS: Readonly<Record<ChatNotice['event'], ChatWords>> = {
  [DIGEST]: {
    textOf: ({ at, data }) => digestWords(data.waiting ?? 0, at - (data.oldestAt ?? at)),
    title: 'Open the review queue',
    path: 'review',
  },
  'policy.suspended': {
    textOf: () =>
      'quorate: the policy is suspended. Every question goes to a person until somebody releases the policy.',
    title: 'Open quorate',
    path: '',
  },
}

function digestWords(waiting: number, oldestMs: number): string {
  const items = waiting === 1 ? '1 question waits' : `${waiting} questions wait`
  return `quorate: ${items} for a person, the oldest for ${ageWords(oldestMs)}.`
}

const HOUR_MS = 3_600_000

function ageWords(milliseconds: number): string {
  const hours = Math.floor(milliseconds / HOUR_MS)
  if (hours < 1) return 'less than an hour'
  if (hours < 48) return hours === 1 ? 'an hour' : `${hours} hours`
  return `${Math.floor(hours / 24)} days`
}

type Link = { readonly title: string; readonly url: string } | null

function slackMessage(text: string, link: Link): object {
  const linked = link === null ? text : `${text} <${link.url}|${link.title}>`
  return { text, blocks: [{ type: 'section', text: { type: 'mrkdwn', text: linked } }] }
}

/** For a webhook of Teams Workflows. */
function teamsMessage(text: string, link: Link): object {
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [{ type: 'TextBlock', text, wrap: true }],
    actions: link === null ? [] : [{ type: 'Action.OpenUrl', ...link }],
  }
  const contentType = 'application/vnd.microsoft.card.adaptive'
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] }
}

export interface DigestTools {
  readonly outbox: Pick<OutboxStore, 'add' | 'find'>
  readonly reviews: Pick<ReviewService, 'progress'>
  readonly now: () => number
  readonly sleep: Sleep
  readonly stopping: AbortSignal
  readonly report: (words: string, cause?: unknown) => void
  readonly wakeSender: () => void
}

/**
 * Sends the number of waiting items at the end of each period, unless it is 0. Of several servers on a store, only one sends.
 */
export async function keepDigest(
  { name, periodMs }: { readonly name: string; readonly periodMs: number },
  tools: DigestTools,
): Promise<void> {
  const { now, sleep, stopping, report, wakeSender } = tools
  while (!stopping.aborted) {
    await sleep(periodMs - (now() % periodMs), stopping)
    if (stopping.aborted) return
    try {
      if (await addDigest({ name, period: Math.floor(now() / periodMs) }, tools)) wakeSender()
    } catch (cause) {
      report('the digest of the review queue could not be written and will be tried again after the next period', cause)
    }
  }
}

/** An identity that neither claims nor submits. */
const READER = { name: 'digest', role: 'viewer', kind: 'machine', isLocal: false } as const

/** Adds a digest to the outbox. False: nothing waits, or another server added it first. */
async function addDigest(
  { name, period }: { readonly name: string; readonly period: number },
  { outbox, reviews, now }: DigestTools,
): Promise<boolean> {
  const { waiting, oldestAt } = await reviews.progress(READER)
  if (waiting === 0) return false
  const id = createHash('sha256')
    .update(JSON.stringify([DIGEST, name, period]))
    .digest('hex')
    .slice(0, 32)
  if ((await outbox.find(id)) !== null) return false
  const at = now()
  const body = JSON.stringify({ quorate: 1, id, event: DIGEST, at, data: { waiting, oldestAt } })
  try {
    await outbox.add([{ id, event: DIGEST, body, target: name, createdAt: at, notBefore: at, subject: null }])
    return true
  } catch (error) {
    // Another server was first.
    if (error instanceof StoreError && error.kind === 'exists') return false
    throw error
  }
}
