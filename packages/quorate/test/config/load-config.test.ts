import { readFileSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/load-config.ts'
import { callsPerQuestion } from '../../src/config/resolve-config.ts'
import { DEFAULT_LIMITS } from '../../src/traffic/traffic-limits.ts'
import { EXAMPLE, folderWith, load, SMALL, sayings } from './config-folder.ts'

describe('the example of the product', () => {
  test('resolves to its panel, budget, limits and store', async () => {
    const { config } = await load(EXAMPLE)
    expect(config.panel).toMatchObject({
      protocol: 'debate',
      rounds: 4,
      sizes: null,
      elicitation: 'stated',
      samples: 1,
    })
    expect(config.panel.agents).toEqual([
      agent('haiku', 'anthropic/claude-haiku-4-5'),
      agent('r1', 'deepseek/deepseek-reasoner'),
      {
        ...agent('qwen', 'openai-compatible/qwen3-32b'),
        baseURL: 'http://127.0.0.1:8000/v1',
        apiKeyEnv: 'QWEN_KEY',
      },
    ])
    expect(config.panel.prompts.laterRound).toContain('{responses}')
    expect(config).toMatchObject({ profile: 'cells', spotCheckRate: 0.05, prices: {}, seed: 7 })
    expect(config.budget).toEqual({ beta: 0.1, delta: 0.03, epsilon: 0.02 })
    expect(config.limits).toEqual({ maxCostUsd: 20, debateTimeoutMs: 900_000, traffic: DEFAULT_LIMITS })
    expect(config.store.url).toBe('sqlite:.quorate/quorate.db')
    expect(callsPerQuestion(config.panel)).toEqual({ calls: 12, withReminders: 24 })
  })

  test('has only defaults beside its profile, so the same config without them has the same hash', async () => {
    const short = EXAMPLE.split('\n').filter((line) => !/^(limits|review|store)|rounds|protocol|beliefs/.test(line))
    const [whole, shortened] = [await load(EXAMPLE), await load(short.join('\n'))]
    expect({ ...shortened.config, file: '', store: '' }).toEqual({ ...whole.config, file: '', store: '' })
  })

  test('without its profile means total: delta is a confidence, and the floor follows beta', async () => {
    const bare = EXAMPLE.replace(/^certificate.*\n/m, '').replace(', delta: 0.03, epsilon: 0.02', '')
    const total = EXAMPLE.replace('profile: cells', 'profile: total').replace(
      'delta: 0.03, epsilon: 0.02',
      'delta: 0.05',
    )
    const [{ config }, said] = [await load(bare), await load(total)]
    expect(config).toMatchObject({ profile: 'total', budget: { beta: 0.1, delta: 0.05, epsilon: 0 } })
    expect(config.budget.total).toEqual({ kind: 'pac', delta: 0.05 })
    expect(said.config.hash).toBe(config.hash)
  })

  test('means the same as JSON', async () => {
    const folder = folderWith({
      'quorate.config.json': JSON.stringify({
        panel: { agents: [{ name: 'ada', model: 'simulated/ada' }] },
        budget: { beta: 0.2 },
      }),
    })
    const [json, yaml] = [await loadConfig({ folder, env: {} }), await load(SMALL)]
    expect(json.config.hash).toBe(yaml.config.hash)
  })
})

describe('flags override the environment, which overrides the file', () => {
  const env = { QUORATE_BETA: '0.3', QUORATE_MAX_COST: 'none', QUORATE_STORE: 'postgres://me:secret@db/q' }

  test('the environment overrides the file', async () => {
    const { config } = await load(SMALL, { env })
    expect(config.budget.beta).toBe(0.3)
    expect(config.limits.maxCostUsd).toBeNull()
    expect(config.store.url).toBe('postgres://me:secret@db/q')
  })

  test('a flag overrides both, and an empty variable does not count', async () => {
    expect((await load(SMALL, { env, flags: { beta: '0.15', 'max-cost': '5' } })).config).toMatchObject({
      budget: { beta: 0.15 },
      limits: { maxCostUsd: 5 },
    })
    expect((await load(SMALL, { env: { QUORATE_BETA: ' ' } })).config.budget.beta).toBe(0.2)
  })

  test('a budget may come from a flag alone', async () => {
    const { config } = await load(SMALL.replace(/budget.*/, ''), { flags: { beta: '0.25' } })
    expect(config.budget).toEqual({ beta: 0.25, delta: 0.05, epsilon: 0, total: { kind: 'pac', delta: 0.05 } })
    const cells = `${SMALL.replace(/budget.*/, '')}certificate: { profile: cells }\n`
    expect((await load(cells, { flags: { beta: '0.25' } })).config.budget).toEqual({
      beta: 0.25,
      delta: 0.03,
      epsilon: 0.02,
    })
  })

  test('.env beside the config sets only variables that are not set, and the environment of the process stays', async () => {
    const folder = folderWith({
      'quorate.config.yaml': SMALL,
      '.env': 'QUORATE_SEED=11\nQUORATE_BETA=0.4\nPLANTED_KEY=planted\n',
    })
    const { config, env: merged } = await loadConfig({ folder, env: { QUORATE_BETA: '0.3' } })
    expect(config).toMatchObject({ seed: 11, budget: { beta: 0.3 } })
    expect(merged['PLANTED_KEY']).toBe('planted')
    expect(process.env['PLANTED_KEY']).toBeUndefined()
  })

  test('the error names the source of the value', async () => {
    expect(await sayings(SMALL, { env: { QUORATE_BETA: 'much' } })).toBe(
      'QUORATE_BETA: budget.beta must be a number above 0 and below 1, such as 0.10, got "much"',
    )
    expect(await sayings(SMALL, { flags: { seed: '-1' } })).toMatch(/^--seed: seed must be a whole number/)
  })

  test('a store of the file starts from its folder, one of a flag from the working directory', async () => {
    const folder = folderWith({ 'below/quorate.config.yaml': SMALL })
    const config = ['config', 'below/quorate.config.yaml'] as const
    const file = await loadConfig({ folder, env: {}, flags: new Map([config]) })
    expect(file.config.store.baseFolder).toBe(join(folder, 'below'))
    const flag = await loadConfig({ folder, env: {}, flags: new Map([config, ['store', 'sqlite:here.db']]) })
    expect(flag.config.store).toEqual({ url: 'sqlite:here.db', baseFolder: folder, isOwnUrl: true })
  })
})

describe('a store that the config names', () => {
  test('is in or below its folder, links followed, unless the user names another place', async () => {
    const outside = ['sqlite:../elsewhere.db', `sqlite:${join(tmpdir(), 'elsewhere.db')}`, 'sqlite:link/elsewhere.db']
    for (const store of outside) {
      const folder = folderWith({ 'quorate.config.yaml': `${SMALL}store: ${store}\n` })
      symlinkSync('..', join(folder, 'link'))
      await expect(loadConfig({ folder, env: {} })).rejects.toThrow(/store must be a file in or below the folder/)
      await expect(loadConfig({ folder, env: { QUORATE_STORE: store } })).resolves.toMatchObject({
        config: { store: { url: store, isOwnUrl: true } },
      })
    }
    const { config } = await load(`${SMALL}store: sqlite:new/deeper/quorate.db\n`)
    expect(config.store.isOwnUrl).toBe(false)
  })

  test('is not trusted if .env beside the config names it', async () => {
    const folder = folderWith({ 'quorate.config.yaml': SMALL, '.env': 'QUORATE_STORE=postgres://u@192.0.2.1/d\n' })
    expect((await loadConfig({ folder, env: {} })).config.store.isOwnUrl).toBe(false)
  })

  test.each(['host=a.example', 'host=/run/a&host=/run/b', 'port=1', 'hostaddr=192.0.2.1', 'passfile=/x'])(
    'in PostgreSQL cannot point elsewhere than it shows: ?%s',
    async (query) => {
      const said = await sayings(SMALL, { env: { QUORATE_STORE: `postgres://u@192.0.2.1/d?${query}` } })
      expect(said).toMatch(/^QUORATE_STORE: store must be /)
      expect(said).not.toContain('example')
    },
  )
})

describe('finding the file', () => {
  test('none, two, and one that cannot be read are errors that say what to do', async () => {
    await expect(loadConfig({ folder: folderWith({}), env: {} })).rejects.toThrow(/quorate init.*--config PATH/)
    const two = folderWith({ 'quorate.config.yaml': SMALL, 'quorate.config.json': '{}' })
    await expect(loadConfig({ folder: two, env: {} })).rejects.toThrow(/yaml and quorate\.config\.json are both in/)
    const flags = new Map([['config', 'gone.yaml']])
    await expect(loadConfig({ folder: two, env: {}, flags })).rejects.toThrow(/cannot read the config .*gone\.yaml/)
  })
})

describe('the hash', () => {
  test.each([
    ['a model', ['simulated/ada', 'simulated/bob']],
    ['a setting of an agent', ['simulated/ada }', 'simulated/ada, temperature: 0.1 }']],
    ['insisting', ['simulated/ada }', 'simulated/ada, insist: true }']],
    ['the rounds', ['panel:', 'panel:\n  rounds: 3']],
    ['the beliefs', ['panel:', 'panel:\n  beliefs: vote']],
    ['the budget', ['0.2', '0.21']],
    ['the seed', ['budget', 'seed: 8\nbudget']],
    ['the profile', ['budget', 'certificate: { profile: tight }\nbudget']],
  ])('changes with %s', async (_what, [from = '', to = '']) => {
    expect((await load(SMALL.replace(from, to))).config.hash).not.toBe((await load(SMALL)).config.hash)
  })

  test.each([
    ['the limits', 'limits: { maxCostUsd: 3, concurrency: 2 }\n'],
    ['the store', 'store: sqlite:other.db\n'],
    ['spot checks', 'review: { spotCheckRate: 1 }\n'],
    ['prices', 'prices: { simulated/ada: { inputUsdPerMillion: 1, outputUsdPerMillion: 2 } }\n'],
    ['comments', '# a comment\n'],
  ])('does not change with %s', async (_what, more) => {
    expect((await load(`${more}${SMALL}`)).config.hash).toBe((await load(SMALL)).config.hash)
  })

  test('changes with the text of a prompt, not with its place', async () => {
    const hashOf = async (path: string, prompt: string) => {
      const said = SMALL.replace('panel:', `panel:\n  prompts: { reminder: ${path} }`)
      const folder = folderWith({ 'quorate.config.yaml': said, [path]: prompt })
      return (await loadConfig({ folder, env: {} })).config.hash
    }
    expect(await hashOf('a.txt', 'Answer: {form}')).toBe(await hashOf('prompts/b.txt', 'Answer: {form}\n'))
    expect(await hashOf('a.txt', 'Answer: {form}')).not.toBe(await hashOf('a.txt', 'Answer now: {form}'))
  })

  test('is what it was: a change of it ends every run that could be resumed', async () => {
    const { identity, panel } = (await load(SMALL)).config
    const { prompts, ...rest } = JSON.parse(identity).panel
    expect(prompts).toEqual(panel.prompts)
    expect({ ...JSON.parse(identity), panel: rest }).toEqual({
      budget: { beta: 0.2, delta: 0.05, epsilon: 0, total: { kind: 'pac', delta: 0.05 } },
      profile: 'total',
      // Changes with the reader version: a run must not be read by two versions.
      reader: 6,
      seed: 7,
      panel: {
        protocol: 'debate',
        rounds: 4,
        sizes: null,
        elicitation: 'stated',
        samples: 1,
        agents: [
          {
            baseURL: null,
            insist: false,
            maxOutputTokens: 2048,
            model: 'simulated/ada',
            name: 'ada',
            temperature: 0.7,
          },
        ],
      },
    })
  })
})

describe('prompts', () => {
  const withPrompt = (path: string) => SMALL.replace('panel:', `panel:\n  prompts: { reminder: ${path} }`)

  test('outside the folder of the config are refused, also behind a link', async () => {
    const outside = join(folderWith({ 'private.txt': 'private' }), 'private.txt')
    expect(await sayings(withPrompt(outside))).toContain(
      'quorate.config.yaml:2:24: panel.prompts.reminder must be a file',
    )
    const folder = folderWith({ 'quorate.config.yaml': withPrompt('link.txt') })
    symlinkSync(outside, join(folder, 'link.txt'))
    await expect(loadConfig({ folder, env: {} })).rejects.toThrow(/in or below the folder of this config/)
  })

  test('with an unknown placeholder are refused with file and line', async () => {
    const folder = folderWith({ 'quorate.config.yaml': withPrompt('r.txt'), 'r.txt': 'Well,\n{answr}' })
    await expect(loadConfig({ folder, env: {} })).rejects.toThrow(/r\.txt: line 2/)
  })
})

describe('scripts', () => {
  const SCRIPTED = SMALL.replace('simulated/ada', 'scripted/lines.jsonl')
  const folderOf = (script: string) => folderWith({ 'quorate.config.yaml': SCRIPTED, 'lines.jsonl': script })

  test('are read with the config and belong to it: another script is another config', async () => {
    const hashOf = async (script: string) => (await loadConfig({ folder: folderOf(script), env: {} })).config
    const one = await hashOf('{"say": "A"}\n\n{"when": "x", "say": "B"}\n')
    expect(one.panel.agents[0]?.script).toEqual([{ say: 'A' }, { when: 'x', say: 'B' }])
    expect((await hashOf('{"say": "B"}\n')).hash).not.toBe(one.hash)
  })

  test.each([
    ['{"say": "A"}\n{"sya": "B"}\n', /lines\.jsonl: line 2 must be one JSON object such as/],
    ['A\n', /lines\.jsonl: line 1 must be/],
    ['\n', /lines\.jsonl must have a line/],
  ])('that contain %j are refused with file and line', async (script, message) => {
    await expect(loadConfig({ folder: folderOf(script), env: {} })).rejects.toThrow(message)
  })

  test('outside the folder of the config are refused', async () => {
    const outside = join(folderWith({ 'lines.jsonl': '{"say": "A"}\n' }), 'lines.jsonl')
    expect(await sayings(SMALL.replace('simulated/ada', `scripted/${outside}`))).toContain(
      'panel.agents[0].model must be a file in or below',
    )
  })
})

test('a growing panel has as many rounds as sizes and asks every agent once', async () => {
  const agents = ['a', 'b', 'c', 'd'].map((name) => `    - { name: ${name}, model: simulated/ada }\n`).join('')
  const text = `panel:\n  protocol: growing-panel\n  sizes: [2, 4]\n  beliefs: samples\n  agents:\n${agents}budget: { beta: 0.2 }\n`
  const { panel } = (await load(text)).config
  expect(panel).toMatchObject({ rounds: 2, sizes: [2, 4], samples: 5 })
  expect(callsPerQuestion(panel)).toEqual({ calls: 20, withReminders: 40 })
})

test('the published JSON Schema is the one of the code', async () => {
  const { configJsonSchema } = await import('../../src/config/config.ts')
  const published = readFileSync(new URL('../../schema/quorate.config.schema.json', import.meta.url), 'utf8')
  expect(published, 'run packages/quorate/schema/make-schema.ts').toBe(
    `${JSON.stringify(configJsonSchema(), null, 2)}\n`,
  )
})

function agent(name: string, model: string) {
  return {
    name,
    model,
    temperature: 0.7,
    maxOutputTokens: 2048,
    insist: false,
    baseURL: undefined,
    apiKeyEnv: undefined,
  }
}
