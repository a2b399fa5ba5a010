import { once } from 'node:events'
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createModel } from '../../src/model/create-model.ts'
import { modelErrorFrom, requestOf } from './requests.ts'

/** What the server answers next. */
let usage: unknown = {}
let padding = 0
let url = ''

const server = createServer((_, response) => {
  const message = { role: 'assistant', content: 'The answer is B.' }
  const body = JSON.stringify({ id: 'x', model: 'm', choices: [{ index: 0, message, finish_reason: 'stop' }], usage })
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
  response.end(gzipSync(`${body}${' '.repeat(padding)}`))
})

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`
})
afterAll(() => server.close())

function model() {
  return createModel('openai-compatible/m', { env: {}, baseURL: url, now: () => 0 })
}

test.each([
  [{ prompt_tokens: 5, completion_tokens: -5000 }],
  [{ prompt_tokens: 1.5, completion_tokens: 1 }],
  [{ prompt_tokens: 1e300, completion_tokens: 1 }],
  [{ prompt_tokens: -1, completion_tokens: 1 }],
])('a server that counts tokens like %j is not believed: what was reserved stays', async (given) => {
  usage = given
  // Counts that the SDK itself refuses make the reply unreadable, which keeps the reserve as well.
  const reply = await model()
    .call(requestOf('?'))
    .catch(() => null)
  expect(reply?.usage ?? null).toBeNull()
})

test('a small packed reply that unpacks without end is cut off and may have been charged', async () => {
  usage = { prompt_tokens: 5, completion_tokens: 4 }
  padding = 1000
  expect((await model().call(requestOf('?'))).usage).toEqual({ inputTokens: 5, outputTokens: 4 })
  padding = 40_000_000
  expect((await modelErrorFrom(model().call(requestOf('?')))).charged).toBe('unknown')
})
