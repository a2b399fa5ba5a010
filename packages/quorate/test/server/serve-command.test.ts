import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { simulatePanel } from '../../src/simulated/simulate-panel.ts'
import { runMain } from '../cli/run-main.ts'
import { ask, bearer } from './ask.ts'

const BIN = resolve(import.meta.dirname, '../../bin/quorate.js')
const folder = mkdtempSync(join(tmpdir(), 'quorate-serve-'))
const children: ChildProcess[] = []

beforeAll(async () => {
  expect((await runMain(['init', folder])).status).toBe(0)
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})
afterAll(() => rmSync(folder, { recursive: true }))

interface Served {
  readonly child: ChildProcess
  /** Null: it ended before it served. */
  readonly port: number | null
  readonly output: () => { readonly stdout: string; readonly stderr: string }
  readonly ended: Promise<number | null>
}

async function serve(...args: string[]): Promise<Served> {
  const child = spawn(process.execPath, ['--conditions=quorate-source', BIN, 'serve', '--port', '0', ...args], {
    cwd: folder,
  })
  children.push(child)
  let [stdout, stderr] = ['', '']
  const ended = new Promise<number | null>((done) => child.on('close', done))
  const begun = new Promise<number>((done) => {
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString()
      const port = /http:\/\/[\w.]+:(\d+)\//.exec(stdout)?.[1]
      if (port !== undefined) done(Number(port))
    })
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const port = await Promise.race([begun, ended.then(() => null)])
  return { child, port, output: () => ({ stdout, stderr }), ended }
}

test('serves the API from a config, logs requests as JSON, and ends cleanly on SIGTERM', async () => {
  const { child, port, output, ended } = await serve()
  expect({ port, ...(port === null ? output() : {}) }).toEqual({ port: expect.any(Number) })
  const session = await ask(port ?? 0, '/v1/session')
  expect(session.json()).toMatchObject({ name: 'local', role: 'admin' })
  expect((await ask(port ?? 0, '/readyz')).status).toBe(200)
  expect((await ask(port ?? 0, '/v1/monitor')).status).toBe(200)
  expect((await ask(port ?? 0, '/metrics')).text).toContain('quorate_review_queue 0')
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  const lines = output()
    .stderr.split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
  expect(lines[0]).toMatchObject({ kind: 'request', method: 'GET', route: '/v1/session', status: 200, who: 'local' })
})

test('off loopback, or if a token is required, it does not start before there is one', async () => {
  for (const flags of [['--host', '0.0.0.0'], ['--require-token']]) {
    const { port, output, ended } = await serve(...flags)
    expect([port, await ended]).toEqual([null, 2])
    expect(output().stderr).toContain('quorate token create --name NAME --role admin --kind human')
    expect(output().stderr).not.toContain('--config')
  }
  const config = join(folder, 'quorate.config.yaml')
  const named = await serve('--require-token', '--config', config)
  await named.ended
  expect(named.output().stderr).toContain(`--kind human --config ${config}" first`)
  const made = await runMain([
    'token',
    'create',
    '--name',
    'ops',
    '--role',
    'admin',
    '--kind',
    'human',
    '--json',
    '--config',
    config,
  ])
  const { token } = JSON.parse(made.stdout)
  const open = await serve('--host', '0.0.0.0')
  expect(open.port).not.toBeNull()
  expect(open.output().stderr).toMatch(/plain HTTP beyond loopback.*\n.*TLS/)
  const { port, output } = await serve('--require-token')
  expect(output().stderr).not.toContain('plain HTTP')
  expect((await ask(port ?? 0, '/v1/session')).status).toBe(401)
  expect((await ask(port ?? 0, '/v1/session', { headers: bearer(token) })).json()).toMatchObject({ name: 'ops' })
})

test('behind a proxy it prints the public address and asks everybody for a token', async () => {
  const config = ['--config', join(folder, 'quorate.config.yaml')]
  expect((await runMain(['token', 'list', ...config])).stdout).toContain('ops')
  const { port, output } = await serve('--public-url', 'https://quorate.example/')
  expect(output().stdout).toContain('quorate serves https://quorate.example/ (API: https://quorate.example/docs).')
  expect(output().stdout).toContain(`pass requests on to http://127.0.0.1:${port}/`)
  const session = (host: string) => ask(port ?? 0, '/v1/session', { headers: { host } })
  const hosts = ['quorate.example', `127.0.0.1:${port}`, 'evil.example']
  expect(await Promise.all(hosts.map(async (host) => (await session(host)).status))).toEqual([401, 401, 403])
})

test('a start that fails ends the process', async () => {
  const damaged = mkdtempSync(join(tmpdir(), 'quorate-serve-'))
  expect((await runMain(['init', damaged])).status).toBe(0)
  const config = ['--config', join(damaged, 'quorate.config.yaml')]
  expect((await runMain(['token', 'list', ...config])).status).toBe(0)
  const database = new DatabaseSync(join(damaged, '.quorate/quorate.db'))
  database.exec('drop table policy_events')
  database.close()
  const { port, output, ended } = await serve(...config)
  expect([port, await ended]).toEqual([null, 1])
  expect(output().stderr).toContain('policy_events')
  rmSync(damaged, { recursive: true })
})

