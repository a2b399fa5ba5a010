import { PassThrough } from 'node:stream'
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { ask, bearer } from './ask.ts'
import { calibrated, certifyInput, FRESH, inputOf } from './deciding/world.ts'
import { modelWorld } from './openai/model-world.ts'
import type { TestServer } from './test-server.ts'

const TOOLS = ['certify', 'decide', 'get_decision', 'list_reviews']

const decisionSchema = z.looseObject({
  decisionId: z.string(),
  status: z.string(),
  kind: z.string().nullable(),
  answer: z.string().nullable(),
})

function overHttp({ port }: TestServer, token: string): Transport {
  const headers = bearer(token)
  return new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), { requestInit: { headers } })
}

function overStdio({ port }: TestServer, token: string): Transport {
  const script = new URL('../../bin/quorate.js', import.meta.url).pathname
  const env = { PATH: process.env['PATH'] ?? '', QUORATE_TOKEN: token, QUORATE_URL: `http://127.0.0.1:${port}` }
  const args = ['--conditions=quorate-source', script, 'mcp']
  return new StdioClientTransport({ command: process.execPath, args, env })
}

async function connect(transport: Transport, mode: 'auto' | 'legacy' = 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

async function call(client: Client, name: string, args: Readonly<Record<string, unknown>>) {
  const result = await client.callTool({ name, arguments: { ...args } })
  const { content } = z.object({ content: z.array(z.object({ text: z.string() })) }).parse(result)
  return {
    text: content.map(({ text }) => text).join('\n'),
    isError: result.isError === true,
    structured: result.structuredContent,
  }
}

describe.each([
  ['HTTP', overHttp, 'auto'],
  ['HTTP of earlier clients', overHttp, 'legacy'],
  ['stdio', overStdio, 'auto'],
] as const)('the official client over %s', (_, transport, mode) => {
  test('lists and calls the tools: an action has its answer, a deferral has none', async () => {
    const { server, token } = await modelWorld()
    const client = await connect(transport(server, token), mode)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual(TOOLS)
    const kinds = new Set<string | null>()
    for (const question of FRESH.slice(0, 6)) {
      const asked = await call(client, 'decide', inputOf(question))
      const { decisionId } = decisionSchema.parse(asked.structured)
      const read = await call(client, 'get_decision', { decisionId, waitSeconds: 60 })
      const decision = decisionSchema.parse(read.structured)
      kinds.add(decision.kind)
      expect(decision).toMatchObject({ decisionId, status: 'decided' })
      expect(decision.answer !== null).toBe(decision.kind === 'act')
      if (decision.kind === 'act') expect(read.text).toContain(JSON.stringify(decision.answer))
      else expect(read.text).toMatch(/^Deferred to a person .*Do not act/)
    }
    expect([...kinds].sort()).toEqual(['act', 'defer'])
    const reviews = await call(client, 'list_reviews', { status: 'waiting' })
    expect(z.object({ items: z.array(z.unknown()).min(1) }).safeParse(reviews.structured).success).toBe(true)
    const [debate] = (await calibrated()).debates
    if (debate === undefined) throw new Error('no debate')
    const certified = await call(client, 'certify', certifyInput(debate, 1))
    expect(certified.structured).toMatchObject({ decisionId: expect.any(String), isHidden: false })
    expect((await call(client, 'get_decision', { decisionId: 'none' })).text).toMatch(/no item has this id/)
  })
})

test('roles apply: a viewer reads but cannot ask, and a request without a token is refused', async () => {
  const { server } = await modelWorld()
  const token = await server.token({ name: 'watcher', role: 'viewer', kind: 'machine' })
  const client = await connect(overHttp(server, token))
  const [question] = FRESH
  if (question === undefined) throw new Error('no question')
  const refused = await call(client, 'decide', inputOf(question))
  expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(/needs the role reviewer/) })
  expect(await call(client, 'list_reviews', {})).toMatchObject({ isError: false })
  await expect(connect(overHttp(server, 'wrong'))).rejects.toThrow()
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  expect((await ask(server.port, '/mcp', { method: 'POST', body })).status).toBe(401)
})

test('no tool submits a review, claims one or activates a certificate, for any caller', async () => {
  const { server, store } = await modelWorld()
  const token = await server.token({ name: 'root', role: 'admin', kind: 'human' })
  const client = await connect(overHttp(server, token))
  for (const name of ['submit_review', 'submit', 'claim', 'activate', 'release']) {
    await expect(call(client, name, { id: 'x', outcome: { kind: 'cannot-tell' } })).rejects.toThrow()
  }
  const paths = server.lines.map(({ route }) => route)
  expect(paths.filter((path) => path !== '/mcp')).toEqual([])
  expect(await store.labels.list({ after: null, limit: 1 })).toEqual([])
})

test('a person who calls the tools is kept blind as on other routes', async () => {
  const { server, services } = await modelWorld({ plan: { spotCheckRate: 1 } })
  const machine = await server.token({ name: 'bot', role: 'reviewer', kind: 'machine' })
  const person = await server.token({ name: 'mira', role: 'reviewer', kind: 'human' })
  const [question] = FRESH
  if (question === undefined) throw new Error('no question')
  const asked = await call(await connect(overHttp(server, machine)), 'decide', inputOf(question))
  const { decisionId } = decisionSchema.parse(asked.structured)
  await services.decisions.find(decisionId, { waitMs: 60_000, signal: new AbortController().signal })
  const read = await call(await connect(overHttp(server, person)), 'get_decision', { decisionId })
  expect(read).toMatchObject({
    text: 'Hidden until it is reviewed. Do not act.',
    structured: { isHidden: true, answer: null },
  })
})

test('the tools say which server does not answer, and count the items of the queue', async () => {
  const { server, token } = await modelWorld()
  const client = await connect(overHttp(server, token))
  expect((await call(client, 'list_reviews', {})).text).toBe('0 items')
  const { port } = server
  const stdio = await connect(overStdio(server, token))
  await server.stop()
  expect(await call(stdio, 'list_reviews', {})).toMatchObject({
    isError: true,
    text: expect.stringMatching(
      new RegExp(`^cannot ask the server at http://127\\.0\\.0\\.1:${port}/: .*ECONNREFUSED.* Start "quorate serve"`),
    ),
  })
})

test('the command in-process ends when its input ends, and refuses an address that tokens could be read on', async () => {
  const { main } = await import('../../src/cli/main.ts')
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const running = main(['mcp'], { env: {}, stdin, stdout, stderr, elapsed: () => 0 })
  stdin.end()
  expect(await running).toBe(0)
  const refused = await main(['mcp', '--url', 'http://quorate.example'], {
    env: {},
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr,
    elapsed: () => 0,
  })
  expect(refused).toBe(2)
  expect(String(stderr.read())).toMatch(/--url must be an https address/)
})

test.each([
  'https://ada:hunter2@quorate.example',
  'https://quorate.example/?token=hunter2',
  'https://quorate.example/#hunter2',
])('the command refuses an address that its errors would repeat with a secret: %s', async (url) => {
  const { main } = await import('../../src/cli/main.ts')
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const running = main(['mcp'], { env: { QUORATE_URL: url }, stdin, stdout, stderr, elapsed: () => 0 })
  stdin.end()
  expect(await running).toBe(2)
  const words = String(stderr.read())
  expect(words).toContain('QUORATE_URL must be an https address without user, path, ? or #')
  expect(words).not.toContain('hunter2')
})
