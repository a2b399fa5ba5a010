import { isIP } from 'node:net'
import type { Random } from '@quorate/certificate'
import type { Context } from 'hono'
import { isLoopback } from '../model/loopback.ts'
import { DAY_MS } from '../record/day.ts'
import { StoreError } from '../record/store-error.ts'
import type { PolicyEvent } from '../store/decisions/policy-events.ts'
import type { Store } from '../store/store.ts'
import type { Sleep } from '../traffic/traffic.ts'
import { storedCredentials } from './access/credentials.ts'
import type { Listening } from './access/own-address.ts'
import { createRateLimit } from './access/rate-limit.ts'
import { storedSessions } from './access/sessions.ts'
import type { AppEnvironment, AppParts } from './app-parts.ts'
import { type ConnectionCounts, clientNetwork } from './connections.ts'
import { createApp } from './create-app.ts'
import { listen } from './listen.ts'
import type { DeclaredLabels } from './openai/read-request.ts'
import { createRequestFigures } from './request-figures.ts'
import type { CertificateAtStart, CreateServices, ServiceTools } from './services.ts'
import type { WebFiles } from './web-files.ts'
import { keepDigest } from './webhooks/chat-notices.ts'
import { startWebhookSender } from './webhooks/sender.ts'
import { createMessagesOf, type Target, targetName } from './webhooks/targets.ts'

export interface ServerOptions extends Listening {
  /** Requires a token on loopback too. Elsewhere and behind a proxy it is always required. */
  readonly requiresToken: boolean
  /** The public origin of the proxy in front of the server; null: clients connect directly. */
  readonly publicOrigin: string | null
  readonly connectionsPerAddress: number
  readonly webhooks: readonly (Target & { readonly secret: string })[]
  readonly web: WebFiles | null
  /** Options for requests of OpenAI clients that list none. Absent: those of the panel's config. */
  readonly labels?: DeclaredLabels
  /** Interval between the heartbeats of a quiet stream; 15 s unless given. */
  readonly heartbeatMs?: number
  readonly version: string
  /** Texts older than this are erased; null: never. */
  readonly retainDays: number | null
  readonly log: AppParts['log']
  readonly stopwatch: AppParts['stopwatch']
  /** A random source without a seed, for the jitter of retries. */
  readonly random: Random
  /** 32 random bytes as text, for a cookie. */
  readonly newSecret: () => string
}

export interface RunningServer {
  /** The URL that people open: behind a proxy, the public one. */
  readonly url: string
  /** The URL on which the server listens. */
  readonly localUrl: string
  readonly listening: Listening
  readonly certificateAtStart: CertificateAtStart | null
  /** The suspension that was in force at the start, shadow mode included; null: there was none. */
  readonly suspendedAtStart: PolicyEvent | null
  /** To be called after `stopping` fired: answers received requests, stores what was paid for, and completes deliveries. */
  stop(): Promise<void>
}

/** Requests from one address: enough for a program at full speed. Further ones are refused with 429. */
const REQUESTS = { burst: 20_000, perMinute: 600_000 }
/** Wrong tokens from one address. Further ones are refused with 429. */
const GUESSES = { burst: 10, perMinute: 6 }
const HEARTBEAT_MS = 15_000

/** The caller owns the store and closes it after `stop`. */
export async function startServer(
  createServices: CreateServices,
  tools: Omit<ServiceTools, 'messagesOf' | 'wakeSender'>,
  options: ServerOptions,
): Promise<RunningServer> {
  const { store, now, sleep, newId, stopping, report } = tools
  const { webhooks, random, publicOrigin, connectionsPerAddress } = options
  const targets = new Map(webhooks.map((webhook) => [targetName(webhook.url), webhook]))
  const sender = startWebhookSender({ outbox: store.outbox, targets, now, sleep, random, report, publicOrigin })
  const messagesOf = createMessagesOf(webhooks, newId)
  const services = await createServices({
    ...tools,
    messagesOf,
    wakeSender: sender.wake,
    webhookHosts: hostsOf(webhooks),
  }).catch(async (error: unknown) => {
    await sender.stop()
    throw error
  })
  let listening: Listening = options
  const access = {
    site: () => ({ listening, publicOrigin }),
    credentials: storedCredentials(store, report),
    requiresToken: options.requiresToken || publicOrigin !== null || !isLoopback(options.host),
    requests: createRateLimit(REQUESTS),
    guesses: createRateLimit(GUESSES),
    now,
    addressOf: (context: Context<AppEnvironment>) => clientAddress(context, publicOrigin !== null),
  }
  let connections = (): ConnectionCounts => ({ open: 0, displaced: 0, refused: 0 })
  const app = createApp(services, access, { ...appParts(tools, options), connections: () => connections() })
  const finish = async () => {
    await services.stop()
    await sender.stop()
  }
  const isBehindProxy = publicOrigin !== null
  const address = { host: options.host, port: options.port, connectionsPerAddress, isBehindProxy }
  const listener = await listen({ fetch: app.fetch, ...address, sleep }).catch(async (error: unknown) => {
    await finish()
    throw error
  })
  listening = listener.listening
  connections = listener.connections
  const localUrl = `http://${urlHost(listening.host)}:${listening.port}/`
  const digests = webhooks.flatMap(({ url, chat }) =>
    chat === undefined
      ? []
      : keepDigest(
          { name: targetName(url), periodMs: chat.digestMs },
          { outbox: store.outbox, reviews: services.reviews, now, sleep, stopping, report, wakeSender: sender.wake },
        ),
  )
  const upkeep = keepUp(options.retainDays, { store, now, sleep, stopping, report })
  return {
    url: publicOrigin === null ? localUrl : `${publicOrigin}/`,
    localUrl,
    listening,
    certificateAtStart: services.certificateAtStart,
    suspendedAtStart: services.suspendedAtStart,
    async stop() {
      await listener.close()
      await Promise.all(digests)
      await finish()
      await upkeep
    },
  }
}

