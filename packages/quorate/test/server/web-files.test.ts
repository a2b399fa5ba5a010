import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadWebFiles } from '../../src/server/web-files.ts'
import { ask } from './ask.ts'
import { startTestServer, type TestServer } from './test-server.ts'

const SECRET = 'what lies beside the app'
const SCRIPT = `console.log('${'app '.repeat(500)}')\n`
const folder = mkdtempSync(join(tmpdir(), 'quorate-web-'))
const app = join(folder, 'app')
let server: TestServer

beforeAll(async () => {
  mkdirSync(join(app, 'assets'), { recursive: true })
  writeFileSync(join(folder, 'secret.txt'), SECRET)
  writeFileSync(join(folder, 'app-secret.html'), SECRET)
  writeFileSync(join(app, 'index.html'), '<!doctype html><title>app</title>')
  writeFileSync(join(app, 'assets', 'main-Ab3_x-9Q.js'), SCRIPT)
  writeFileSync(join(app, 'theme.js'), 'theme')
  writeFileSync(join(app, 'source.ts'), SECRET)
  writeFileSync(join(app, '.env'), SECRET)
  symlinkSync(join(folder, 'secret.txt'), join(app, 'link.txt'))
  symlinkSync(folder, join(app, 'up'))
  server = await startTestServer({ web: await loadWebFiles(app) })
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

test('the app is served from its folder, and / is its page', async () => {
  const page = await ask(server.port, '/')
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.text).toContain('<title>app</title>')
  expect(page.headers['cache-control']).toBe('no-cache')
})

test('files with a hash in their name are kept for ever, and none is sent twice', async () => {
  const first = await ask(server.port, '/assets/main-Ab3_x-9Q.js')
  expect(first.headers['cache-control']).toContain('immutable')
  expect(first.text).toBe(SCRIPT)
  expect((await ask(server.port, '/theme.js')).headers['cache-control']).toBe('no-cache')
  const etag = String(first.headers['etag'])
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const again = await ask(server.port, '/assets/main-Ab3_x-9Q.js', { headers: { 'if-none-match': known } })
    expect([again.status, again.text]).toEqual([304, ''])
  }
})

test('the address of a page without its # leads to the page, for browsers only', async () => {
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
  for (const [path, page] of [
    ['/review', '/#/review'],
    ['/certificates/active?tab=1', '/#/certificates/active'],
  ] as const) {
    const answer = await ask(server.port, path, { headers: { accept } })
    expect([path, answer.status, answer.headers['location']]).toEqual([path, 302, page])
    expect((await ask(server.port, path)).status).toBe(404)
  }
  for (const path of ['/nowhere', '/v1/nowhere', '//example.org/review', '/review/%0d%0ax', '/review//example.org'])
    expect([path, (await ask(server.port, path, { headers: { accept } })).status]).toEqual([path, 404])
  expect((await ask(server.port, '/review', { method: 'POST', headers: { accept } })).status).toBe(404)
})

test('who takes gzip gets it', async () => {
  const response = await fetch(`http://127.0.0.1:${server.port}/assets/main-Ab3_x-9Q.js`)
  expect(await response.text()).toBe(SCRIPT)
  const file = (await loadWebFiles(app))?.get('/assets/main-Ab3_x-9Q.js')
  expect(gunzipSync(file?.gzipped ?? new Uint8Array()).toString()).toBe(SCRIPT)
  const refused = await ask(server.port, '/assets/main-Ab3_x-9Q.js', { headers: { 'accept-encoding': 'gzip;q=0' } })
  expect(refused.headers['content-encoding']).toBeUndefined()
  const taken = await ask(server.port, '/assets/main-Ab3_x-9Q.js', { headers: { 'accept-encoding': 'br, gzip' } })
  expect(taken.headers['content-encoding']).toBe('gzip')
})

test('no path leaves the folder, however it is written', async () => {
  const up = [
    '..',
    '%2e%2e',
    '.%2e',
    '%2E.',
    '%252e%252e',
    '..%00',
    '..;',
    '%c0%ae%c0%ae',
    '\\..',
    '%5c..',
    '..%5c',
    '....//..',
  ]
  const paths = up.flatMap((part) =>
    ['', '/assets'].flatMap((base) => [
      `${base}/${part}/secret.txt`,
      `${base}/${part}/${part}/secret.txt`,
      `${base}/${part}%2fsecret.txt`,
      `${base}/${part}%5csecret.txt`,
      `${base}/x/${part}/${part}/secret.txt`,
    ]),
  )
  const others = [
    '//etc/passwd',
    '/link.txt',
    '/up/secret.txt',
    '/.env',
    '/source.ts',
    '/../app-secret.html',
    '-secret.html',
    `http://127.0.0.1:${server.port}/../secret.txt`,
    'file:///etc/passwd',
    '*',
  ]
  for (const path of [...paths, ...others]) {
    const answer = await ask(server.port, path).catch(() => null)
    expect({ path, isShut: answer === null || answer.status === 404 || answer.status === 400 }).toEqual({
      path,
      isShut: true,
    })
    expect(answer?.text ?? '').not.toContain(SECRET)
  }
})

test('a folder without a page is no app, and / says what to do', async () => {
  expect(await loadWebFiles(join(folder, 'nothing'))).toBeNull()
  const bare = await startTestServer()
  const answer = await ask(bare.port, '/')
  expect([answer.status, answer.headers['content-type']]).toEqual([404, 'application/problem+json'])
  expect(answer.text).toContain('npm run build')
  await bare.stop()
})
