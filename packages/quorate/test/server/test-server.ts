import { randomBytes } from 'node:crypto'
import { hashOf } from '../../src/server/access/identify.ts'
import type { RequestLine } from '../../src/server/app-parts.ts'
import type { Services, ServiceTools } from '../../src/server/services.ts'
import { type ServerOptions, startServer } from '../../src/server/start-server.ts'
import type { StoredToken } from '../../src/store/access.ts'
import { openStoreAt } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { timerSleep } from '../../src/traffic/timer-sleep.ts'
import { SAMPLE_KEY } from '../store/samples.ts'
import { fakeServices } from './fake-services.ts'

export interface TestServer {
  readonly port: number
  readonly store: Store
  readonly clock: { now: number }
  readonly lines: RequestLine[]
  /** What is written only to the log. */
  readonly reports: string[]
  readonly tools: () => ServiceTools
  token(of: Partial<Pick<StoredToken, 'name' | 'role' | 'kind' | 'expiresAt'>>): Promise<string>
  stop(): Promise<void>
}

export interface TestOptions extends Partial<ServerOptions> {
  readonly services?: Partial<Services>
  readonly store?: Store
  readonly panel?: ServiceTools['panel']
}

/** The real server on a free port of loopback, with a store in memory and services that a test chooses. */
export async function startTestServer({
  services,
  store: given,
  panel,
  ...options
}: TestOptions = {}): Promise<TestServer> {
  const clock = { now: 1_700_000_000_000 }
  const now = () => clock.now
  const store = given ?? (await openStoreAt('sqlite::memory:', { baseFolder: '.', now }))
  const stopping = new AbortController()
  const lines: RequestLine[] = []
  const reports: string[] = []
  let count = 0
  const newId = () => `id-${String(++count).padStart(6, '0')}`
  let seen: ServiceTools | undefined
  const budget = { beta: 0.1, delta: 0.03, epsilon: 0.02 }
  const server = await startServer(
    async (tools) => {
      seen = tools
      return fakeServices(services)
    },
    {
      store,
      now,
      newId,
      newSalt: () => 'salt',
      newKey: () => SAMPLE_KEY,
      sleep: timerSleep,
      stopping: stopping.signal,
      aborting: new AbortController().signal,
      certified: null,
      allowSeen: false,
      allowMismatch: false,
      operator: 'ops',
      settings: { budget, profile: 'cells', spotCheckRate: 0.05, maxClaims: 1000, seed: 1 },
      panel: panel ?? { missing: 'a test has none' },
      claimMs: 60_000,
      undoMs: 10_000,
      report: (words, cause) => reports.push(`${words}${cause === undefined ? '' : `: ${String(cause)}`}`),
    },
    {
      host: '127.0.0.1',
      port: 0,
      requiresToken: false,
      publicOrigin: null,
      connectionsPerAddress: 512,
      webhooks: [],
      web: null,
      version: '1.2.3',
      retainDays: null,
      stopwatch: () => performance.now(),
      random: () => 0.5,
      log: (line) => lines.push(line),
      newSecret: () => randomBytes(32).toString('base64url'),
      ...options,
    },
  )
  return {
    port: server.listening.port,
    store,
    clock,
    lines,
    reports,
    tools() {
      if (seen === undefined) throw new Error('the server has not started')
      return seen
    },
    async token({ name = newId(), role = 'viewer', kind = 'human', expiresAt = null }) {
      const token = `qt_${randomBytes(32).toString('base64url')}`
      await store.tokens.create({ id: newId(), name, role, kind, hash: hashOf(token), createdAt: now(), expiresAt })
      return token
    },
    async stop() {
      stopping.abort()
      await server.stop()
      if (given === undefined) await store.close()
    },
  }
}
