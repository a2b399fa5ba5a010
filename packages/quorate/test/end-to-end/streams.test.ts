import { writeFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { DecisionView } from '../../src/contract/index.ts'
import { type GatedProvider, startGatedProvider } from './gated-provider.ts'
import { LATE } from './quorate-folder.ts'
import { asked, type Served, serve } from './served.ts'
import { copyCalibrated, temporaryFolder } from './stage.ts'

const FLAGS = ['--certificate', 'certificate.json', '--allow-mismatch']
/** A certificate knows agents by their names. */
const AGENTS = ['ada', 'bob', 'cleo']
const CALLS_AT_ONCE = 12

/** A calibrated folder whose panel is the provider's. */
async function panelFolder({ baseURL }: GatedProvider): Promise<string> {
  const folder = await temporaryFolder()
  await copyCalibrated(folder)
  const agents = AGENTS.map((name) => ({ name, model: `openai-compatible/${name}`, baseURL }))
  const config = {
    panel: { rounds: 4, agents },
    budget: { beta: 0.1 },
    limits: { maxCostUsd: null, concurrency: CALLS_AT_ONCE },
  }
  await writeFile(join(folder, 'quorate.config.yaml'), JSON.stringify(config))
  return folder
}

function ask(served: Served, count: number): Promise<DecisionView[]> {
  const questions = LATE.slice(0, count).map(({ id, question, options }) => ({ id, question, options }))
  return Promise.all(questions.map((body) => asked<DecisionView>(served, '/v1/decisions', { body })))
}

interface Stream {
  readonly begun: Promise<void>
  readonly text: Promise<string>
}

function listenTo({ port }: Served, id: string): Stream {
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: `/v1/decisions/${id}/events`, agent: false }, resolve).on('error', reject)
  })
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const text = response.then(async (stream) => {
    let heard = ''
    for await (const chunk of stream.setEncoding('utf8')) {
      heard += chunk
      begin()
    }
    return heard
  })
  return { begun, text }
}

test('200 streams are open at once while 20 questions are debated, and each hears every round and the decision', async () => {
  const provider = await startGatedProvider()
  const served = await serve(await panelFolder(provider), ...FLAGS)
  onTestFinished(async () => {
    served.child.kill('SIGKILL')
    await provider.close()
  })
  // Few enough that answers all alike are no drift yet, which would hold the policy.
  const decisions = await ask(served, 20)
  const streams = decisions.flatMap(({ id }) => Array.from({ length: 10 }, () => listenTo(served, id)))
  await Promise.all(streams.map(({ begun }) => begun))
  provider.open()
  const texts = await Promise.all(streams.map(({ text }) => text))
  const heard = texts.map((text) => [...text.matchAll(/^event: (\w+)$/gm)].map(([, event]) => event))
  expect(heard).toHaveLength(200)
  for (const events of heard) expect(events.join(' ')).toMatch(/^(round ){1,4}decided$/)
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
  await expect.poll(() => first.log()).toContain('ending: what is begun and paid for is finished')
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
