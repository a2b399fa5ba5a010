import { describe, expect, test } from 'vitest'
import { load, SMALL, sayings } from './config-folder.ts'

const FILE = 'quorate.config.yaml'

test('a part that cannot be read at all hides no problem of the others', async () => {
  const text = `answers: { kind: labels, labels: { yes: is so, no: is not } }
panel:
  agents: [{ name: ada, modell: simulated/ada }, { name: ada, model: simulated/ada }]
budget: { beta: 0.1, answers: { maybe: 0.01 } }
webhooks: [{ url: 'https://example.com/x' }]
`
  expect([...(await sayings(text)).matchAll(/ ([\w.[\]]+) must be/gu)].map(([, key]) => key)).toEqual([
    ...['panel.agents[0].model', 'panel.agents[0].modell', 'panel.agents[1].name'],
    ...['budget.answers.maybe', 'webhooks[0].secretEnv'],
  ])
})

test('all problems are reported at once: those of single keys, and those between keys', async () => {
  const limits = 'limits: { timeoutMs: 1000, debateTimeoutMs: 10, concurrency: many }\n'
  const text = SMALL.replace('panel:', 'panel:\n  rouds: 4\n  samples: 3').replace('0.2', '7').concat(limits)
  expect([...(await sayings(text)).matchAll(/ ([\w.[\]]+) must be/gu)].map(([, key]) => key)).toEqual([
    ...['panel.rouds', 'panel.samples', 'budget.beta', 'limits.debateTimeoutMs', 'limits.concurrency'],
  ])
})

