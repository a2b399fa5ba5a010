import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { problemSchema } from '../../src/contract/problem.ts'
import { StoreError } from '../../src/record/store-error.ts'
import { ProblemError } from '../../src/server/problem-response.ts'
import { turnOfLargeBody } from '../../src/server/read-body.ts'
import { type Answered, ask } from './ask.ts'
import { DECISION } from './fake-services.ts'
import { startTestServer, type TestServer } from './test-server.ts'

let server: TestServer
const asked: unknown[] = []
let fault: Error | null = null

beforeAll(async () => {
  server = await startTestServer({
    services: {
      decisions: {
        async ask(question, { who, idempotencyKey }) {
          asked.push({ question, who: who.name, idempotencyKey })
          return DECISION
        },
        find: async () => null,
        attend: async () => null,
        events: async () => null,
      },
      async audit() {
        throw fault ?? new Error('no fault was chosen')
      },
    },
  })
})
afterAll(() => server.stop())

function problemOf(answer: Answered) {
  expect(answer.headers['content-type']).toBe('application/problem+json')
  return problemSchema.parse(answer.json())
}

const post = (
  path: string,
  body: string | Uint8Array,
  more: { headers?: Record<string, string>; isChunked?: boolean } = {},
) => ask(server.port, path, { method: 'POST', body, ...more })

describe('a body', () => {
  test('that is no JSON is refused as 400', async () => {
    for (const body of ['{', '', 'null null', '\u0000', '{"question":}', '<xml/>']) {
      const answer = await post('/v1/decisions', body)
      expect({ body, status: answer.status }).toEqual({ body, status: 400 })
      problemOf(answer)
    }
  })

  test('with wrong fields is refused with the name of each', async () => {
    const answer = await post('/v1/decisions', JSON.stringify({ question: '', options: ['A'], group: 7 }))
    expect(answer.status).toBe(400)
    const fields = problemOf(answer).errors?.map(({ field }) => field)
    expect(fields).toEqual(['question', 'options', 'group'])
  })

  test('with a due date that no calendar has is refused, because no page could show it', async () => {
    for (const [dueAt, status] of [
      [8_640_000_000_000_000, 200],
      [8_640_000_000_000_001, 400],
      [-1, 400],
    ] as const) {
      const answer = await post('/v1/reviews/assign', JSON.stringify({ ids: ['review-1'], dueAt }))
      expect([dueAt, answer.status]).toEqual([dueAt, status])
      if (status === 400) expect(problemOf(answer).errors?.map(({ field }) => field)).toEqual(['dueAt'])
    }
  })

  test('of more than a megabyte is refused as 413, also without a length', async () => {
    const body = JSON.stringify({ question: 'x'.repeat(1_100_000), options: ['A', 'B'] })
    for (const isChunked of [false, true]) {
      const answer = await post('/v1/decisions', body, { isChunked })
      expect({ isChunked, status: answer.status }).toEqual({ isChunked, status: 413 })
      problemOf(answer)
    }
  })

  test('without a length is read where it is small enough', async () => {
    const body = JSON.stringify({ question: 'Which?', options: ['A', 'B'] })
    expect((await post('/v1/decisions', body, { isChunked: true })).status).toBe(202)
  })

  test('nested a thousand levels deep is refused', async () => {
    const deep = `${'['.repeat(1000)}${']'.repeat(1000)}`
    const answer = await post('/v1/decisions', `{"question":"Which?","options":["A","B"],"more":${deep}}`)
    expect(answer.status).toBe(400)
    expect(problemOf(answer).detail).toContain('levels')
  })

  test('with more keys or items than the contract has is refused before it is parsed', async () => {
    const names = (count: number) => Array.from({ length: count }, (_, at) => `o${at}`)
    const record = (count: number) => Object.fromEntries(names(count).map((name) => [name, '']))
    const bodyOf = (options: unknown) => JSON.stringify({ question: 'Which?', options })
    const before = asked.length
    const parse = vi.spyOn(JSON, 'parse')
    onTestFinished(() => void parse.mockRestore())
    // Together they have as many different keys as one object must not have.
    const split = Array.from({ length: 11 }, (_, part) =>
      Object.fromEntries(names(99).map((name) => [`${part} ${name}`, 0])),
    )
    for (const options of [record(80_000), names(80_000), split]) {
      const answer = await post('/v1/decisions', bodyOf(options))
      expect([answer.status, answer.text]).toEqual([413, expect.stringContaining('at most 500 options')])
    }
    expect(parse).not.toHaveBeenCalled()
    // Fewer keys are left to the contract, which names the field.
    for (const options of [record(501), names(501), record(1)]) {
      const answer = await post('/v1/decisions', bodyOf(options))
      expect([answer.status, problemOf(answer).errors?.[0]?.field]).toEqual([400, 'options'])
    }
    expect(asked).toHaveLength(before)
    expect((await post('/v1/decisions', bodyOf(record(500)))).status).toBe(202)
  })

  test('that is large leaves a turn to others before the next large one', async () => {
    const order: string[] = []
    const bodies = Array.from({ length: 5 }, () => turnOfLargeBody().then(() => order.push('body')))
    const others = async () => {
      for (let turn = 0; turn < 5; turn++) {
        await new Promise((resolve) => setImmediate(resolve))
        order.push('other')
      }
    }
    await Promise.all([others(), ...bodies])
    expect(order.join(' ')).not.toContain('body body')
  })

  test('is smaller where nothing long can be said', async () => {
    for (const [path, body] of [
      ['/v1/session', { token: 'x'.repeat(100_001) }],
      ['/v1/policy/suspend', { note: 'x'.repeat(100_001) }],
    ] as const) {
      expect([path, (await post(path, JSON.stringify(body))).status]).toEqual([path, 413])
    }
  })

  test('with brackets in its texts is not nested', async () => {
    const question = `${'[{'.repeat(1000)}"\\`
    expect((await post('/v1/decisions', JSON.stringify({ question, options: ['A', 'B'] }))).status).toBe(202)
  })

  test.each(['__proto__', '\\u005f_proto__', '__pr\\u006fto__'])(
    'with the key %s is refused, and pollutes nothing',
    async (key) => {
      const answer = await post('/v1/decisions', `{"question":"Which?","options":{"A":"","${key}":{"admin":true}}}`)
      expect(answer.status).toBe(422)
      expect(problemOf(answer).errors?.[0]?.field).toBe('options.__proto__')
      expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false)
    },
  )

  test('may have __proto__, constructor and toString as values, and the latter as keys', async () => {
    const options = { constructor: 'a', toString: 'b', A: '__proto__' }
    expect((await post('/v1/decisions', JSON.stringify({ question: '__proto__', options }))).status).toBe(202)
    expect(asked.at(-1)).toMatchObject({ question: { question: '__proto__', options }, who: 'local' })
  })

  test('of another type is refused as 415', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/x-ndjson',
    ]) {
      const answer = await post('/v1/decisions', '{}', { headers: { 'content-type': type } })
      expect({ type, status: answer.status }).toEqual({ type, status: 415 })
      problemOf(answer)
    }
  })

  test('of debates goes through as it comes, up to its limit', async () => {
    const line = `${JSON.stringify({ id: 'x'.repeat(1000) })}\n`
    const headers = { 'content-type': 'application/x-ndjson' }
    const answer = await post('/v1/certificates?beta=0.1', line.repeat(5000), { headers, isChunked: true })
    expect(answer.json()).toMatchObject({ labels: 5000 })
    const tooLong = { ...headers, 'content-length': '200000001' }
    expect(
      (await ask(server.port, '/v1/certificates', { method: 'POST', headers: tooLong, body: '' }).catch(() => null))
        ?.status ?? 413,
    ).toBe(413)
  })
})

