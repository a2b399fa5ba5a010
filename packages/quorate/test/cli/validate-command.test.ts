import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { EXAMPLE, folderWith, SMALL } from '../config/config-folder.ts'
import { runMain } from './run-main.ts'

const PLANTED = 'planted-key-value-0123456789'
/** Keys of the machine that runs the tests are none of their business. */
const BARE = { ANTHROPIC_API_KEY: '', DEEPSEEK_API_KEY: '', QWEN_KEY: '', XDG_CONFIG_HOME: '/nowhere' }

describe('validate', () => {
  test('lists agents, hosts, keys by name, prices, calls and limits', async () => {
    const { status, stdout, stderr } = await validate(EXAMPLE, [], { ...BARE, ANTHROPIC_API_KEY: PLANTED })
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' })
    for (const told of [
      'quorate.config.yaml cannot run as it is',
      'Hosts    api.anthropic.com, api.deepseek.com, 127.0.0.1:8000',
      'ANTHROPIC_API_KEY set',
      'DEEPSEEK_API_KEY missing',
      'unknown',
      '12 per question',
      'beta 0.100 = delta 0.030 + alpha 0.070 + epsilon 0.000',
      'at most 20 US dollars, 16 calls in flight',
      'debate and decide will stop: openai-compatible/qwen3-32b: would send QWEN_KEY to 127.0.0.1:8000',
      '--trust-config once',
      'have no known price, so the cap of 20 US dollars cannot count it',
      '--allow-unpriced',
      'the epsilon of 0.02 is not needed by cells',
      '.quorate/quorate.db',
      'is at most beta = 0.1. It assumes',
    ]) {
      expect(unwrapped(stdout)).toContain(told)
    }
    expect(stdout).not.toContain(PLANTED)
  })

  test('says the same to machines', async () => {
    const { status, stdout } = await validate(EXAMPLE, ['--json', '--trust-config', '--allow-unpriced'], {
      ...BARE,
      QUORATE_STORE: `postgres://me:${PLANTED}@db:5432/q`,
    })
    expect(status).toBe(0)
    expect(stdout).not.toContain(PLANTED)
    const found = JSON.parse(stdout)
    expect(found).toMatchObject({
      valid: true,
      store: { engine: 'postgres', host: 'db:5432' },
      problems: [],
      errors: [],
      stops: [],
    })
    expect(found.hosts).toEqual(['api.anthropic.com', 'api.deepseek.com', '127.0.0.1:8000', 'db:5432'])
    expect(found.agents[0]).toMatchObject({
      keys: [[{ variable: 'ANTHROPIC_API_KEY', isSet: false }]],
      priceUsdPerMillion: { input: 1, output: 5 },
    })
    expect(found.agents[2].priceUsdPerMillion).toBeNull()
  })

  test('needs nothing for a simulated panel and says that nothing leaves this machine', async () => {
    const { status, stdout } = await validate(SMALL)
    expect(status).toBe(0)
    expect(stdout).toContain('nothing leaves this machine')
    expect(stdout).not.toContain('Note')
  })

  test('another beta brings its usual parts, unless the config has chosen others, which it says', async () => {
    const usual = await validate(EXAMPLE, ['--beta', '0.05'])
    expect(unwrapped(usual.stdout)).toContain('beta 0.050 = delta 0.015 + alpha 0.035')
    const chosen = await validate(EXAMPLE.replace('delta: 0.03', 'delta: 0.04'), ['--beta', '0.2'])
    expect(unwrapped(chosen.stdout)).toContain('beta 0.200 = delta 0.040 + alpha 0.160')
    expect(unwrapped(chosen.stdout)).toContain('delta and epsilon stay as the config has them')
    const left = await validate(SMALL.replace(/beta: [\d.]+/, 'beta: 0.04'))
    expect(unwrapped(left.stdout)).toContain('beta 0.040 = delta 0.012 + alpha 0.028')
  })

  test('ends with 1 and the place of every problem', async () => {
    const wrong = EXAMPLE.replace('rounds', 'rouds').replace('beta: 0.10', 'beta: 2')
    const page = await validate(wrong)
    expect({ status: page.status, stdout: page.stdout }).toEqual({ status: 1, stdout: '' })
    expect(page.stderr).toContain('quorate.config.yaml:3:3: panel.rouds')
    expect(page.stderr).toContain('quorate.config.yaml:9:17: budget.beta')
    expect(page.stderr.trimEnd().split('\n')).toHaveLength(2)
    const { status, stdout } = await validate(wrong, ['--json'])
    expect(status).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      valid: false,
      problems: [
        { source: expect.stringContaining('quorate.config.yaml'), line: 3, column: 3, path: 'panel.rouds' },
        { line: 9, column: 17, path: 'budget.beta', received: '2' },
      ],
    })
  })

  test('ends with 1 where a key would go over http to another machine', async () => {
    const { status, stdout } = await validate(EXAMPLE.replace('127.0.0.1:8000', 'models.example'), [], BARE)
    expect(status).toBe(1)
    expect(stdout).toContain('cannot run as it is')
    expect(unwrapped(stdout)).toContain('would send a key over http to models.example')
  })

  test('ends with 2 for a wrong flag and with 20 for a budget that leaves nothing to act with', async () => {
    const { status, stderr } = await validate(SMALL, ['--beta', '2'])
    expect(status).toBe(2)
    expect(stderr).toContain('--beta must be a number above 0 and below 1')
    const spent = await validate(SMALL, ['--beta', '0.03', '--delta', '0.03'])
    expect(spent.status).toBe(20)
    expect(unwrapped(spent.stdout)).toContain('nothing is left for alpha')
    const less = await validate(SMALL, ['--beta', '0.001', '--delta', '0.03'])
    expect(less.status).toBe(20)
    expect(unwrapped(less.stdout)).toContain('beta 0.001 is less than delta 0.030 + epsilon 0.000')
    expect(less.stdout).not.toContain('-0.0')
  })
})

function validate(text: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const folder = folderWith({ 'quorate.config.yaml': text })
  return runMain(['validate', '--config', join(folder, 'quorate.config.yaml'), ...args], { env })
}

function unwrapped(page: string): string {
  return page.replace(/\n {9}/g, ' ')
}