describe('a mistake is named with file, line, column, key, expected and received', () => {
  test.each([
    [
      'a key that is not known',
      'panel:',
      'panel:\n  rouds: 4',
      '2:3: panel.rouds must be one of the keys protocol, rounds,',
    ],
    ['the key that was meant', 'panel:', 'panel:\n  rouds: 4', 'got "rouds". Did you mean rounds?'],
    [
      'a word',
      'panel:',
      'panel:\n  beliefs: staed',
      '2:12: panel.beliefs must be one of vote, stated, samples, logprobs, got "staed"',
    ],
    ['a number', 'panel:', 'panel:\n  rounds: 4.5', '2:11: panel.rounds must be a whole number from 1 to 64, got 4.5'],
    ['NaN', '0.2', '.nan', '4:17: budget.beta must be a number above 0 and below 1, such as 0.10, got NaN'],
    ['digits in quotes', '0.2', '"0.2"', 'budget.beta must be a number above 0 and below 1, such as 0.10, got "0.2"'],
    [
      'a key that is missing',
      'name: ada, ',
      '',
      '3:7: panel.agents[0].name must be a name of 1 to 64 characters, got nothing',
    ],
    [
      'a section that is missing',
      /budget.*/,
      '',
      '1:1: budget must be a map with beta, such as { beta: 0.10 }, got nothing',
    ],
    [
      'a list in place of a map',
      /budget.*/,
      'budget: [1]',
      '4:9: budget must be a map with beta, such as { beta: 0.10 }, got a list',
    ],
    [
      'a provider',
      'simulated/ada',
      'antropic/x',
      'panel.agents[0].model must be provider/name of a model (unknown provider',
    ],
    [
      'a simulated solver',
      'simulated/ada',
      'simulated/eve',
      'unknown solver, not one of ada, bob, cleo), got "simulated/eve"',
    ],
    [
      'what is insisted on',
      'simulated/ada',
      'simulated/ada, insist: [sed]',
      'panel.agents[0].insist must be true, false, or a list of temperature, seed, maxOutputTokens, logprobs',
    ],
    [
      'a replay of a replay',
      'simulated/ada',
      'replay/replay/simulated/ada',
      'panel.agents[0].model must be replay/ once, before the model that answered',
    ],
    [
      'a replay of nobody',
      'simulated/ada',
      'replay/antropic/x',
      'panel.agents[0].model must be provider/name of a model (unknown provider',
    ],
    [
      'a replay whose address is missing',
      'simulated/ada',
      'replay/openai-compatible/x',
      '3:7: panel.agents[0].baseURL must be an http or https address',
    ],
    [
      'a key of a replay',
      'simulated/ada',
      'replay/openai/gpt-5, apiKeyEnv: OPENAI_API_KEY',
      'panel.agents[0].apiKeyEnv must be left out: replay models send no request',
    ],
    [
      'an address that is missing',
      'simulated/ada',
      'openai-compatible/x',
      '3:7: panel.agents[0].baseURL must be an http or https address',
    ],
    [
      'an address without use',
      'simulated/ada',
      'simulated/ada, baseURL: http://x',
      'baseURL must be left out: simulated models send no request',
    ],
    ['sizes without use', 'panel:', 'panel:\n  sizes: [1]', '2:10: panel.sizes must be left out'],
    [
      'sizes that are missing',
      'panel:',
      'panel:\n  protocol: growing-panel',
      'panel.sizes must be a list of sizes that grow',
    ],
    [
      'sizes beyond the agents',
      'panel:',
      'panel:\n  protocol: growing-panel\n  sizes: [1, 3]',
      'at most 1, the number of agents, got [1, 3]',
    ],
    ['samples without use', 'panel:', 'panel:\n  samples: 3', '2:12: panel.samples must be left out'],
    [
      'a provider that nobody uses',
      'budget',
      'limits: { perProvider: { simulatd: {} } }\nbudget',
      '4:26: limits.perProvider.simulatd must be the provider of an agent: simulated, got "simulatd". Did you mean simulated?',
    ],
    [
      'time for a debate',
      'budget',
      'limits: { debateTimeoutMs: 1 }\nbudget',
      'must be at least timeoutMs, 120000, got 1',
    ],
    [
      'a price under no model',
      'budget',
      'prices: { qwen: { inputUsdPerMillion: 1, outputUsdPerMillion: 1 } }\nbudget',
      '4:11: prices.qwen must be under provider/name',
    ],
    [
      'another store',
      'budget',
      'store: mysql://x\nbudget',
      '4:8: store must be sqlite:PATH, or postgres://USER@HOST/DATABASE',
    ],
  ])('%s', async (_what, from, to, saying) => {
    const text = SMALL.replace(from, to)
    expect(text).not.toBe(SMALL)
    const message = await sayings(text)
    expect(message).toContain(saying)
    expect(message.startsWith(`${FILE}:`)).toBe(true)
  })

  test('all of them at once, in the order of the file', async () => {
    const message = await sayings('panel:\n  rouds: 3\n  agents: []\nbudget: { beta: 2 }\nstor: x\n')
    expect(message.split('\n').map((line) => line.split(': ')[0])).toEqual([
      `${FILE}:2:3`,
      `${FILE}:3:11`,
      `${FILE}:4:17`,
      `${FILE}:5:1`,
    ])
  })

  test('two agents with the same name', async () => {
    const message = await sayings(SMALL.replace('budget', '    - { name: ada, model: simulated/bob }\nbudget'))
    expect(message).toContain('4:15: panel.agents[1].name must be a unique name: agents[0] has the same, got "ada"')
  })
})

describe('YAML', () => {
  test.each([
    ['a key that stands twice', `${SMALL}budget: { beta: 0.9 }\n`, '5:1: the config must be a map with every key once'],
    ['a tab', 'panel:\n\tagents: 1\n', '2:1: the config must be indented with spaces, got a tab'],
    ['a list that is not closed', 'panel: [1, 2\nbudget: 3\n', ':2:1: the config must be valid YAML'],
    ['two documents', `${SMALL}---\n${SMALL}`, 'one document'],
    ['a tag that is not known', '!!js/function x\n', 'valid YAML'],
    ['an alias that leads nowhere', 'panel: *gone\n', 'aliases'],
    ['an empty file', '', '1:1: the config must be a map with panel and budget, got nothing'],
    ['levels without end', '['.repeat(50_000), 'nested less deeply'],
    ['a prototype', `__proto__: { seed: 1 }\n${SMALL}`, '1:1: __proto__ must be under another key'],
    [
      'an alias to itself',
      'panel: &p { agents: *p }\nbudget: { beta: 0.1 }\n',
      'panel.agents must be a list of agents',
    ],
  ])('%s is refused', async (_what, text, saying) => {
    expect(await sayings(text)).toContain(saying)
  })

  test('aliases that multiply are refused without being followed', async () => {
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x, x]']
    for (let level = 1; level < 12; level++) {
      const [name, before] = [String.fromCharCode(97 + level), String.fromCharCode(96 + level)]
      bomb.push(`${name}: &${name} [${Array(10).fill(`*${before}`).join(', ')}]`)
    }
    expect(await sayings(bomb.join('\n'))).toContain('more than 50 of them')
  })

  test('an ordinary alias is accepted, and an error behind it has its place', async () => {
    const text =
      'panel:\n  agents:\n    - &one { name: ada, model: simulated/ada, temperature: 9 }\n    - *one\nbudget: { beta: 0.1 }\n'
    expect(await sayings(text)).toContain('3:60: panel.agents[0].temperature must be')
  })
})

