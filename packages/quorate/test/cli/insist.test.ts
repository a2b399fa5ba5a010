import { describe, expect, test } from 'vitest'
import { startFakeProvider } from '../fake-provider/fake-provider.ts'
import { commandFolder } from './command-folder.ts'

const KEYS = { OPENAI_API_KEY: 'sk-fake-0000000000', ANTHROPIC_API_KEY: 'sk-fake-0000000000' }
const OPTIONS = ['A', 'B', 'C', 'D'].map((name) => ({ name, text: `the ${name}` }))
const QUESTIONS = ['q1', 'q2'].map((id) => ({
  id,
  question: `Which is ${id}?`,
  options: OPTIONS,
  gold: 'A',
  group: null,
}))

async function folderFor(agent: object) {
  const fake = await startFakeProvider()
  const panel = { rounds: 1, agents: [{ name: 'ann', baseURL: `${fake.url}/v1`, ...agent }] }
  const prices = { 'openai/gpt-5.1': { inputUsdPerMillion: 10, outputUsdPerMillion: 10 } }
  const folder = commandFolder({ panel, prices, budget: { beta: 0.3 } })
  folder.ask('questions.jsonl', QUESTIONS)
  const debate = () => folder.run(['debate', 'questions.jsonl', '--trust-config', '--json'], KEYS)
  return { ...folder, fake, debate }
}

describe('a config that insists on a setting', () => {
  test('that its provider is known to drop is refused before any call, and by validate', async () => {
    const { run, fake, debate } = await folderFor({ model: 'anthropic/claude-haiku-4-5', insist: ['seed'] })
    const refused = await debate()
    expect(refused.status).toBe(1)
    expect(refused.stderr).toContain('anthropic/claude-haiku-4-5: drops seed, and the config insists on it')
    expect(fake.counts().requests).toBe(0)
    const outcome = await run(['validate'], KEYS)
    expect(outcome).toMatchObject({ status: 1, stdout: expect.stringContaining('cannot run as it is') })
    await fake.close()
  })

  test('that turns out to be dropped ends as a failure of the agent with the reason, and keeps paid answers', async () => {
    const { fake, debate } = await folderFor({ model: 'openai/gpt-5.1', insist: true })
    const failed = await debate()
    expect(failed.status, failed.stderr).toBe(1)
    const result = failed.json()
    expect(result).toMatchObject({ statuses: { 'agent-failure': 2 }, spend: { calls: { answered: 2 } } })
    expect(JSON.stringify(result['notices'])).toMatch(
      /agent ann failed: openai\/gpt-5\.1: the config insists.*temperature/,
    )
    const { inputTokens, outputTokens } = fake.counts().answered
    expect(result).toMatchObject({ spend: { committedMicroUsd: 10 * (inputTokens + outputTokens) } })
    await fake.close()
  })
})

test('a dropped setting is reported once for all calls', async () => {
  const { fake, debate } = await folderFor({ model: 'anthropic/claude-haiku-4-5' })
  const { status, stderr, json } = await debate()
  expect(status, stderr).toBe(0)
  const text = 'anthropic/claude-haiku-4-5: seed: not supported by this model, dropped'
  expect(json()).toMatchObject({ statuses: { done: 2 }, notices: [{ text, count: 2 }] })
  await fake.close()
})
