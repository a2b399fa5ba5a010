import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { EXAMPLE, folderWith, SMALL } from '../../config/config-folder.ts'
import { runMain } from '../run-main.ts'

const PLANTED = 'planted-key-value-0123456789'
/** The tests must not see the API keys of the machine that runs them. */
const BARE = { ANTHROPIC_API_KEY: '', DEEPSEEK_API_KEY: '', QWEN_KEY: '', XDG_CONFIG_HOME: '/nowhere' }

describe('validate', () => {
  test('lists agents, hosts, keys by name, prices, calls and limits', async () => {
    const { status, stdout, stderr } = await validate(EXAMPLE, [], { ...BARE, ANTHROPIC_API_KEY: PLANTED })
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' })
    for (const result of [
      'quorate.config.yaml cannot run as it is',
      'Hosts    api.anthropic.com, api.deepseek.com, 127.0.0.1:8000',
      'ANTHROPIC_API_KEY set',
      'DEEPSEEK_API_KEY missing',
      'unknown',
      '12 per question',
      'beta 0.10000, which leaves alpha 0.09867 with delta 0.03000 and epsilon 0.00000',
      'profile cells. The panel acts where the bound reaches 0.901326',
      'at most 20 US dollars, 16 calls in flight',
      'debate and decide will stop: openai-compatible/qwen3-32b: QWEN_KEY would be sent to 127.0.0.1:8000',
      '--trust-config once',
      'has no known price, so the cap of 20 US dollars cannot cover it',
      'openai-compatible/qwen3-32b has no known price: the cap of 20 USD counts each call as 0.001 USD, so at most 20000 calls',
      '--allow-unpriced',
      'the epsilon of 0.02 is not needed by cells',
      '.quorate/quorate.db',
      'is at most beta = 0.1. It assumes',
    ]) {
      expect(unwrapped(stdout)).toContain(result)
    }
    expect(stdout).not.toContain(PLANTED)
  })

  test('prints the same as JSON', async () => {
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

  test('needs nothing for a simulated panel and states that nothing leaves this machine', async () => {
    const { status, stdout } = await validate(SMALL)
    expect(status).toBe(0)
    expect(stdout).toContain('nothing leaves this machine')
    expect(stdout).not.toContain('Note')
  })

  test('another beta brings its default parts, unless the config sets them, which is reported', async () => {
    const usual = await validate(EXAMPLE, ['--beta', '0.05'])
    expect(unwrapped(usual.stdout)).toContain('alpha 0.04956 with delta 0.01500 and epsilon 0.00000')
    const chosen = await validate(EXAMPLE.replace('delta: 0.03', 'delta: 0.04'), ['--beta', '0.2'])
    expect(unwrapped(chosen.stdout)).toContain('with delta 0.04000 and epsilon 0.00000')
    expect(unwrapped(chosen.stdout)).toContain('delta and epsilon stay as the config has them')
    const left = await validate(`${SMALL.replace(/beta: [\d.]+/, 'beta: 0.04')}certificate: { profile: cells }\n`)
    expect(unwrapped(left.stdout)).toContain('with delta 0.01200 and epsilon 0.00000')
  })

  test('without a profile prints both promises of total, and accepts any small beta', async () => {
    const { status, stdout } = await validate(SMALL, ['--beta', '0.1'])
    expect(status).toBe(0)
    const page = unwrapped(stdout)
    expect(page).toContain(
      'beta 0.100 (of all questions wrong, with confidence), floor 0.800 in every class, delta 0.050, attempt 1, profile total',
    )
    expect(page).toContain('With 97 % confidence')
    expect(page).toContain('acts on and is wrong about at most 10 % of new questions')
    expect(page).toContain('in every class that it acts on at least 80 % of the new debates it acts on there are right')
    const none = await validate(SMALL, ['--beta', '0.001', '--delta', '0.03', '--floor', 'none'])
    expect(none.status).toBe(0)
    expect(unwrapped(none.stdout)).toContain('No floor: a class of debates may be wrong far more often than the total.')
  })

  test('exits with 1 and the position of every problem', async () => {
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

  test('exits with 1 if a key would go over http to another machine', async () => {
    const { status, stdout } = await validate(EXAMPLE.replace('127.0.0.1:8000', 'models.example'), [], BARE)
    expect(status).toBe(1)
    expect(stdout).toContain('cannot run as it is')
    expect(unwrapped(stdout)).toContain('a key would be sent over http to models.example')
  })

  test('exits with 2 for a wrong flag and with 20 for a budget that cannot act', async () => {
    const { status, stderr } = await validate(SMALL, ['--beta', '2'])
    expect(status).toBe(2)
    expect(stderr).toContain('--beta must be a number above 0 and below 1')
    const paper = `${SMALL}certificate: { profile: paper }\n`
    const spent = await validate(paper, ['--beta', '0.03', '--delta', '0.03', '--epsilon', '0'])
    expect(spent.status).toBe(20)
    expect(unwrapped(spent.stdout)).toContain('nothing is left for alpha')
    const less = await validate(paper, ['--beta', '0.001', '--delta', '0.03', '--epsilon', '0'])
    expect(less.status).toBe(20)
    expect(unwrapped(less.stdout)).toContain('beta 0.001 leaves nothing for alpha beside delta 0.030 and epsilon 0.000')
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
