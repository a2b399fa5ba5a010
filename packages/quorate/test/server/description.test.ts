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

test('/docs shows every route without a script and without anything inline', async () => {
  const { text, headers } = await ask(server.port, '/docs')
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  for (const { path, summary } of ROUTES.filter(({ path: shown }) => shown !== '/openapi.json')) {
    expect(text).toContain(path)
    expect(text).toContain(summary)
  }
  expect(text).not.toMatch(/<script|style=|<style|\son\w+=|https?:\/\//)
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
