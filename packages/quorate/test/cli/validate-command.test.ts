import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { EXAMPLE, folderWith, SMALL } from '../config/config-folder.ts'
import { runCli } from './run-cli.ts'

const PLANTED = 'planted-key-value-0123456789'
/** Keys of the machine that runs the tests are none of their business. */
const BARE = { ANTHROPIC_API_KEY: '', DEEPSEEK_API_KEY: '', QWEN_KEY: '', XDG_CONFIG_HOME: '/nowhere' }

describe('validate', () => {
  test('lists agents, hosts, keys by name, prices, calls and limits', () => {
    const { status, stdout, stderr } = validate(EXAMPLE, [], { ...BARE, ANTHROPIC_API_KEY: PLANTED })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    for (const told of [
      'quorate.config.yaml is valid',
      'Hosts    api.anthropic.com, api.deepseek.com, 127.0.0.1:8000',
      'ANTHROPIC_API_KEY set',
      'DEEPSEEK_API_KEY missing',
      'unknown',
      '12 per question',
      'beta 0.100 = delta 0.030 + alpha 0.070 + epsilon 0.000',
      'at most 20 US dollars, 16 calls in flight',
      '--trust-config once',
      '--allow-unpriced',
      'is at most beta = 0.1. It assumes',
    ]) {
      expect(unwrapped(stdout)).toContain(told)
    }
    expect(stdout).not.toContain(PLANTED)
  })

  test('says the same to machines', () => {
    const { status, stdout } = validate(EXAMPLE, ['--json'], {
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
    })
    expect(found.hosts).toEqual(['api.anthropic.com', 'api.deepseek.com', '127.0.0.1:8000', 'db:5432'])
    expect(found.agents[0]).toMatchObject({
      keys: [[{ variable: 'ANTHROPIC_API_KEY', isSet: false }]],
      priceUsdPerMillion: { input: 1, output: 5 },
    })
    expect(found.agents[2].priceUsdPerMillion).toBeNull()
  })

  test('needs nothing for a simulated panel and says that nothing leaves this machine', () => {
    const { status, stdout } = validate(SMALL)
    expect(status).toBe(0)
    expect(stdout).toContain('nothing leaves this machine')
    expect(stdout).not.toContain('Note')
  })

  test('ends with 1 and the place of every problem', () => {
    const wrong = EXAMPLE.replace('rounds', 'rouds').replace('beta: 0.10', 'beta: 2')
    const page = validate(wrong)
    expect({ status: page.status, stdout: page.stdout }).toEqual({ status: 1, stdout: '' })
    expect(page.stderr).toContain('quorate.config.yaml:3:3: panel.rouds')
    expect(page.stderr).toContain('quorate.config.yaml:9:17: budget.beta')
    const { status, stdout } = validate(wrong, ['--json'])
    expect(status).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      valid: false,
      problems: [
        { source: expect.stringContaining('quorate.config.yaml'), line: 3, column: 3, path: 'panel.rouds' },
        { line: 9, column: 17, path: 'budget.beta', received: '2' },
      ],
    })
  })

  test('ends with 1 where a key would go over http to another machine', () => {
    const { status, stdout } = validate(EXAMPLE.replace('127.0.0.1:8000', 'models.example'), [], BARE)
    expect(status).toBe(1)
    expect(stdout).toContain('cannot run as it is')
    expect(unwrapped(stdout)).toContain('would send a key over http to models.example')
  })

  test('ends with 2 for a wrong flag and with 20 for a budget that leaves nothing to act with', () => {
    const { status, stderr } = validate(SMALL, ['--beta', '2'])
    expect(status).toBe(2)
    expect(stderr).toContain('--beta must be a number above 0 and below 1')
    const spent = validate(SMALL, ['--beta', '0.03'])
    expect(spent.status).toBe(20)
    expect(unwrapped(spent.stdout)).toContain('nothing is left for alpha')
  })
})

function validate(text: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const folder = folderWith({ 'quorate.config.yaml': text })
  return runCli(['validate', '--config', join(folder, 'quorate.config.yaml'), ...args], env)
}

function unwrapped(page: string): string {
  return page.replace(/\n {9}/g, ' ')
}
