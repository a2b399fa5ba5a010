import { execFileSync } from 'node:child_process'
import { cp, writeFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { seededRandom } from '@quorate/certificate'
import { expect, onTestFinished, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { type DecisionView, decisionViewSchema, roundEventSchema } from '../../src/contract/index.ts'
import { CHAOS_AGENTS, debateLines } from '../chaos/chaos-panel.ts'
import { type GatedProvider, startGatedProvider } from './gated-provider.ts'
import { createToken, quorate } from './quorate-folder.ts'
import { asked, type Served, serve } from './served.ts'
import { temporaryFolder } from './stage.ts'

const FLAGS = ['--certificate', 'certificate.json']
/** A certificate knows agents by their names. */
const AGENTS = CHAOS_AGENTS.map(({ name }) => name)
const CALLS_AT_ONCE = 12
/** Each debate has two streams. Most debates wait, because they need more calls than the server makes at once. */
const DEBATES = sized({ short: 36, full: 100 })
const STREAMS = 2 * DEBATES

/** A folder that is calibrated on debates like those of the provider's panel, so that the monitor finds no drift. */
async function panelFolder({ baseURL }: GatedProvider): Promise<string> {
  const folder = await temporaryFolder()
  await writeConfig(folder, baseURL)
  await cp(await certificate(), join(folder, 'certificate.json'))
  return folder
}

let made: Promise<string> | undefined

/** Of the panel wherever it is: made once. */
function certificate(): Promise<string> {
  made ??= (async () => {
    const folder = await temporaryFolder()
    await writeConfig(folder, 'http://127.0.0.1:9/v1')
    await writeFile(join(folder, 'debates.jsonl'), debateLines(600, seededRandom(3)))
    await quorate(folder, 'calibrate', 'debates.jsonl', '--out', 'certificate.json')
    return join(folder, 'certificate.json')
  })()
  return made
}

async function writeConfig(folder: string, baseURL: string): Promise<void> {
  const agents = AGENTS.map((name) => ({ name, model: `openai-compatible/${name}`, baseURL }))
  const config = {
    panel: { rounds: 4, agents },
    budget: { beta: 0.1 },
    limits: { maxCostUsd: null, concurrency: CALLS_AT_ONCE },
    // A spot check is blind, so its rounds are not told to people.
    review: { spotCheckRate: 0 },
  }
  await writeFile(join(folder, 'quorate.config.json'), JSON.stringify(config))
}

function ask(served: Served, count: number, token?: string): Promise<DecisionView[]> {
  return Promise.all(
    Array.from({ length: count }, (_, number) => {
      const body = { question: `Which letter has number ${number}?`, options: ['A', 'B', 'C', 'D'] }
      return asked<DecisionView>(served, '/v1/decisions', { body, ...(token === undefined ? {} : { token }) })
    }),
  )
}

interface Stream {
  readonly begun: Promise<void>
  readonly text: Promise<string>
}

function listenTo(served: Served, id: string): Stream {
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const text = opened(served, id).then(async (stream) => {
    let logged = ''
    for await (const chunk of stream.setEncoding('utf8')) {
      logged += chunk
      begin()
    }
    return logged
  })
  return { begun, text }
}

function opened({ port }: Served, id: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: `/v1/decisions/${id}/events`, agent: false }, resolve).on('error', reject)
  })
}

function eventsOf(text: string) {
  return [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, event, data = '']) => {
    return { event, data: JSON.parse(data) }
  })
}

/** Rounds one after the other from the first, then the decision, of this question and with the verdict of the last. */
function expectWhole(text: string, { id, questionId }: DecisionView): void {
  const events = eventsOf(text)
  const rounds = events.slice(0, -1).map(({ event, data }) => {
    expect(event).toBe('round')
    return roundEventSchema.parse(data)
  })
  expect(events.at(-1)?.event).toBe('decided')
  const decided = decisionViewSchema.parse(events.at(-1)?.data)
  expect(decided).toMatchObject({ id, questionId, status: 'decided', rounds: rounds.length })
  expect(rounds.map(({ round }) => round)).toEqual(rounds.map((_, index) => index + 1))
  expect(rounds.at(-1)?.verdict).toEqual(decided.decision)
  const path = decided.decision?.path ?? []
  expect(rounds.map(({ verdict }) => verdict.path)).toEqual(rounds.map((_, index) => path.slice(0, index + 1)))
}

