import type { Random } from '@quorate/certificate'
import type { WebhookEvent } from '../../config/webhooks.ts'
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
  /** Messages link to the app there; null: nobody knows where people open it. */
  readonly publicOrigin: string | null
}

/** Carries messages out of the outbox until it is stopped. What was on its way in a crash is sent again. */
export interface WebhookSender {
  /** Something is due: look now. */
  wake(): void
  /** Takes nothing more and resolves when what is on its way has arrived or failed. */
  stop(): Promise<void>
}

/** Of each target: one that never answers holds up nobody else. */
const MOST_AT_ONCE = 8
/** Longer than an attempt takes: nobody else sends what is being sent. */
const LEASE_MS = 3 * DELIVERY_TIMEOUT_MS
/** Another process may have put something in. */
const POLL_EVERY_MS = 30_000
const FIRST_WAIT_MS = 5_000
const LONGEST_WAIT_MS = 3_600_000
const GIVE_UP_MS = 86_400_000
/** An alarm does not wait behind decisions. */
const FIRST: WebhookEvent = 'policy.suspended'

/** A sender for each target, and one for what is left of targets that the config no longer has. */
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
  const onTheWay = new Set<Promise<void>>()
  const ended = new AbortController()
  let resting = new AbortController()

  async function round(): Promise<void> {
    const limit = MOST_AT_ONCE - onTheWay.size
    const claim = { limit, leaseMs: LEASE_MS, targets, first: FIRST }
    const due = limit === 0 ? [] : await outbox.due({ now: now(), ...claim })
    for (const message of due) {
      const sent = carry(message, tools)
        .catch((cause: unknown) => report('the outbox could not be written', cause))
        .finally(() => onTheWay.delete(sent))
      onTheWay.add(sent)
    }
    if (onTheWay.size === MOST_AT_ONCE) await Promise.race(onTheWay)
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
    await Promise.all(onTheWay)
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

async function carry(message: StoredMessage, tools: SenderTools): Promise<void> {
  const { outbox, targets, now, random, publicOrigin } = tools
  const target = targets.get(message.target)
  if (target === undefined) {
    return outbox.failed(message.id, { error: 'the config no longer has this webhook', nextAt: null })
  }
  const delivery = await deliver(message, target, { at: now(), publicOrigin })
  if (delivery.kind === 'delivered') return outbox.delivered(message.id, now())
  return outbox.failed(message.id, { error: delivery.error, nextAt: nextAttempt(message, { now: now(), random }) })
}

/** Twice as long after each attempt, up to an hour, somewhere in its second half; null after a day. */
export function nextAttempt(
  { attempts, notBefore }: { readonly attempts: number; readonly notBefore: number },
  { now, random }: { readonly now: number; readonly random: Random },
): number | null {
  const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempts - 1, 20))
  const next = Math.round(now + wait * (0.5 + random() / 2))
  return next - notBefore > GIVE_UP_MS ? null : next
}
