import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type CommandResult, commandFolder } from '../cli/command-folder.ts'
import { inForm } from '../fake-provider/in-form.ts'

/** A key with characters that JSON, URLs and base64 encode differently. */
const KEY = 'sk-planted+47/11"do&not=store'
const FORMS = [KEY, JSON.stringify(KEY).slice(1, -1), encodeURIComponent(KEY), Buffer.from(KEY).toString('base64')]

/** Repeats the caller's key wherever it can: in bodies and headers of errors, in broken JSON, in names and in answers. */
async function startTalkative(): Promise<{ url: string; received: () => number }> {
  const seen = new Map<string, number>()
  let received = 0
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const key = String(request.headers.authorization).replace('Bearer ', '')
    if (key === KEY) received += 1
    const printed = `${FORMS.join(' ')} Authorization: Bearer ${key}`
    const attempt = seen.get(body) ?? 0
    seen.set(body, attempt + 1)
    const headers = { 'x-your-key': key, 'retry-after-ms': '1', 'set-cookie': `key=${encodeURIComponent(key)}` }
    const failure = { error: { message: `wrong key ${printed}`, type: key, code: key } }
    if (attempt === 0) response.writeHead(429, headers).end(JSON.stringify(failure))
    else if (attempt === 1) response.writeHead(500, { ...headers, 'content-type': 'text/plain' }).end(printed)
    else if (attempt === 2) response.writeHead(200, headers).end(`{"choices": [${printed}`)
    else
      response
        .writeHead(200, headers)
        .end(JSON.stringify(answerOf(inForm(body, { reasoning: printed, answer: 'A' }), key)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo // it listens on a port
  return { url: `http://127.0.0.1:${port}`, received: () => received }
}

function answerOf(content: string, key: string) {
  const message = { role: 'assistant', content }
  const usage = { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 }
  return { id: key, created: 1, model: `small-${key}`, choices: [{ index: 0, message, finish_reason: 'stop' }], usage }
}

function leaks(text: string): readonly string[] {
  const whole = Buffer.from(KEY).toString('base64').replace(/=+$/, '')
  return [...FORMS, whole].filter((form) => text.includes(form))
}

function leaksIn(folder: string, except: readonly string[] = []): readonly string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  return files
    .filter(({ name }) => !except.includes(name))
    .map((file) => join(file.parentPath, file.name))
    .filter((path) => leaks(readFileSync(path, 'latin1')).length > 0)
}

function configFor(url: string, more: object = {}) {
  const agents = ['ann', 'bob'].map((name) => ({
    name,
    model: `openai-compatible/${name}`,
    baseURL: `${url}/v1`,
    apiKeyEnv: 'PLANT',
    ...more,
  }))
  return { panel: { rounds: 2, agents }, budget: { beta: 0.3 }, limits: { maxCostUsd: null, attempts: 6 } }
}

const QUESTION = { question: 'Which?', options: ['A', 'B'].map((name) => ({ name, text: `the ${name}` })), group: null }
const QUESTIONS = ['q1', 'q2'].map((id) => ({ ...QUESTION, id, gold: 'A' }))

const words = ({ stdout, stderr }: CommandResult) => `${stdout}${stderr}`

describe('a key that the provider repeats everywhere', () => {
  test('appears in no store, output or export', async () => {
    const { url, received } = await startTalkative()
    const { folder, at, ask, run } = commandFolder(configFor(url))
    ask('questions.jsonl', QUESTIONS)
    writeFileSync(at('.env'), `PLANT='${KEY}'\n`)
    const debated = await run(['debate', 'questions.jsonl', '--trust-config', '--json', '--out', 'debates.jsonl'])
    expect(debated.status, debated.stderr).toBe(0)
    expect(received()).toBeGreaterThan(0)
    const { runId } = debated.json()
    const result = [
      debated,
      await run(['export', '--run', runId, '--what', 'calls', '--out', 'calls.jsonl']),
      await run(['export', '--run', runId, '--what', 'bundle', '--out', 'bundle.jsonl']),
    ]
    expect(result.map(({ status }) => status)).toEqual([0, 0, 0])
    expect(result.flatMap((one) => leaks(words(one)))).toEqual([])
    expect(leaksIn(folder, ['.env'])).toEqual([])
    expect(readFileSync(at('debates.jsonl'), 'utf8')).toContain('[redacted]')
    expect(readFileSync(at('calls.jsonl'), 'utf8')).toMatch(/429 .*\[redacted\]/)
  })

  test('appears in no notice either if the provider rejects it', async () => {
    const server = createServer((request, response) => {
      request.resume()
      response.writeHead(401, { 'x-key': KEY }).end(JSON.stringify({ error: { message: `no: ${FORMS.join(' ')}` } }))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo // it listens on a port
    const { folder, ask, run } = commandFolder(configFor(`http://127.0.0.1:${port}`))
    ask('questions.jsonl', QUESTIONS)
    const result = await run(['debate', 'questions.jsonl', '--trust-config'], { PLANT: KEY })
    expect(result.status).toBe(1)
    expect(result.stdout).toMatch(/Stopped .*401/)
    expect(leaks(words(result))).toEqual([])
    expect(leaksIn(folder)).toEqual([])
  })
})

describe('a key in the wrong place', () => {
  const url = 'http://127.0.0.1:9'

  // test/config/config-errors.test.ts covers every place of a config file. Here some go through the commands.
  test.each([
    ['the user of an address', configFor(`http://user:${encodeURIComponent(KEY)}@127.0.0.1:9`)],
    ['the query of an address', configFor(`${url}/?key=${encodeURIComponent(KEY)}`)],
    ['the name of a variable', configFor(url, { apiKeyEnv: KEY })],
  ])('is refused and not repeated: %s', async (_, config) => {
    const { folder, run } = commandFolder(config)
    const result = await run(['validate', '--json'], { PLANT: 'another-planted-key-12345' })
    expect(result.status, words(result)).toBe(1)
    expect(leaks(words(result))).toEqual([])
    expect(words(result)).not.toContain('another-planted-key')
    expect(leaksIn(folder, ['quorate.config.json'])).toEqual([])
  })

  test('is not repeated by a store that cannot be reached', async () => {
    const { ask, run } = commandFolder(configFor(url))
    ask('questions.jsonl', QUESTIONS)
    const store = `postgres://me:${encodeURIComponent(KEY)}@127.0.0.1:1/q`
    const env = { PLANT: 'x'.repeat(20), QUORATE_STORE: store }
    const result = await run(['debate', 'questions.jsonl', '--trust-config'], env)
    expect(result.status).toBe(1)
    expect(leaks(words(result))).toEqual([])
  })
})
