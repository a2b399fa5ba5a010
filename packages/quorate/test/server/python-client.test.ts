import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signatureOf } from '../../src/server/webhooks/deliver.ts'
import { serveWorld } from './deciding/world.ts'
import { startTestServer, type TestServer } from './test-server.ts'

const document = readFileSync(new URL('../../../../docs/http.md', import.meta.url), 'utf8')
const [client = '', verifier = ''] = [...document.matchAll(/^```python\n([\s\S]*?)^```$/gm)].map(
  ([, code]) => code ?? '',
)
const hasPython = spawnSync('python3', ['--version']).status === 0

function python(script: string, env: Readonly<Record<string, string>> = {}) {
  return new Promise<{ readonly code: number | null; readonly output: string }>((resolve) => {
    const child = spawn('python3', ['-c', script], { env: { ...process.env, ...env } })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    child.on('close', (code) => resolve({ code, output }))
  })
}

describe.skipIf(!hasPython)('the Python of docs/http.md', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ requiresToken: true })
  })
  afterAll(() => server.stop())

  test('decides a debate, asks the panel and reads a list, with the standard library only', async () => {
    const token = await server.token({ name: 'python', role: 'reviewer', kind: 'machine' })
    const { code, output } = await python(client, {
      QUORATE_URL: `http://127.0.0.1:${server.port}`,
      QUORATE_TOKEN: token,
    })
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' })
    expect(output.split('\n')[0]).toBe('act A None 0.97 against 0.95')
    expect(output).toContain("decided {'kind': 'act'")
    expect(server.lines.map(({ route, who }) => [route, who])).toEqual([
      ['/v1/certify', 'python'],
      ['/v1/decisions', 'python'],
      ['/v1/decisions/{id}', 'python'],
      ['/v1/debates', 'python'],
    ])
  })

  test('acts on a simulated panel as it stands: with the agents of its certificate and a question that they know', async () => {
    const { services, store } = await serveWorld()
    const real = await startTestServer({ services, store })
    const { code, output } = await python(client, { QUORATE_URL: `http://127.0.0.1:${real.port}` })
    await real.stop()
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' })
    expect(output).toMatch(/^act A None/m)
    expect(output).toContain("decided {'kind': 'act', 'answer': 'C'")
  })

  test('tells what is wrong in the words of the problem', async () => {
    const { output } = await python(client, { QUORATE_URL: `http://127.0.0.1:${server.port}` })
    expect(output).toContain('RuntimeError: 401: a token is needed')
  })

  test('believes a signed message, and none that was changed, signed by another, old or unreadable', async () => {
    const at = 1_700_000_000_000
    const body = JSON.stringify({ event: 'decision.acted', text: 'Grüße' })
    const header = signatureOf(body, { secret: 'the secret of both', at })
    const call = (secret: string, text: string, now: number) =>
      `print(is_from_quorate(${JSON.stringify(secret)}, "${header}", ${JSON.stringify(text)}.encode(), ${now}))`
    const script = [
      verifier,
      call('the secret of both', body, 1_700_000_010),
      call('the secret of both', body.replace('acted', 'ected'), 1_700_000_010),
      call('another secret of one', body, 1_700_000_010),
      call('the secret of both', body, 1_700_000_400),
      ...['', 't=x', `t=1700000000`, `${header},v1=00`, 'ü'].map(
        (other) => `print(is_from_quorate("the secret of both", ${JSON.stringify(other)}, b"{}", 1700000010))`,
      ),
    ].join('\n')
    expect((await python(script)).output.trim().split('\n')).toEqual(['True', ...Array(8).fill('False')])
  })
})
