import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seededRandom } from '@quorate/certificate'
import { expect, onTestFinished } from 'vitest'
import type { CertifyInput } from '../../../src/contract/decisions.ts'
import { hashOf } from '../../../src/server/access/identify.ts'
import { CHAOS_KEYS, chaosFolder, debateLines, startChaos } from '../../chaos/chaos-panel.ts'
import type { ChaosEngine } from '../../chaos/engines.ts'
import { runHere } from '../../chaos/killed-command.ts'
import type { FakeProvider } from '../../fake-provider/fake-provider.ts'
import { sampleId } from '../../store/samples.ts'
import { type Receiver, startReceiver } from '../webhooks/receiver.ts'
import { createLives, type Lives } from './lives.ts'
import type { Moments } from './moments.ts'

export const SECRET = 'signed with this secret'
const FAILS_EVERY = 5

export interface FaultWorld {
  readonly folder: string
  readonly provider: FakeProvider
  readonly receiver: Receiver
  /** From now on the receiver does not fail any more. */
  readonly calm: () => void
  readonly lives: Lives
  /** The tokens of a program and of people, by name. */
  readonly tokens: Readonly<Record<Name, string>>
}

export const REVIEWERS = ['mira', 'noor', 'otto', 'pia'] as const
type Name = 'program' | (typeof REVIEWERS)[number]

/** A calibrated panel behind a provider, a receiver that sometimes fails, and a server that is not started yet. */
export async function faultWorld(
  engine: ChaosEngine,
  moments: Moments,
  flags: readonly string[] = [],
): Promise<FaultWorld> {
  const provider = await startChaos({ faultRate: 0, latencyMs: 5 })
  onTestFinished(() => provider.close())
  let isCalm = false
  const receiver = await startReceiver((number) => {
    moments.note('delivered')
    return { status: !isCalm && number % FAILS_EVERY === 0 ? 500 : 204 }
  })
  onTestFinished(() => receiver.close())
  const folder = chaosFolder(provider.url, { questions: 1, concurrency: 12 })
  const path = join(folder, 'quorate.config.json')
  const config = JSON.parse(readFileSync(path, 'utf8'))
  config.limits.timeoutMs = 10_000
  config.budget.beta = 0.1
  const served = { review: { spotCheckRate: 0.3 }, webhooks: [{ url: receiver.url, secretEnv: 'HOOK_SECRET' }] }
  writeFileSync(path, JSON.stringify({ ...config, ...served }))
  const env = { ...CHAOS_KEYS, ...engine.env(), HOOK_SECRET: SECRET }
  writeFileSync(join(folder, 'debates.jsonl'), debateLines(600, seededRandom(3)))
  const args = ['calibrate', 'debates.jsonl', '--out', 'certificate.json']
  const { code, output } = await runHere({ folder, args, env })
  expect(code, output).toBe(0)
  const tokens = await createTokens(engine, folder)
  const calm = () => {
    isCalm = true
  }
  return { folder, provider, receiver, calm, tokens, lives: createLives(folder, env, flags) }
}

async function createTokens(engine: ChaosEngine, folder: string): Promise<FaultWorld['tokens']> {
  const store = await engine.open(folder)
  const tokenOf = async (name: Name, number: number) => {
    const token = `qt_${name}`.padEnd(46, '0')
    const kind = name === 'program' ? 'machine' : 'human'
    const about = { role: 'reviewer', kind, createdAt: 0, expiresAt: null } as const
    await store.tokens.create({ id: sampleId(9000 + number), name, hash: hashOf(token), ...about })
    return token
  }
  const [program, mira, noor, otto, pia] = [
    await tokenOf('program', 0),
    await tokenOf('mira', 1),
    await tokenOf('noor', 2),
    await tokenOf('otto', 3),
    await tokenOf('pia', 4),
  ]
  await store.close()
  return { program, mira, noor, otto, pia }
}

/** Debates of another panel, like those that the panel was calibrated on. */
export function* postedDebates(): Generator<CertifyInput> {
  for (const line of debateLines(3000, seededRandom(9)).trimEnd().split('\n')) {
    const { id, options, rounds } = JSON.parse(line)
    const number = Number(/\d+/.exec(id)?.[0])
    yield { id: `posted ${number}`, question: `Which letter has number ${number}?`, options, rounds }
  }
}
