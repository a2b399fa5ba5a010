import { expect, onTestFinished, test } from 'vitest'
import { NoticeSchema } from '../../../src/config/webhooks.ts'
import { serverWebhooks } from '../../../src/panel/start-serving.ts'
import { WEBHOOK_EVENTS } from '../../../src/record/webhook-event.ts'
import { chatBody, keepDigest } from '../../../src/server/webhooks/chat-notices.ts'
import { deliver } from '../../../src/server/webhooks/deliver.ts'
import { targetName } from '../../../src/server/webhooks/targets.ts'
import { memoryStore } from '../../run/run-world.ts'
import { DECISION } from '../fake-services.ts'
import { startReceiver } from './receiver.ts'

const HOUR = 3_600_000
const T0 = 1_700_000_000_000

const notice = (event: string, data: object) => JSON.stringify({ quorate: 1, id: 'message-1', event, at: T0, data })
const DIGEST = notice('reviews.waiting', { waiting: 3, oldestAt: T0 - 5 * HOUR })
const SUSPENDED = notice('policy.suspended', { cause: 'admin', certificate: 'c', by: 'mira', reason: null })

test('Slack gets a sentence and a link to the queue', () => {
  expect(JSON.parse(chatBody(DIGEST, 'slack', 'https://quorate.example'))).toEqual({
    text: 'quorate: 3 questions wait for a person, the oldest for 5 hours.',
    blocks: [
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: 'quorate: 3 questions wait for a person, the oldest for 5 hours. <https://quorate.example/#/review|Open the review queue>',
        },
      },
    ],
  })
})

test('Teams gets an adaptive card with a button', () => {
  const { type, attachments } = JSON.parse(chatBody(DIGEST, 'teams', 'https://quorate.example'))
  expect(type).toBe('message')
  expect(attachments).toMatchObject([
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: {
        type: 'AdaptiveCard',
        body: [{ type: 'TextBlock', wrap: true }],
        actions: [{ type: 'Action.OpenUrl', url: 'https://quorate.example/#/review' }],
      },
    },
  ])
})

test('whatever a message contains, a chat receives no question, answer, decision or person', () => {
  const secrets = {
    questionId: 'claim-4711',
    answer: 'refund',
    decisionId: DECISION.id,
    reviewId: 'r-1',
    by: 'mira',
    kind: 'act',
  }
  for (const format of ['slack', 'teams'] as const) {
    const bodyOf = (event: string) => chatBody(notice(event, { ...secrets, waiting: 3, oldestAt: T0 }), format, null)
    for (const event of ['reviews.waiting', 'policy.suspended']) {
      for (const secret of ['claim-4711', 'refund', DECISION.id, 'r-1', 'mira']) {
        expect(bodyOf(event)).not.toContain(secret)
      }
    }
    for (const event of WEBHOOK_EVENTS.filter((name) => name !== 'policy.suspended')) {
      expect(() => bodyOf(event)).toThrow(/a message of the outbox/)
    }
  }
})

test('events of single questions never go to a chat: only the digest and the suspension do', () => {
  const notices = [NoticeSchema.parse({ to: 'slack', urlEnv: 'SLACK_URL' })]
  const env = { SLACK_URL: 'https://hooks.slack.example/services/T/B/x' }
  const [target] = serverWebhooks({ webhooks: [], notices }, env, (words) => new Error(words))
  expect(target).toMatchObject({ events: ['policy.suspended'], chat: { format: 'slack', digestMs: HOUR } })
  expect(() => serverWebhooks({ webhooks: [], notices }, {}, (words) => new Error(words))).toThrow(
    /SLACK_URL must be set/,
  )
  const plain = { SLACK_URL: 'http://hooks.slack.example/x' }
  expect(() => serverWebhooks({ webhooks: [], notices }, plain, (words) => new Error(words))).toThrow(/https address/)
})

test('a notice is posted without a signature, and counts as delivered by its status', async () => {
  const receiver = await startReceiver(() => ({ status: 200 }))
  onTestFinished(() => receiver.close())
  const message = {
    id: 'm',
    event: 'policy.suspended' as const,
    body: SUSPENDED,
    target: 't',
    createdAt: T0,
    notBefore: T0,
    subject: null,
  }
  const stored = { ...message, attempts: 1, nextAt: null, deliveredAt: null, lastError: null }
  const sent = await deliver(
    stored,
    { url: receiver.url, secret: '', chat: { format: 'slack' } },
    { at: T0, publicOrigin: null },
  )
  expect(sent).toEqual({ kind: 'delivered' })
  const [received] = receiver.received
  expect(JSON.parse(received?.body ?? '')).toMatchObject({ text: expect.stringMatching(/policy is suspended/) })
  expect(received?.headers['quorate-signature']).toBeUndefined()
})

test('a digest is written once a period, by one of several servers, and not while nothing waits', async () => {
  const store = memoryStore()
  const stopping = new AbortController()
  const clock = { now: T0 - (T0 % HOUR) }
  let [waiting, periods, woken] = [0, 0, 0]
  const name = targetName('https://hooks.slack.example/x')
  const sleep = async (milliseconds: number) => {
    clock.now += milliseconds
    periods += 1
    if (periods > 1) waiting = 2
    if (periods > 3) stopping.abort()
  }
  const tools = {
    outbox: store.outbox,
    reviews: { progress: async () => ({ waiting, mineToday: 0, submitted: 0, oldestAt: clock.now - HOUR }) },
    now: () => clock.now,
    sleep,
    stopping: stopping.signal,
    report: (words: string) => expect(words).toBe(''),
    wakeSender: () => {
      woken += 1
    },
  }
  await keepDigest({ name, periodMs: HOUR }, tools)
  const due = () => store.outbox.due({ now: clock.now, limit: 10, leaseMs: 1 })
  const messages = await due()
  expect(messages.map(({ event, target }) => ({ event, target }))).toEqual(
    [1, 2].map(() => ({ event: 'reviews.waiting', target: name })),
  )
  expect(woken).toBe(2)
  // Another server in the same period finds the message of the first.
  const second = new AbortController()
  let turns = 0
  clock.now -= HOUR
  const again = async (milliseconds: number) => {
    turns += 1
    if (turns > 1) second.abort()
    clock.now += turns > 1 ? 0 : Math.min(milliseconds, 1)
  }
  await keepDigest({ name, periodMs: HOUR }, { ...tools, sleep: again, stopping: second.signal })
  expect(woken).toBe(2)
})
