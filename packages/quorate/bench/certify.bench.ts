import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seededRandom } from '@quorate/certificate'
import { simulatePanel } from '../src/simulated/simulate-panel.ts'
import { type PlainClient, plainClient, plainRequest } from './plain-client.ts'

/**
 * POST /v1/certify with decisions stored and chained, against 10,000 calibration rows. The server runs in a process of
 * its own (certify-server.ts), this one sends: a core each. Two loads: `closed`, every connection asks again as soon as it
 * is answered, which says how many requests there can be; `open`, 2,000 requests a second whatever is answered, each timed
 * from when it was due, which says what a caller waits at that load.
 *
 *     node --conditions=quorate-source packages/quorate/bench/certify.bench.ts [requests] [connections] [profile]
 */
const [requests = 15_000, connections = 32] = process.argv.slice(2, 4).map(Number)
const profiles = process.argv[4] === undefined ? ['cells', 'tight', 'paper'] : [process.argv[4]]
const ROWS = 10_000
const WARM_UP = 4000
const OFFERED_PER_SECOND = 2000
/** Enough that none is ever waited for: a caller who has no free connection opens one. */
const OPEN_CONNECTIONS = 256

for (const profile of profiles) await bench(profile)

async function bench(profile: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quorate-bench-'))
  const server = spawn(
    process.execPath,
    [...process.execArgv, ...[join(import.meta.dirname, 'certify-server.ts'), folder, profile, String(ROWS)]],
    { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  )
  try {
    const port = Number(await firstLine(server))
    const bodies = bodiesOf(2 * requests + WARM_UP).map((body) => plainRequest(port, '/v1/certify', body))
    await closedLoop(port, bodies.slice(0, WARM_UP))
    const closed = bodies.slice(WARM_UP, WARM_UP + requests)
    await measured(`${profile.padEnd(6)} closed`, server, () => closedLoop(port, closed))
    await measured(`${profile.padEnd(6)} open  `, server, () => openLoop(port, bodies.slice(WARM_UP + requests)))
  } finally {
    server.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measured(name: string, server: ChildProcess, load: () => Promise<readonly number[]>): Promise<void> {
  const before = await cpuMs(server)
  const began = performance.now()
  const times = [...(await load())].sort((left, right) => left - right)
  const seconds = (performance.now() - began) / 1000
  const busy = (await cpuMs(server)) - before
  const at = (share: number) => (times[Math.floor(share * (times.length - 1))] ?? Number.NaN).toFixed(1)
  console.log(
    `certify ${name} ${Math.round(times.length / seconds)} requests/s; ms p50 ${at(0.5)} p90 ${at(0.9)} p99 ${at(0.99)} ` +
      `p99.9 ${at(0.999)} most ${at(1)}; ${(busy / times.length).toFixed(3)} ms of one core each`,
  )
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

async function closedLoop(port: number, bodies: readonly Buffer[]): Promise<readonly number[]> {
  const times: number[] = []
  let next = 0
  const work = async () => {
    const client = await plainClient(port)
    for (let body = bodies[next++]; body !== undefined; body = bodies[next++]) {
      const began = performance.now()
      await answered(client, body)
      times.push(performance.now() - began)
    }
    client.close()
  }
  await Promise.all(Array.from({ length: connections }, work))
  return times
}

/** Timed from when each was due, sent or not: a server that stops for a while is not spared what it kept waiting. */
async function openLoop(port: number, bodies: readonly Buffer[]): Promise<readonly number[]> {
  const free = await Promise.all(Array.from({ length: OPEN_CONNECTIONS }, () => plainClient(port)))
  const all = [...free]
  const times: number[] = []
  const waiting: Promise<void>[] = []
  const began = performance.now()
  const send = async (body: Buffer, due: number) => {
    const client = free.pop() ?? (await plainClient(port))
    await answered(client, body)
    times.push(performance.now() - due)
    free.push(client)
  }
  for (let sent = 0; sent < bodies.length; ) {
    const due = began + (sent * 1000) / OFFERED_PER_SECOND
    const body = bodies[sent]
    if (performance.now() < due || body === undefined) await new Promise((resolve) => setTimeout(resolve, 1))
    else {
      waiting.push(send(body, due))
      sent += 1
    }
  }
  await Promise.all(waiting)
  for (const client of new Set([...all, ...free])) client.close()
  return times
}

async function answered(client: PlainClient, body: Buffer): Promise<void> {
  const status = await client.post(body)
  if (status !== 200) throw new Error(`expected status 200, got ${status}`)
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
