import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seededRandom } from '@quorate/certificate'
import { simulatePanel } from '../src/simulated/simulate-panel.ts'

/**
 * Requests per second of POST /v1/certify with decisions stored and chained, against 10,000 calibration rows. The server
 * runs in a process of its own (certify-server.ts), this one sends: a core each.
 *
 *     node --conditions=quorate-source packages/quorate/bench/certify.ts [requests] [connections]
 */
const [requests = 20_000, connections = 48] = process.argv.slice(2).map(Number)
const ROWS = 10_000
const WARM_UP = 3000

for (const profile of ['cells', 'tight', 'paper']) await bench(profile)

async function bench(profile: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quorate-bench-'))
  const server = spawn(
    process.execPath,
    ['--conditions=quorate-source', join(import.meta.dirname, 'certify-server.ts'), folder, profile, String(ROWS)],
    { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  )
  try {
    const port = Number(await firstLine(server))
    const bodies = bodiesOf(requests + WARM_UP)
    await send(port, bodies.slice(0, WARM_UP))
    const before = await cpuMs(server)
    const began = performance.now()
    const times = await send(port, bodies.slice(WARM_UP))
    const busy = (await cpuMs(server)) - before
    const seconds = (performance.now() - began) / 1000
    times.sort((left, right) => left - right)
    const at = (share: number) => (times[Math.floor(share * (times.length - 1))] ?? Number.NaN).toFixed(1)
    const rate = Math.round(times.length / seconds)
    console.log(
      `certify ${profile.padEnd(6)} ${rate} requests/s over ${connections} connections; ms p50 ${at(0.5)} p90 ${at(0.9)} ` +
        `p99 ${at(0.99)} most ${at(1)}; ${(busy / times.length).toFixed(3)} ms of one core each`,
    )
  } finally {
    server.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

/** First rounds of debates that are new to the certificate. */
function bodiesOf(count: number): string[] {
  const random = seededRandom(11)
  const debates = simulatePanel({ seed: 99, count: 2000 })
  return Array.from({ length: count }, (_, index) => {
    const debate = debates[Math.floor(random() * debates.length)]
    if (debate === undefined) throw new Error('no debate')
    return JSON.stringify({ id: `q-${index}`, options: debate.options, rounds: debate.rounds.slice(0, 1) })
  })
}

async function send(port: number, bodies: readonly string[]): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const times: number[] = []
  let next = 0
  const work = async () => {
    while (next < bodies.length) {
      const body = bodies[next++] ?? ''
      const began = performance.now()
      await post(port, agent, body)
      times.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  agent.destroy()
  return times
}

function post(port: number, agent: Agent, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
    const sent = request({ host: '127.0.0.1', port, path: '/v1/certify', method: 'POST', agent, headers })
    sent.on('error', reject)
    sent.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => (response.statusCode === 200 ? resolve() : reject(new Error(text))))
    })
    sent.end(body)
  })
}

/** What the server has used of its core: says what it can do on a machine that has other work too. */
function cpuMs(server: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    server.once('message', ({ user, system }: NodeJS.CpuUsage) => resolve((user + system) / 1000))
    server.send('usage')
  })
}

function firstLine(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
    server.stdout?.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()))
  })
}
