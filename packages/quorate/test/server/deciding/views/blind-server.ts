import { randomBytes } from 'node:crypto'
import { seededRandom } from '@quorate/certificate'
import { onTestFinished } from 'vitest'
import { type Role, SESSION_KEY_HEADER, signedInSchema } from '../../../../src/contract/session.ts'
import { hashOf } from '../../../../src/server/access/identify.ts'
import { createServices } from '../../../../src/server/deciding/create-services.ts'
import type { Services } from '../../../../src/server/services.ts'
import { startServer } from '../../../../src/server/start-server.ts'
import type { Store } from '../../../../src/store/store.ts'
import { timeOrderedIds } from '../../../../src/store/time-ordered-id.ts'
import { createTraffic } from '../../../../src/traffic/create-traffic.ts'
import { timerSleep } from '../../../../src/traffic/timer-sleep.ts'
import { countedModels, memoryStore, samplePlan } from '../../../run/run-world.ts'
import { SAMPLE_KEY } from '../../../store/samples.ts'
import { ask } from '../../ask.ts'
import { calibrated } from '../world.ts'

export const UNDO_MS = 3_600_000

export type Served = Awaited<ReturnType<typeof serveBlind>>

/** The real server over real services; every question is sampled, or none is. */
export async function serveBlind(spotCheckRate: number, store: Store = memoryStore()) {
  const { certified, debates } = await calibrated()
  const clock = { now: 1_790_000_000_000 }
  const now = () => ++clock.now
  const stopping = new AbortController()
  let salts = 0
  const newId = timeOrderedIds({ now, random: seededRandom(7) })
  const plan = samplePlan({ kind: 'decide', spotCheckRate })
  const traffic = createTraffic({
    limits: plan.limits.traffic,
    now: () => performance.now(),
    random: seededRandom(1),
    sleep: timerSleep,
  })
  let services: Services | undefined
  const server = await startServer(
    async (tools) => {
      services = await createServices(tools)
      return services
    },
    {
      store,
      now,
      newId,
      newSalt: () => `salt ${++salts}`,
      newKey: () => SAMPLE_KEY,
      sleep: timerSleep,
      stopping: stopping.signal,
      aborting: new AbortController().signal,
      certified,
      allowSeen: false,
      allowMismatch: false,
      operator: 'ops',
      panel: { plan, models: countedModels().models, traffic },
      settings: {
        budget: { beta: 0.2, delta: 0.03, epsilon: 0.02 },
        profile: 'cells',
        spotCheckRate,
        maxClaims: 1000,
        seed: 1,
      },
      claimMs: 600_000,
      undoMs: UNDO_MS,
      report: () => undefined,
    },
    {
      host: '127.0.0.1',
      port: 0,
      requiresToken: true,
      publicOrigin: null,
      connectionsPerAddress: 512,
      webhooks: [],
      web: null,
      version: '1',
      retainDays: null,
      log: () => undefined,
      stopwatch: () => 0,
      random: () => 0.5,
      newSecret: () => randomBytes(32).toString('base64url'),
    },
  )
  if (services === undefined) throw new Error('no services')
  const token = async (role: Role, kind: 'human' | 'machine', name = `${kind} ${role}`) => {
    const secret = `qt_${randomBytes(32).toString('base64url')}`
    await store.tokens.create({
      id: newId(),
      name,
      role,
      kind,
      hash: hashOf(secret),
      createdAt: now(),
      expiresAt: null,
    })
    return secret
  }
  onTestFinished(async () => {
    stopping.abort()
    await server.stop()
  })
  const { certificate, id: certificateId } = certified
  return { port: server.listening.port, store, clock, services, token, certificate, certificateId, debates }
}

/** The headers of a person who signed in. */
export async function signIn(served: Served, role: Role) {
  const token = await served.token(role, 'human')
  const answer = await ask(served.port, '/v1/session', { method: 'POST', body: JSON.stringify({ token }) })
  const { sessionKey } = signedInSchema.parse(answer.json())
  return { cookie: String(answer.headers['set-cookie']).split(';')[0] ?? '', [SESSION_KEY_HEADER]: sessionKey }
}