test('a field that is missing is named with what is expected', async () => {
  const answer = await post('/v1/decisions', '{}')
  expect(answer.json()).toMatchObject({ status: 400, errors: [{ field: 'question', expected: 'string' }] })
})

describe('an address', () => {
  test('that is none is 404', async () => {
    for (const path of ['/v2/decisions', '/v1', '/v1/decisions/', '/nothing', '/v1/decisions/no-such-id']) {
      const answer = await ask(server.port, path)
      expect({ path, status: answer.status }).toEqual({ path, status: 404 })
      problemOf(answer)
    }
  })

  test('with another method is 405 and says which', async () => {
    for (const [method, path, allow] of [
      ['PUT', '/v1/decisions', 'POST, OPTIONS'],
      ['GET', '/v1/decisions', 'POST, OPTIONS'],
      ['PATCH', '/v1/session', 'POST, GET, DELETE, HEAD, OPTIONS'],
      ['DELETE', '/v1/reviews/next', 'POST, GET, HEAD, OPTIONS'],
    ] as const) {
      const answer = await ask(server.port, path, { method })
      expect({ path, status: answer.status, allow: answer.headers['allow'] }).toEqual({ path, status: 405, allow })
      problemOf(answer)
    }
  })

  test('answers OPTIONS with its methods, and allows no other site anything', async () => {
    const answer = await ask(server.port, '/v1/debates', { method: 'OPTIONS' })
    expect(answer.status).toBe(204)
    expect(answer.headers['allow']).toBe('GET, HEAD, OPTIONS')
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })

  test('gives HEAD the head of GET without a body', async () => {
    const [head, get] = [
      await ask(server.port, '/v1/monitor', { method: 'HEAD' }),
      await ask(server.port, '/v1/monitor'),
    ]
    expect(head.status).toBe(200)
    expect(head.text).toBe('')
    expect(head.headers['content-type']).toBe(get.headers['content-type'])
  })

  test('refuses a query that it cannot read, with the name of the field', async () => {
    for (const [path, field] of [
      ['/v1/debates?limit=0', 'limit'],
      ['/v1/debates?limit=1e9', 'limit'],
      ['/v1/debates?kind=maybe', 'kind'],
      ['/v1/ledger', 'run'],
      ['/v1/decisions/x?wait=forever', 'wait'],
    ] as const) {
      const answer = await ask(server.port, path)
      expect({ path, status: answer.status }).toEqual({ path, status: 400 })
      expect(problemOf(answer).errors?.map((error) => error.field)).toEqual([field])
    }
  })

  test('refuses an idempotency key that cannot be one', async () => {
    const body = JSON.stringify({ question: 'Which?', options: ['A', 'B'] })
    expect((await post('/v1/decisions', body, { headers: { 'idempotency-key': 'two words' } })).status).toBe(400)
    expect((await post('/v1/decisions', body, { headers: { 'idempotency-key': 'k-1' } })).status).toBe(202)
    expect(asked.at(-1)).toMatchObject({ idempotencyKey: 'k-1' })
  })
})