describe('a secret in the file is refused and not repeated', () => {
  const planted = 'PlantedSecretValue0123456789'
  test.each([
    [
      'under apiKey',
      'simulated/ada }',
      `anthropic/x, apiKey: ${planted} }`,
      '3:40: panel.agents[0].apiKey must be left out',
    ],
    [
      'under api_key',
      'budget',
      `api_key: ${planted}\nbudget`,
      'api_key must be left out, because keys come only from the environment',
    ],
    ['under password', 'budget', `password: ${planted}\nbudget`, 'password must be left out'],
    [
      'in place of the name of a variable',
      'simulated/ada',
      `openai/x, apiKeyEnv: ${planted}`,
      'apiKeyEnv must be the name of an',
    ],
    ['in the shape of a key', 'ada,', `sk-ant-${planted},`, '3:15: the config must be without secrets'],
    ['in a comment', 'budget', `# sk-ant-${planted}\nbudget`, '4:3: the config must be without secrets'],
    [
      'in the store',
      'budget',
      `store: postgres://me:${planted}@db/q\nbudget`,
      '4:8: the config must be without secrets',
    ],
    ['in the query of the store', 'budget', `store: postgres://db/q?password=${planted}\nbudget`, 'QUORATE_STORE'],
    [
      'in a store that cannot be read',
      'budget',
      `store: postgres://me:a/${planted}@db/q\nbudget`,
      'store must be sqlite:PATH',
    ],
    ['in a baseURL', 'simulated/ada', `openai-compatible/x, baseURL: https://me:${planted}@host/v1`, 'without secrets'],
    [
      'in the query of a baseURL',
      'simulated/ada',
      `openai-compatible/x, baseURL: https://host/v1?k=${planted}`,
      'without user',
    ],
    ['in text that is no YAML', 'budget', `x: [${planted}\nbudget`, 'valid YAML'],
  ])('%s', async (_where, from, to, saying) => {
    const message = await sayings(SMALL.replace(from, to))
    expect(message).toContain(saying)
    expect(message).not.toContain(planted)
  })

  test('if a value of the environment is in the wrong place', async () => {
    const message = await sayings(SMALL.replace('simulated/ada', planted), { env: { SOME_API_KEY: planted } })
    expect(message).toContain('[redacted]')
    expect(message).not.toContain(planted)
  })

  test('also with a flag, which every process of the machine can read; the environment may have one', async () => {
    const store = `postgres://me:${planted}@db/q`
    const message = await sayings(SMALL, { flags: { store } })
    expect(message).toContain('--store: store must be without a password: set QUORATE_STORE')
    expect(message).not.toContain(planted)
    const { config } = await load(SMALL, { env: { QUORATE_STORE: store } })
    expect(config.identity).not.toContain(planted)
  })
})

test('control characters of a file do not reach the terminal', async () => {
  const message = await sayings(SMALL.replace('panel:', 'panel:\n  "\\e[31mred": 1'))
  expect(message).toContain('panel["red"]')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(message).not.toMatch(/[\u0000-\u0009\u001b]/)
})

/** Patterns that try every way to split these would never end here. */
test.each([
  [
    'a number',
    `${SMALL}certificate: { profile: tight, envelope: "lipschitz:${'1'.repeat(900_000)}x" }\n`,
    'envelope must be',
  ],
  ['the beginnings of tokens', `${SMALL}# ${'eyJ-'.repeat(240_000)}\n`, ''],
])('%s of any length is read in one pass', async (_, text, said) => {
  expect((await sayings(text)).includes(said)).toBe(true)
})