/** In millions of bytes. */
function memoryOf({ child }: Served): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })) / 1000
}

test(`${STREAMS} streams at once over ${DEBATES} debates: each receives all its rounds in order and the decision, again if it asks again`, async () => {
  const provider = await startGatedProvider()
  const served = await serve(await panelFolder(provider), ...FLAGS)
  onTestFinished(async () => {
    served.child.kill('SIGKILL')
    await provider.close()
  })
  const decisions = await ask(served, DEBATES)
  const before = memoryOf(served)
  const streams = decisions.flatMap((decision) => [1, 2].map(() => ({ decision, ...listenTo(served, decision.id) })))
  await Promise.all(streams.map(({ begun }) => begun))
  expect(streams).toHaveLength(STREAMS)
  expect(memoryOf(served) - before).toBeLessThan(100)
  provider.open()
  const texts = await Promise.all(streams.map(({ text }) => text))
  for (const [index, { decision }] of streams.entries()) expectWhole(texts[index] ?? '', decision)
  expect(new Set(texts).size).toBe(DEBATES)
  for (const index of [0, DEBATES, STREAMS - 2]) {
    const again = await listenTo(served, streams[index]?.decision.id ?? '').text
    expect(eventsOf(again)).toEqual(eventsOf(texts[index] ?? ''))
  }
  expect(await served.stop()).toBe(0)
})

test(`off loopback ${STREAMS} streams without a token are refused, and nothing of a debate is sent`, async () => {
  const provider = await startGatedProvider()
  provider.open()
  onTestFinished(() => provider.close())
  const folder = await panelFolder(provider)
  const token = await createToken(folder, 'ann', 'reviewer')
  const served = await serve(folder, '--host', '0.0.0.0', ...FLAGS)
  onTestFinished(() => void served.child.kill('SIGKILL'))
  const [decision] = await ask(served, 1, token)
  const refused = await Promise.all(
    Array.from({ length: STREAMS }, async () => {
      const stream = await opened(served, decision?.id ?? '')
      const output = (await stream.setEncoding('utf8').toArray()).join('')
      return { status: stream.statusCode, type: stream.headers['content-type'], isStream: output.includes('event:') }
    }),
  )
  const all = new Set(refused.map((one) => JSON.stringify(one)))
  expect([...all]).toEqual([JSON.stringify({ status: 401, type: 'application/problem+json', isStream: false })])
  expect(await served.stop()).toBe(0)
})

test('SIGTERM waits for the answers that are paid for; the next start goes on from them and asks nothing twice', async () => {
  const provider = await startGatedProvider()
  onTestFinished(() => provider.close())
  const folder = await panelFolder(provider)
  const first = await serve(folder, ...FLAGS)
  onTestFinished(() => void first.child.kill('SIGKILL'))
  const decisions = await ask(first, 8)
  const stream = listenTo(first, decisions[0]?.id ?? '')
  await stream.begun
  await provider.reached(CALLS_AT_ONCE)
  const ended = first.stop()
  await expect.poll(() => first.log()).toContain('shutting down after the calls that are already paid for')
  expect(first.child.exitCode).toBeNull()
  provider.open()
  expect(await ended).toBe(0)
  await stream.text.catch(() => undefined)

  const second = await serve(folder, ...FLAGS)
  onTestFinished(() => void second.child.kill('SIGKILL'))
  for (const { id } of decisions) {
    expect((await asked<DecisionView>(second, `/v1/decisions/${id}?wait=60`)).status).toBe('decided')
  }
  expect(await second.stop()).toBe(0)
  expect(new Set(provider.requests).size).toBe(provider.requests.length)
})
