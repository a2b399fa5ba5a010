import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { ROUTES } from '../../src/contract/routes.ts'
import { docsPage } from '../../src/server/docs-page.ts'
import { ask } from './ask.ts'
import { startTestServer, type TestServer } from './test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const documentSchema = z.object({
  openapi: z.literal('3.1.0'),
  paths: z.record(
    z.string(),
    z.record(z.string(), z.looseObject({ summary: z.string(), responses: z.record(z.string(), z.unknown()) })),
  ),
})

async function describedPaths() {
  return documentSchema.parse((await ask(server.port, '/openapi.json')).json()).paths
}

test('the OpenAPI document has every route of the contract, and no other', async () => {
  const described = Object.entries(await describedPaths()).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const routes = ROUTES.map(({ method, path }) => `${method} ${path}`).filter((name) => name !== 'GET /openapi.json')
  expect(described.sort()).toEqual(routes.sort())
})

test('it describes bodies, queries, answers and refusals', async () => {
  const paths = await describedPaths()
  expect(paths['/v1/certify']?.['post']).toMatchObject({
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { properties: { rounds: { type: 'array' } } } } },
    },
    responses: {
      200: { content: { 'application/json': { schema: { properties: { decisionId: { type: 'string' } } } } } },
      default: { content: { 'application/problem+json': {} } },
    },
    security: [{ token: [] }, { session: [] }],
  })
  expect(paths['/v1/debates']?.['get']?.['parameters']).toContainEqual(
    expect.objectContaining({ name: 'cursor', in: 'query', required: false }),
  )
  expect(paths['/v1/certificates']?.['post']?.['requestBody']).toMatchObject({
    content: { 'application/x-ndjson': {} },
  })
})

test('ids that are taken match their own schema, read with or without the flag u, and others do not', async () => {
  const patterns = patternsOf((await ask(server.port, '/openapi.json')).json())
  expect(patterns.length).toBeGreaterThan(0)
  for (const pattern of patterns) {
    for (const flags of ['', 'u']) {
      const expression = new RegExp(pattern, flags)
      for (const id of ['claim-4711', 'Grüße 1/2', 'новый', '質問', '🦀']) expect(id).toMatch(expression)
      for (const id of ['a\nb', 'a\u0000', '\u0085']) expect(id).not.toMatch(expression)
    }
  }
})

const certifyBody = {
  id: 'claim-4711',
  question: 'Is it covered?',
  options: { A: 'yes', B: 'no' },
  group: 'motor',
  rounds: [[{ agent: 'ada', answer: 'A', beliefs: { A: 0.9, B: 0.1 } }]],
}

test.each([
  { path: '/v1/certify', body: certifyBody, wrong: { ...certifyBody, id: 'a\nb' } },
  { path: '/v1/decisions', body: { id: 'claim-1', question: 'Which?', options: ['A', 'B'] }, wrong: { question: '' } },
])('a body of $path passes the JSON Schema of the document, a wrong one does not', async ({ path, body, wrong }) => {
  const described = (await describedPaths())[path]?.['post']?.['requestBody']
  const { schema } = bodySchema.parse(described).content['application/json']
  // The document declares JSON Schema 2020-12; the reader checks its types.
  const reader = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])
  expect(reader.safeParse(body).error?.issues).toBeUndefined()
  expect(reader.safeParse(wrong).success).toBe(false)
})

const bodySchema = z.object({ content: z.object({ 'application/json': z.object({ schema: z.unknown() }) }) })

function patternsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'pattern' && typeof inner === 'string' ? [inner] : patternsOf(inner),
  )
}

test('/docs shows every route without a script and without anything inline', async () => {
  const { text, headers } = await ask(server.port, '/docs')
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  for (const { path, summary } of ROUTES.filter(({ path: shown }) => shown !== '/openapi.json')) {
    expect(text).toContain(path)
    expect(text).toContain(summary)
  }
  expect(text).not.toMatch(/<script|style=|<style|\son\w+=|https?:\/\//)
  // Otherwise a browser requests /favicon.ico, which does not exist.
  expect(text).toContain('<link rel="icon" href="data:,">')
  expect((await ask(server.port, '/docs.css')).headers['content-type']).toContain('text/css')
})

test('/docs keeps hostile text as text', () => {
  const hostile = '<img src=x onerror=alert(1)>'
  const page = docsPage({
    info: { title: hostile, version: hostile, description: hostile },
    paths: {
      [hostile]: {
        get: {
          tags: [hostile],
          summary: hostile,
          parameters: [{ name: hostile, in: 'query', schema: { const: hostile } }],
        },
      },
    },
  })
  expect(page).not.toContain('<img')
})
