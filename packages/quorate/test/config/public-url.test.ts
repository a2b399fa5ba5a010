import { expect, test } from 'vitest'
import { publicOrigin } from '../../src/config/public-url.ts'
import { load, SMALL, sayings } from './config-folder.ts'

test('a public URL is an https origin, or http on this machine', () => {
  for (const [url, origin] of [
    ['https://quorate.example', 'https://quorate.example'],
    ['https://Quorate.Example:443/', 'https://quorate.example'],
    ['https://quorate.example:8443', 'https://quorate.example:8443'],
    ['http://localhost:8080', 'http://localhost:8080'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080'],
    ['https://[2001:db8::1]', 'https://[2001:db8::1]'],
  ]) {
    expect([url, publicOrigin(url ?? '')]).toEqual([url, origin])
  }
  for (const url of [
    'http://quorate.example',
    'http://127.0.0.1.example',
    'https://quorate.example/app',
    'https://quorate.example/?a=1',
    'https://quorate.example/#x',
    'https://user@quorate.example',
    'https://user:password@quorate.example',
    'https://*.example',
    'ftp://quorate.example',
    'quorate.example',
    '//quorate.example',
    '',
  ]) {
    expect([url, publicOrigin(url)]).toEqual([url, null])
  }
})

test('the config, then the environment, then a flag set how the server is reached, and decisions do not change', async () => {
  const written = `${SMALL}server: { publicUrl: "https://one.example/", connectionsPerAddress: 7 }\n`
  const env = { QUORATE_PUBLIC_URL: 'https://two.example', QUORATE_CONNECTIONS_PER_ADDRESS: '8' }
  const [plain, file, variable] = [await load(SMALL), await load(written), await load(written, { env })]
  const flags = { 'public-url': 'https://three.example' }
  const flag = await load(written, { env, flags })
  expect([plain, file, variable, flag].map(({ config }) => config.server)).toEqual([
    { publicOrigin: null, connectionsPerAddress: 512 },
    { publicOrigin: 'https://one.example', connectionsPerAddress: 7 },
    { publicOrigin: 'https://two.example', connectionsPerAddress: 8 },
    { publicOrigin: 'https://three.example', connectionsPerAddress: 8 },
  ])
  expect(new Set([plain, file, variable, flag].map(({ config }) => config.hash)).size).toBe(1)
})

test('an invalid one is refused with what was expected', async () => {
  const message = await sayings(`${SMALL}server: { publicUrl: "http://quorate.example", connectionsPerAddress: 0 }\n`)
  expect(message).toMatch(/server\.publicUrl must be an https address/)
  expect(message).toMatch(/server\.connectionsPerAddress must be a whole number from 1 to 3000/)
})
