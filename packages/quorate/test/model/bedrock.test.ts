import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createModel } from '../../src/model/create-model.ts'
import { expectedAuthorization, type ReceivedRequest } from './aws-signature.ts'
import { modelErrorFrom, requestOf } from './requests.ts'

const ID = 'AKIDPLANTED000000000'
const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYplanted'
const MODEL = 'bedrock/eu.anthropic.claude-haiku-4-5-20251001-v1:0'

let received: ReceivedRequest
let url = ''
/** Answers in Bedrock's format and keeps every byte that it received. */
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  received = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body }
  response.setHeader('content-type', 'application/json')
  const message = { role: 'assistant', content: [{ text: 'B' }] }
  const usage = { inputTokens: 3, outputTokens: 1, totalTokens: 4 }
  response.end(JSON.stringify({ output: { message }, stopReason: 'end_turn', usage, metrics: { latencyMs: 1 } }))
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  url = `http://127.0.0.1:${port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

function model(env: Readonly<Record<string, string>>) {
  const more = { baseURL: url, trustConfig: true, now: () => 0 }
  return createModel(MODEL, { env: { AWS_REGION: 'eu-central-1', ...env }, ...more })
}

describe('our own reading of the signature', () => {
  test('gives the value that Amazon publishes with its test suite (get-vanilla)', () => {
    const scope = 'AKIDEXAMPLE/20150830/us-east-1/service/aws4_request'
    const published =
      `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host;x-amz-date, ` +
      'Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'
    const headers = { host: 'example.amazonaws.com', 'x-amz-date': '20150830T123600Z', authorization: published }
    const request = { method: 'GET', path: '/', headers, body: '' }
    expect(expectedAuthorization(request, 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY')).toBe(published)
    expect(expectedAuthorization(request, 'another')).not.toBe(published)
  })
})

describe('Bedrock', () => {
  const keys = { AWS_ACCESS_KEY_ID: ID, AWS_SECRET_ACCESS_KEY: SECRET }

  test('is asked with a signature over what the server got: path, headers and body', async () => {
    const reply = await model(keys).call(requestOf('Which? Ünïcode, "quotes" and 汉字'))
    expect(reply).toMatchObject({ text: 'B', usage: { inputTokens: 3, outputTokens: 1 } })
    const { authorization } = received.headers
    expect(authorization).toContain(`Credential=${ID}/`)
    expect(authorization).toContain('/eu-central-1/bedrock/aws4_request')
    expect(expectedAuthorization(received, SECRET)).toBe(authorization)
    const changed = { ...received, body: received.body.replace('Which', 'which') }
    expect(expectedAuthorization(changed, SECRET)).not.toBe(authorization)
    expect(received.path).toBe('/model/eu.anthropic.claude-haiku-4-5-20251001-v1%3A0/converse')
    expect(JSON.stringify(received)).not.toContain(SECRET)
  })

  test('signs the token of a session too', async () => {
    await model({ ...keys, AWS_SESSION_TOKEN: 'session-planted-123' }).call(requestOf('?'))
    expect(received.headers['x-amz-security-token']).toBe('session-planted-123')
    expect(received.headers['authorization']).toMatch(/SignedHeaders=[^,]*x-amz-security-token/)
    expect(expectedAuthorization(received, SECRET)).toBe(received.headers['authorization'])
  })

  test('takes a bearer token instead, before an access key, and then signs nothing', async () => {
    await model({ ...keys, AWS_BEARER_TOKEN_BEDROCK: 'bearer-planted-123' }).call(requestOf('?'))
    expect(received.headers['authorization']).toBe('Bearer bearer-planted-123')
    expect(received.headers['x-amz-date']).toBeUndefined()
    expect(JSON.stringify(received)).not.toMatch(new RegExp(`${ID}|AWS4`))
  })

  test('is not asked with half a pair of keys', async () => {
    const error = await modelErrorFrom(model({ AWS_ACCESS_KEY_ID: ID }).call(requestOf('?')))
    expect(error).toMatchObject({ kind: 'key', charged: 'no' })
    expect(error.message).toContain('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
    expect(error.message).not.toContain(ID)
  })
})
