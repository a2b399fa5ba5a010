import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROUTES } from '../../src/contract/routes.ts'
import type { Services } from '../../src/server/services.ts'
import { ask } from './ask.ts'
import { fakeServices } from './fake-services.ts'
import { startTestServer, type TestServer } from './test-server.ts'

const IDS = ['a/b', 'a?b#c', '100 %', '%2e', '%2F', '%', 'ü 判 🏳️‍🌈', '...', 'a\\b', '"\'<b>', ';,&=+@:$!*()', ' ']
const WITH_ID = ROUTES.filter(({ path }) => path.includes('{'))

/** The ids that the services received. */
const asked: string[] = []
let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ services: listening(fakeServices()) })
})
afterAll(() => server.stop())

/** The fake services, and every text that they received. */
function listening(services: Services): Services {
  const received = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return (...given: readonly unknown[]) => {
          asked.push(...given.filter((each) => typeof each === 'string'))
          return member.apply(target, given)
        }
      },
    })
  const { decisions, certificates, debates, reviews, tokens } = services
  return {
    ...services,
    decisions: received(decisions),
    certificates: received(certificates),
    debates: received(debates),
    reviews: received(reviews),
    tokens: received(tokens),
  }
}

function send(method: string, path: string) {
  const body = JSON.stringify(path.endsWith('/activate') ? { note: 'why' } : { outcome: { kind: 'cannot-tell' } })
  return ask(server.port, path, method === 'GET' ? { method } : { method, body })
}

test.each(WITH_ID)('$method $path receives exactly the id that was escaped', async ({ method, path }) => {
  for (const id of IDS) {
    asked.length = 0
    const { status } = await send(method, path.replaceAll(/\{\w+\}/g, encodeURIComponent(id)))
    expect({ id, asked: new Set(asked), isAnswered: status === 200 || status === 404 }).toEqual({
      id,
      asked: new Set([id]),
      isAnswered: true,
    })
  }
})

test.each(WITH_ID)(
  '$method $path with a dot segment is refused with an explanation and reaches no service',
  async ({ method, path }) => {
    for (const id of ['.', '..', '%2e', '%2E%2e', '.%2E']) {
      asked.length = 0
      const answer = await send(method, path.replaceAll(/\{\w+\}/g, id))
      expect({ id, asked, status: answer.status }).toEqual({ id, asked: [], status: 400 })
      expect(answer.json()).toMatchObject({
        detail: 'The path contains the segment "." or "..", which is not a valid id.',
      })
    }
  },
)

test.each(WITH_ID)(
  '$method $path with an escape that is none is answered without a fault',
  async ({ method, path }) => {
    for (const id of ['%', '%zz', '%ff', '%c3%28', '%00']) {
      const { status, headers } = await send(method, path.replaceAll(/\{\w+\}/g, id))
      expect({ id, isFault: status >= 500, type: typeof headers['content-type'] }).toEqual({
        id,
        isFault: false,
        type: 'string',
      })
    }
  },
)

test.each([
  ['id', { id: '..' }],
  ['id', { id: '.' }],
  ['id', { id: 'a\u001b[2J' }],
  ['group', { group: 'two\nlines' }],
  ['rounds.0.0.agent', { rounds: [[{ agent: 'ada\u0000', answer: 'A' }]] }],
])(
  'POST /v1/certify and /v1/decisions refuse what no address or page could contain, by its field: %s',
  async (field, change) => {
    const usual = { id: 'q', question: 'Which?', options: ['A', 'B'], rounds: [[{ agent: 'ada', answer: 'A' }]] }
    for (const path of field.startsWith('rounds') ? ['/v1/certify'] : ['/v1/certify', '/v1/decisions']) {
      const { rounds, ...question } = { ...usual, ...change }
      const body = JSON.stringify(path === '/v1/certify' ? { ...question, rounds } : question)
      const answer = await ask(server.port, path, { method: 'POST', body })
      expect({ path, status: answer.status, problem: answer.json() }).toMatchObject({
        path,
        status: 400,
        problem: { errors: [{ field, expected: expect.stringMatching(/without control characters|any id except/) }] },
      })
    }
  },
)