test('a certificate of another promise than the config decides, and the start says so', async () => {
  const debates = join(folder, 'debates.jsonl')
  const lines = simulatePanel({ seed: 3, count: 600 }).map((debate) => `${JSON.stringify(debate)}\n`)
  writeFileSync(debates, lines.join(''))
  const certificate = join(folder, 'other.json')
  const config = ['--config', join(folder, 'quorate.config.yaml')]
  const made = await runMain([
    'calibrate',
    debates,
    '--beliefs',
    'stated',
    '--beta',
    '0.2',
    '--out',
    certificate,
    ...config,
  ])
  expect(made.status, made.stderr).toBe(0)
  const [promised, declared] = [
    /beta 0\.20+ \(of all.*attempt 1/,
    /the config declares beta 0\.10+ \(of all.*attempt 1\./,
  ]
  for (const flags of [['--certificate', certificate], []]) {
    const { child, port, output, ended } = await serve(...flags)
    expect({ port, ...(port === null ? output() : {}) }).toEqual({ port: expect.any(Number) })
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    const { stdout, stderr } = output()
    expect(stdout).toMatch(new RegExp(`Certificate \\S+: ${promised.source}, but ${declared.source}`))
    expect(stderr).toMatch(
      new RegExp(
        `warning: The active certificate promises ${promised.source}, but ${declared.source} The certificate's promise holds\\.`,
      ),
    )
  }
})

test('a start with another panel than the calibrated one says that every question goes to a person, and why', async () => {
  const debates = join(folder, 'calibrated.jsonl')
  const lines = simulatePanel({ seed: 3, count: 600 }).map((debate) => `${JSON.stringify(debate)}\n`)
  writeFileSync(debates, lines.join(''))
  const certificate = join(folder, 'calibrated.json')
  const made = await runMain(['calibrate', debates, '--beliefs', 'stated', '--beta', '0.1', '--out', certificate])
  expect(made.status, made.stderr).toBe(0)
  const other = join(folder, 'other.yaml')
  const agents = ['ada', 'bob'].map((name) => ({ name, model: `simulated/${name}` }))
  writeFileSync(
    other,
    JSON.stringify({ panel: { agents, rounds: 2 }, budget: { beta: 0.1 }, store: 'sqlite:other.db' }),
  )
  for (const flags of [['--certificate', certificate], []]) {
    const { child, port, output, ended } = await serve('--config', other, ...flags)
    expect({ port, ...(port === null ? output() : {}) }).toEqual({ port: expect.any(Number) })
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(output().stderr).toMatch(
      /^quorate: warning: The policy is suspended, so every question goes to a person: The panel is not the one that was calibrated: .*rounds.* differs?\.\n/,
    )
  }
})

test('an address in use is reported before anything is created', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'quorate-serve-'))
  const taken = createServer()
  const port = await new Promise<number>((done) => {
    taken.listen(0, '127.0.0.1', () => {
      const address = taken.address()
      done(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
  const child = spawn(process.execPath, ['--conditions=quorate-source', BIN, 'serve', '--port', String(port)], {
    cwd: empty,
  })
  children.push(child)
  let announced = ''
  child.stderr.on('data', (chunk: Buffer) => {
    announced += chunk.toString()
  })
  const code = await new Promise<number | null>((done) => child.on('close', done))
  expect({ code, announced }).toEqual({ code: 1, announced: expect.stringContaining('Choose another with --port') })
  expect(readdirSync(empty)).toEqual([])
  taken.close()
  rmSync(empty, { recursive: true })
})

test('a webhook without its secret in the environment is reported before anything is served', async () => {
  appendFileSync(
    join(folder, 'quorate.config.yaml'),
    '\nwebhooks:\n  - { url: "http://127.0.0.1:9/hook", secretEnv: SERVE_TEST_HOOK }\n',
  )
  const { port, output, ended } = await serve()
  expect([port, await ended]).toEqual([null, 2])
  expect(output().stderr).toContain('webhooks[0].secretEnv: SERVE_TEST_HOOK must be set in the environment')
})

test.each([
  [['--port', '70000'], '--port must be'],
  [['--retain', '0'], '--retain must be'],
  [['--host', 'a b'], '--host must be'],
  [['--public-url', 'http://quorate.example'], '--public-url must be an https address'],
  [['--public-url', 'https://quorate.example/app'], '--public-url must be an https address'],
  [['--connections-per-address', '0'], '--connections-per-address must be'],
])('refuses %j as a wrong call', async (flags, words) => {
  const { status, stderr } = await runMain(['serve', ...flags])
  expect({ status, isTold: stderr.includes(words) }).toEqual({ status: 2, isTold: true })
})