/** Without paths, which may contain secrets. */
function hostsOf(webhooks: ServerOptions['webhooks']): readonly string[] {
  return [...new Set(webhooks.map(({ url }) => new URL(url).host))]
}

function appParts(
  tools: Omit<ServiceTools, 'messagesOf' | 'wakeSender'>,
  options: ServerOptions,
): Omit<AppParts, 'connections'> {
  const { store, now, sleep, newId, stopping, report, undoMs } = tools
  const {
    web,
    version,
    log,
    stopwatch,
    newSecret,
    labels = declaredLabels(tools),
    heartbeatMs = HEARTBEAT_MS,
  } = options
  return {
    labels,
    sessions: storedSessions(store, newSecret),
    unready: createReadiness({ store, now, stopwatch }),
    outboxCounts: () => store.outbox.counts(),
    figures: createRequestFigures(),
    web,
    version,
    log,
    stopwatch,
    undoMs,
    report,
    newId,
    sleep,
    stopping,
    heartbeatMs,
  }
}

function declaredLabels({ panel }: Pick<ServiceTools, 'panel'>): DeclaredLabels {
  const answers = 'plan' in panel ? panel.plan.panel.answers : undefined
  return answers?.kind === 'labels' ? answers.labels : null
}

/**
 * The address whose limits a request counts against. It is that of the connection, because any client can send a header with
 * another address. Only behind a proxy on this machine is it the last one in X-Forwarded-For, which the proxy itself added.
 */
function clientAddress(context: Context<AppEnvironment>, isBehindProxy: boolean): string {
  const peer = clientNetwork(context.env.incoming?.socket?.remoteAddress ?? '')
  if (!isBehindProxy || !isLoopback(peer)) return peer
  const last = context.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() ?? ''
  return isIP(last) === 0 ? peer : clientNetwork(last)
}

function urlHost(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}

export interface UpkeepTools {
  readonly store: Pick<Store, 'prune'>
  readonly now: () => number
  readonly sleep: Sleep
  readonly stopping: AbortSignal
  readonly report: (words: string, cause?: unknown) => void
}

/** Once a day, deletes expired sessions and, with `retainDays`, older texts and messages. */
export async function keepUp(retainDays: number | null, tools: UpkeepTools): Promise<void> {
  const { store, now, sleep, stopping, report } = tools
  while (!stopping.aborted) {
    const before = retainDays === null ? 0 : now() - retainDays * DAY_MS
    try {
      const { erased, messages, sessions } = await store.prune({ before, now: now() })
      if (erased + messages + sessions > 0) {
        report(`upkeep: erased ${erased} rows of text, ${messages} messages, ${sessions} sessions`)
      }
    } catch (cause) {
      report('upkeep failed and will be tried again tomorrow', cause)
    }
    await sleep(DAY_MS, stopping)
  }
}

interface ReadinessTools {
  readonly store: Pick<Store, 'outbox' | 'isInPlace' | 'freeBytes' | 'checkWritable'>
  readonly now: () => number
  /** Monotonic, in milliseconds. */
  readonly stopwatch: () => number
}

/** /readyz needs no token, so the test write is limited to one in this interval. */
const WRITE_EVERY_MS = 1000
/**
 * The largest accepted body has 1 MB and is stored. A test write alone does not show a full disk, because SQLite's log may
 * still have room for a row.
 */
const LEAST_FREE_BYTES = 2_000_000

/** Why the server is not ready; null: the store answers, its file is still the one that was opened, and it can be written. */
function createReadiness({ store, now, stopwatch }: ReadinessTools): () => Promise<string | null> {
  let last: { readonly at: number; readonly problem: Promise<string | null> } | null = null

  function writeProblem(): Promise<string | null> {
    const at = stopwatch()
    if (last !== null && at - last.at < WRITE_EVERY_MS) return last.problem
    const problem = store.checkWritable(now()).then(() => null, problemOf)
    last = { at, problem }
    return problem
  }

  return async () => {
    try {
      // Any small read shows whether the store answers.
      await store.outbox.nextAt()
      if (!store.isInPlace()) return MOVED
      if ((store.freeBytes() ?? LEAST_FREE_BYTES) < LEAST_FREE_BYTES) return FULL
      return await writeProblem()
    } catch (error) {
      return problemOf(error)
    }
  }
}

const MOVED =
  'the file of the store was removed or replaced while it was open. Data that is written now is lost when the server stops. Restart it'
const FULL = 'the disk of the store is full: free some space'

function problemOf(error: unknown): string {
  const kind = error instanceof StoreError ? error.kind : null
  if (kind === 'disk-full') return FULL
  return kind === 'read-only' ? 'the store cannot be written' : 'the store does not answer'
}