describe('a fault', () => {
  test('of ours is 500 without anything of it, which the log has', async () => {
    fault = new Error('SELECT secret FROM /internal/place')
    const answer = await ask(server.port, '/v1/audit')
    expect(answer.status).toBe(500)
    problemOf(answer)
    expect(answer.text).not.toMatch(/SELECT|internal|at .*\.ts/)
    expect(server.reports.at(-1)).toContain('SELECT secret')
  })

  test('that is thrown as a problem is answered as it, also through a cause', async () => {
    fault = new Error('wrapped', { cause: new ProblemError({ status: 409, detail: 'another body' }) })
    expect(problemOf(await ask(server.port, '/v1/audit'))).toMatchObject({ status: 409, detail: 'another body' })
  })

  test('of the store says whether to come again', async () => {
    for (const [kind, status] of [
      ['busy', 503],
      ['disk-full', 503],
      ['invalid', 422],
      ['exists', 409],
      ['damaged', 500],
    ] as const) {
      fault = new StoreError(kind, 'store: words')
      expect({ kind, status: (await ask(server.port, '/v1/audit')).status }).toEqual({ kind, status })
    }
  })
})

describe('the log', () => {
  test('has a line for each request with its pattern, and nothing of what was sent', async () => {
    const before = server.lines.length
    await ask(server.port, '/v1/decisions/secret-id?wait=0&token=secret', { headers: { cookie: 'a=secret' } })
    await post('/v1/decisions', JSON.stringify({ question: 'secret', options: ['A', 'B'] }))
    const lines = server.lines.slice(before)
    expect(lines).toMatchObject([
      { method: 'GET', route: '/v1/decisions/{id}', status: 404, who: 'local' },
      { method: 'POST', route: '/v1/decisions', status: 202, who: 'local' },
    ])
    expect(JSON.stringify(lines)).not.toContain('secret')
    expect(lines.every(({ ms, id }) => ms >= 0 && id !== '')).toBe(true)
  })

  test('names the request as its answer does', async () => {
    const answer = await ask(server.port, '/healthz')
    expect(server.lines.at(-1)?.id).toBe(answer.headers['x-request-id'])
  })
})

test('nothing that the API says is kept by a cache', async () => {
  const paths = ['/v1/monitor', '/v1/nothing', '/metrics', '/healthz', '/v1/debates?limit=x', '/openapi.json']
  for (const path of paths) {
    expect([path, (await ask(server.port, path)).headers['cache-control']]).toEqual([path, 'no-store'])
  }
  const refused = [await post('/v1/decisions', '{'), await post('/v1/session', '{"token":"wrong"}')]
  expect(refused.map(({ headers }) => headers['cache-control'])).toEqual(['no-store', 'no-store'])
})

test('the metrics count decisions, the queue, the monitor, webhooks and requests by route', async () => {
  await ask(server.port, '/v1/debates/some-run/some-question')
  const { text, headers } = await ask(server.port, '/metrics')
  expect(headers['content-type']).toContain('version=0.0.4')
  for (const line of [
    'quorate_decisions{kind="act",reason=""} 60',
    'quorate_decisions{kind="defer",reason="bound-low"} 39',
    'quorate_acted_share 0.6',
    'quorate_review_queue 40',
    'quorate_review_oldest_seconds 60',
    'quorate_policy_suspended 0',
    'quorate_monitor_wealth 1.5',
    'quorate_webhooks{state="pending"} 0',
    'quorate_spend_usd 2.5',
    'quorate_requests_total{method="GET",route="/v1/debates/{runId}/{questionId}",status="200"} 1',
  ]) {
    expect(text.split('\n')).toContain(line)
  }
  // The rate of wrong actions is not known yet.
  expect(text).not.toContain('quorate_wrong_action_share')
  expect(text).not.toContain('some-question')
})
