import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROUTES } from '../../src/contract/routes.ts'
import { ask, bearer } from './ask.ts'
import { startTestServer, type TestServer } from './test-server.ts'

const CHOICE = {
  type: 'json_schema',
  json_schema: { name: 'choice', schema: { type: 'object', properties: { answer: { enum: ['A', 'B'] } } } },
}

/** A valid body for each route. */
const BODIES: Readonly<Record<string, unknown>> = {
  'POST /mcp': { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  'POST /v1/session': { token: 'nobody knows this one' },
  'POST /v1/decisions': { question: 'Which?', options: ['A', 'B'] },
  'POST /v1/chat/completions': {
    model: 'quorate/panel',
    messages: [{ role: 'user', content: 'Which?' }],
    response_format: CHOICE,
  },
  'POST /v1/responses': {
    model: 'quorate/panel',
    input: 'Which?',
    text: { format: { type: 'json_schema', name: 'choice', schema: CHOICE.json_schema.schema } },
  },
  'POST /v1/export/answers': { debates: [] },
  'POST /v1/decisions/known': { ids: ['q'] },
  'POST /v1/certify': { id: 'q', options: ['A', 'B'], rounds: [[{ agent: 'ada', answer: 'A' }]] },
  'POST /v1/reviews/{id}/submit': { outcome: { kind: 'cannot-tell' } },
  'POST /v1/reviews/assign': { ids: ['review-1'], assignedTo: 'ann' },
  'POST /v1/reviews/release': { ids: ['review-1'] },
  'POST /v1/reviews/request': { debates: [{ runId: 'run-1', questionId: 'question-1' }] },
  'POST /v1/claims/release': { reviewer: 'ann' },
  'POST /v1/certificates/{id}/activate': { note: 'its audit is clean' },
  'POST /v1/policy/suspend': { note: 'a look at it' },
  'POST /v1/policy/release': { note: 'looked at it' },
  'POST /v1/tokens': { name: 'bea', role: 'reviewer', kind: 'human' },
}

/** The status if the caller is allowed; 200 unless named. */
const SUCCESS: Readonly<Record<string, number>> = {
  // The token in the body is wrong, for every sender.
  'POST /v1/session': 401,
  'DELETE /v1/session': 204,
  'POST /v1/decisions': 202,
}

const CALLERS = ['nobody', 'viewer', 'reviewer', 'machine reviewer', 'admin', 'machine admin'] as const
type Caller = (typeof CALLERS)[number]

/** Who may use which route, written out instead of computed from ROUTES. */
const READING: readonly Caller[] = ['viewer', 'reviewer', 'machine reviewer', 'admin', 'machine admin']
const WORKING: readonly Caller[] = ['reviewer', 'machine reviewer', 'admin', 'machine admin']
const RULING: readonly Caller[] = ['admin', 'machine admin']
const MAY: Readonly<Record<string, readonly Caller[]>> = {
  'GET /healthz': CALLERS,
  'GET /readyz': CALLERS,
  'GET /metrics': READING,
  'GET /openapi.json': CALLERS,
  'POST /mcp': READING,
  'POST /v1/session': CALLERS,
  'GET /v1/session': READING,
  'DELETE /v1/session': READING,
  'POST /v1/decisions': WORKING,
  'POST /v1/decisions/known': WORKING,
  'GET /v1/decisions/{id}': READING,
  'GET /v1/decisions/{id}/events': READING,
  'POST /v1/chat/completions': WORKING,
  'POST /v1/responses': WORKING,
  'GET /v1/models': READING,
  'POST /v1/certify': WORKING,
  'GET /v1/certificates': READING,
  'POST /v1/certificates': RULING,
  'GET /v1/certificates/{id}': READING,
  'POST /v1/certificates/{id}/activate': ['admin'],
  'GET /v1/debates': READING,
  'GET /v1/debates/{runId}/{questionId}': READING,
  'GET /v1/debate-summary': READING,
  'GET /v1/operating-point': READING,
  'GET /v1/evaluate': READING,
  'GET /v1/audit': READING,
  'GET /v1/reviews': READING,
  'POST /v1/reviews/next': ['reviewer', 'admin'],
  'POST /v1/reviews/assign': RULING,
  'POST /v1/reviews/release': RULING,
  'POST /v1/reviews/request': WORKING,
  'GET /v1/reviews/{id}': WORKING,
  'POST /v1/reviews/{id}/claim': ['reviewer', 'admin'],
  'POST /v1/reviews/{id}/submit': ['reviewer', 'admin'],
  'POST /v1/reviews/{id}/skip': WORKING,
  'POST /v1/reviews/{id}/release': WORKING,
  'POST /v1/reviews/{id}/undo': ['reviewer', 'admin'],
  'POST /v1/claims/release': RULING,
  'GET /v1/labels': READING,
  'GET /v1/agreement': READING,
  'GET /v1/monitor': READING,
  'POST /v1/policy/suspend': ['admin'],
  'POST /v1/policy/release': ['admin'],
  'GET /v1/ledger': READING,
  'GET /v1/export/answers': READING,
  'POST /v1/export/answers': READING,
  'GET /v1/runs': READING,
  'GET /v1/settings': READING,
  'GET /v1/tokens': RULING,
  'POST /v1/tokens': ['admin'],
  'POST /v1/tokens/{id}/revoke': ['admin'],
}

const NAMES = ROUTES.map(({ method, path }) => `${method} ${path}`)

function requestTo(name: string) {
  const [method = '', pattern = ''] = name.split(' ')
  const filled = pattern
    .replace('/certificates/{id}', '/certificates/certificate-1')
    .replace('/decisions/{id}', '/decisions/decision-1')
    .replaceAll(/\{\w+\}/g, 'some-id')
  const path = pattern === '/v1/ledger' ? `${filled}?run=policy` : filled
  const type = name === 'POST /v1/certificates' ? 'application/x-ndjson' : 'application/json'
  const body = JSON.stringify(BODIES[name] ?? {})
  return {
    path,
    method,
    ...(method === 'GET'
      ? {}
      : { body, headers: { 'content-type': type, accept: 'application/json, text/event-stream' } }),
  }
}

test('the table of the test has every route of the contract', () => {
  expect(Object.keys(MAY).sort()).toEqual([...NAMES].sort())
})

describe('with a token', () => {
  let server: TestServer
  const tokens = new Map<Caller, string>()
  beforeAll(async () => {
    server = await startTestServer({ requiresToken: true })
    for (const caller of CALLERS.filter((name) => name !== 'nobody')) {
      const kind = caller.startsWith('machine') ? 'machine' : 'human'
      const role = caller.includes('admin') ? 'admin' : caller.includes('reviewer') ? 'reviewer' : 'viewer'
      tokens.set(caller, await server.token({ name: caller, role, kind }))
    }
  })
  afterAll(() => server.stop())

  test.each(NAMES)('%s is answered to those who may, and to nobody else', async (name) => {
    const { path, ...request } = requestTo(name)
    for (const caller of CALLERS) {
      const token = tokens.get(caller)
      const headers = { ...request.headers, ...(token === undefined ? {} : bearer(token)) }
      const { status } = await ask(server.port, path, { ...request, headers })
      const refused = caller === 'nobody' ? 401 : 403
      const expected = MAY[name]?.includes(caller) === true ? (SUCCESS[name] ?? 200) : refused
      // A sign-in with a wrong token counts as a guess, which must not delay the next row.
      server.clock.now += 60_000
      expect({ name, caller, status }).toEqual({ name, caller, status: expected })
    }
  })
})

describe('on loopback without a token', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server.stop())

  test.each(NAMES)('%s is answered to the person at this machine', async (name) => {
    const { path, ...request } = requestTo(name)
    const { status } = await ask(server.port, path, request)
    expect(status).toBe(SUCCESS[name] ?? 200)
  })

  test('a wrong token is refused all the same', async () => {
    const wrong = await ask(server.port, '/v1/session', { headers: bearer('wrong') })
    expect(wrong.status).toBe(401)
    // The full stop of the sentence is no part of the command.
    expect(wrong.json()).toMatchObject({ next: expect.stringMatching(/"quorate token create [^"]+machine"\.$/u) })
  })

  test('GET /v1/session says who it is', async () => {
    expect((await ask(server.port, '/v1/session')).json()).toEqual({
      name: 'local',
      role: 'admin',
      kind: 'human',
      isLocal: true,
      undoMs: 10_000,
      version: '1.2.3',
    })
  })
})
