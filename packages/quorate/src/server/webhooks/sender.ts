import type { Random } from '@quorate/certificate'
import { DAY_MS } from '../../record/day.ts'
import type { WebhookEvent } from '../../record/webhook-event.ts'
import type { OutboxStore, StoredMessage, TargetScope } from '../../store/outbox.ts'
import type { Sleep } from '../../traffic/traffic.ts'
import { DELIVERY_TIMEOUT_MS, deliver, type Targets } from './deliver.ts'

export interface SenderTools {
  readonly outbox: OutboxStore
  readonly targets: Targets
  readonly now: () => number
  readonly sleep: Sleep
  readonly random: Random
  readonly report: (words: string, cause?: unknown) => void
  /** Messages link to the app at this origin; null: its address is unknown. */
  readonly publicOrigin: string | null
}

/** Delivers the messages of the outbox until it is stopped. A message that was being sent during a crash is sent again. */
export interface WebhookSender {
  /** Polls the outbox now, because a message is due. */
  wake(): void
  /** Claims no more messages and resolves when deliveries in progress have succeeded or failed. */
  stop(): Promise<void>
}

/** Deliveries at once to each target. A target that never responds delays no other. */
const MOST_AT_ONCE = 8
/** Longer than an attempt, so that no other process sends the same message. */
const LEASE_MS = 3 * DELIVERY_TIMEOUT_MS
/** Another process may have added messages. */
const POLL_EVERY_MS = 30_000
const FIRST_WAIT_MS = 5_000
const LONGEST_WAIT_MS = 3_600_000
const GIVE_UP_MS = DAY_MS
/** Sent before others: an alarm must not wait behind decisions. */
const FIRST: WebhookEvent = 'policy.suspended'

/** Starts a sender for each target, and one for messages to targets that the config no longer has. */
export function startWebhookSender(tools: SenderTools): WebhookSender {
  const names = [...tools.targets.keys()]
  const senders = names.map((only) => startSending(tools, { only }))
  const leftOver = startSending(tools, { except: names })
  return {
    wake() {
      for (const sender of senders) sender.wake()
    },
    async stop() {
      await Promise.all([...senders, leftOver].map((sender) => sender.stop()))
    },
  }
}

function startSending(tools: SenderTools, targets: TargetScope): WebhookSender {
  const { outbox, now, sleep, report } = tools
  const inProgress = new Set<Promise<void>>()
  const ended = new AbortController()
  let resting = new AbortController()

  async function round(): Promise<void> {
    const limit = MOST_AT_ONCE - inProgress.size
    const claim = { limit, leaseMs: LEASE_MS, targets, first: FIRST }
    const due = limit === 0 ? [] : await outbox.due({ now: now(), ...claim })
    for (const message of due) {
      const sent = send(message, tools)
        .catch((cause: unknown) => report('the outbox could not be written', cause))
        .finally(() => inProgress.delete(sent))
      inProgress.add(sent)
    }
    if (inProgress.size === MOST_AT_ONCE) await Promise.race(inProgress)
    else if (due.length < limit) await rest((await outbox.nextAt(targets)) ?? Number.POSITIVE_INFINITY)
  }

  async function rest(until: number): Promise<void> {
    const woken = resting.signal
    if (!ended.signal.aborted) await sleep(Math.min(POLL_EVERY_MS, Math.max(1, until - now())), woken)
    if (woken.aborted) resting = new AbortController()
  }

  async function run(): Promise<void> {
    while (!ended.signal.aborted) {
      await round().catch((cause: unknown) => {
        report('the outbox could not be read', cause)
        return rest(now() + FIRST_WAIT_MS)
      })
    }
    await Promise.all(inProgress)
  }

  const running = run()
  return {
    wake: () => resting.abort(),
    stop() {
      ended.abort()
      resting.abort()
      return running
    },
  }
}

async function send(message: StoredMessage, tools: SenderTools): Promise<void> {
  const { outbox, targets, now, random, publicOrigin } = tools
  const target = targets.get(message.target)
  if (target === undefined) {
    return outbox.failed(message.id, { error: 'the config no longer has this webhook', nextAt: null })
  }
  const delivery = await deliver(message, target, { at: now(), publicOrigin })
  if (delivery.kind === 'delivered') return outbox.delivered(message.id, now())
  return outbox.failed(message.id, { error: delivery.error, nextAt: nextAttempt(message, { now: now(), random }) })
}

/** Exponential backoff with jitter: the wait doubles up to an hour, and its second half is random. Null after a day. */
export function nextAttempt(
  { attempts, notBefore }: { readonly attempts: number; readonly notBefore: number },
  { now, random }: { readonly now: number; readonly random: Random },
): number | null {
  const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempts - 1, 20))
  const next = Math.round(now + wait * (0.5 + random() / 2))
  return next - notBefore > GIVE_UP_MS ? null : next
}
