import { describe, expect, test } from 'vitest'
import { describeConfig } from '../../src/config/describe-config.ts'
import { insistProblem } from '../../src/config/insist.ts'
import { load, SMALL } from './config-folder.ts'

const HAIKU = 'anthropic/claude-haiku-4-5'
const GPT = 'openai/gpt-4.1-mini'

async function described(agent: string, beliefs = 'stated') {
  const text = SMALL.replace('simulated/ada', agent).replace('panel:', `panel:\n  beliefs: ${beliefs}`)
  return describeConfig(await load(text), { trusted: [], trustConfig: false, allowUnpriced: false })
}

describe('a config that insists on a setting that its provider is known to drop', () => {
  test.each([
    [`${HAIKU}, insist: true`, 'stated', /drops seed, and the config insists/],
    [`${HAIKU}, insist: [seed, temperature]`, 'stated', /drops seed, and/],
    ['deepseek/deepseek-reasoner, insist: [temperature]', 'stated', /drops temperature.*set temperature: null/],
    ['bedrock/anthropic.claude-haiku-4-5-20251001-v1:0, insist: [logprobs]', 'logprobs', /drops logprobs/],
  ])('cannot run: %s under %s', async (agent, beliefs, message) => {
    const { config } = await load(
      SMALL.replace('simulated/ada', agent).replace('panel:', `panel:\n  beliefs: ${beliefs}`),
    )
    const [first] = config.panel.agents
    if (first === undefined) throw new Error('no agent')
    expect(insistProblem(first, config.panel)).toMatch(message)
  })

  test('is reported by validate', async () => {
    const { errors, agents } = await described(`${HAIKU}, insist: [seed]`)
    expect(errors).toEqual([expect.stringContaining(`${HAIKU}: drops seed, and the config insists on it`)])
    expect(agents[0]?.drops).toEqual(['seed'])
  })

  test.each([
    [`${HAIKU}, insist: [temperature]`, 'stated'],
    [`${HAIKU}, insist: [logprobs]`, 'stated'],
    ['deepseek/deepseek-reasoner, insist: [temperature], temperature: null', 'stated'],
    [`${GPT}, insist: true`, 'logprobs'],
    ['simulated/ada, insist: true', 'logprobs'],
  ])('may run where it insists on something else, or the setting is not sent: %s under %s', async (agent, beliefs) => {
    expect((await described(agent, beliefs)).errors).toEqual([])
  })
})

test('without insisting a setting that will be dropped is a note', async () => {
  expect((await described(HAIKU)).notes).toContain(`${HAIKU}: drops seed (insist makes that an error)`)
  const { notes } = await described(HAIKU, 'logprobs')
  expect(notes).toContain(`${HAIKU}: drops seed and logprobs (insist makes that an error)`)
  expect((await described(GPT)).notes.join()).not.toContain('drops')
})
