import { isIP } from 'node:net'
import type { Random } from '@quorate/certificate'
import type { Context } from 'hono'
import { storedCredentials } from './access/credentials.ts'
import { isLoopback, type Listening } from './access/own-address.ts'
import { createRateLimit } from './access/rate-limit.ts'
import { storedSessions } from './access/sessions.ts'
import type { AppEnvironment, AppParts } from './app-parts.ts'
import { type ConnectionCounts, clientNetwork } from './connections.ts'
import { createApp } from './create-app.ts'
import { listen } from './listen.ts'
import { createReadiness } from './readiness.ts'
import { createRequestFigures } from './request-figures.ts'
import type { CreateServices, ServiceTools } from './services.ts'
import { keepUp } from './upkeep.ts'
import type { WebFiles } from './web-files.ts'
import { createAnnounce, type Target, targetName } from './webhooks/announce.ts'
import { startWebhookSender } from './webhooks/sender.ts'

export interface ServerOptions extends Listening {
  /** Also on loopback; off loopback and behind a proxy it always is. */
  readonly requiresToken: boolean
  /** Of the proxy in front of the server; null: clients connect to it directly. */
  readonly publicOrigin: string | null
  readonly connectionsPerAddress: number
  readonly webhooks: readonly (Target & { readonly secret: string })[]
  readonly web: WebFiles | null
  readonly version: string
  /** Texts older than that are erased; null: kept. */
  readonly retainDays: number | null
  readonly log: AppParts['log']
  readonly stopwatch: AppParts['stopwatch']
  /** Not from a seed. */
  readonly random: Random
  /** 32 random bytes as text, for a cookie. */
  readonly newSecret: () => string
}

export interface RunningServer {
  /** The one that people open: the public one behind a proxy. */
  readonly url: string
  /** Where it listens. */
  readonly localUrl: string
  readonly listening: Listening
  /** After `stopping` fired: answers what came, finishes what is paid for and sends what is on its way. */
  stop(): Promise<void>
}

/** Enough for a program at full speed; whoever sends more is slowed down. */
const REQUESTS = { burst: 20_000, perMinute: 600_000 }
const GUESSES = { burst: 10, perMinute: 6 }
const HEARTBEAT_MS = 15_000

/** The store stays the caller's: it is closed after `stop`. */
export async function startServer(
  createServices: CreateServices,
  tools: Omit<ServiceTools, 'announce' | 'wakeSender'>,
  options: ServerOptions,
): Promise<RunningServer> {
  const { store, now, sleep, newId, stopping, report } = tools
  const { webhooks, random, publicOrigin, connectionsPerAddress } = options
  const targets = new Map(webhooks.map(({ url, secret }) => [targetName(url), { url, secret }]))
  const sender = startWebhookSender({ outbox: store.outbox, targets, now, sleep, random, report, publicOrigin })
  const announce = createAnnounce(webhooks, newId)
  const services = await createServices({ ...tools, announce, wakeSender: sender.wake }).catch(
    async (error: unknown) => {
      await sender.stop()
      throw error
    },
  )
  let listening: Listening = options
  const gate = {
    site: () => ({ listening, publicOrigin }),
    credentials: storedCredentials(store, report),
    requiresToken: options.requiresToken || publicOrigin !== null || !isLoopback(options.host),
    requests: createRateLimit(REQUESTS),
    guesses: createRateLimit(GUESSES),
    now,
    addressOf: (context: Context<AppEnvironment>) => clientAddress(context, publicOrigin !== null),
  }
  let connections = (): ConnectionCounts => ({ open: 0, displaced: 0, refused: 0 })
  const app = createApp(services, gate, { ...appParts(tools, options), connections: () => connections() })
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
  const upkeep = keepUp(options.retainDays, { store, now, sleep, stopping, report })
  return {
    url: publicOrigin === null ? localUrl : `${publicOrigin}/`,
    localUrl,
    listening,
    async stop() {
      await listener.close()
      await finish()
      await upkeep
    },
  }
}

function appParts(
  tools: Omit<ServiceTools, 'announce' | 'wakeSender'>,
  options: ServerOptions,
): Omit<AppParts, 'connections'> {
  const { store, now, sleep, newId, stopping, report, undoMs } = tools
  const { web, version, log, stopwatch, newSecret } = options
  return {
    sessions: storedSessions(store, newSecret),
    unready: createReadiness({ store, now, stopwatch }),
    outboxCounts: () => store.outbox.counts(),
    figures: createRequestFigures(),
    ...{ web, version, log, stopwatch, undoMs, report, newId, sleep, stopping },
    heartbeatMs: HEARTBEAT_MS,
  }
}

/**
 * Whose limits a request counts for. It is the address of the connection: a header that names another could be anybody's.
 * Only behind a proxy at this machine it is the last one of X-Forwarded-For, the one that the proxy itself has put there.
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
