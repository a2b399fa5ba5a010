import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seededRandom } from '@quorate/certificate'
import { startPostgres } from '../../../tools/postgres.ts'
import { simulatePanel } from '../src/simulated/simulate-panel.ts'
import type { OwnFigures } from './certify-server.ts'
import { type PlainClient, plainClient, plainRequest } from './plain-client.ts'

/**
 * POST /v1/certify with decisions stored and chained, against 10,000 calibration rows. The server runs in a process of
 * its own (certify-server.ts), this one sends: a core each. Two loads: `closed`, every connection asks again as soon as it
 * is answered, which says how many requests there can be; `open`, half as many a second whatever is answered, each timed
 * from when it was due, which says what a caller waits at that load.
 *
 * The closed load runs with 32 and with 200 connections, on SQLite and on PostgreSQL, which is started for it.
 *
 *     node --conditions=quorate-source packages/quorate/bench/certify.bench.ts [requests] [profile] [engine]
 */
const requests = Number(process.argv[2] ?? 15_000)
const profiles = process.argv[3] === undefined ? ['cells', 'tight', 'paper'] : [process.argv[3]]
const engines = process.argv[4] === undefined ? ['sqlite', 'postgres'] : [process.argv[4]]
const CONNECTIONS = [32, 200]
const ROWS = 10_000
const WARM_UP = 4000
/** Enough that none is ever waited for: a caller who has no free connection opens one. */
const OPEN_CONNECTIONS = 256

for (const engine of engines) for (const profile of profiles) await benchOn(engine, profile)

async function benchOn(engine: string, profile: string): Promise<void> {
  if (engine === 'postgres') {
    const start = await startPostgres()
    if (start.kind === 'absent') return console.log(`certify on PostgreSQL: ${start.reason}`)
    await bench(start.postgres.url, profile, `${engine} ${profile}`).finally(() => start.postgres.stop())
  } else {
    const folder = await mkdtemp(join(tmpdir(), 'quorate-bench-'))
    const removed = () => rmSync(folder, { recursive: true, force: true })
    await bench(`sqlite:${join(folder, 'bench.db')}`, profile, `${engine} ${profile}`).finally(removed)
  }
}

async function bench(url: string, profile: string, name: string): Promise<void> {
  const server = spawn(
    process.execPath,
    [...process.execArgv, ...[join(import.meta.dirname, 'certify-server.ts'), url, profile, String(ROWS)]],
    { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  )
  try {
    const port = Number(await firstLine(server))
    const bodies = bodiesOf(3 * requests + WARM_UP).map((body) => plainRequest(port, '/v1/certify', body))
    const part = (at: number) => bodies.slice(WARM_UP + at * requests, WARM_UP + (at + 1) * requests)
    await closedLoop(port, bodies.slice(0, WARM_UP), 32)
    let most = 0
    for (const [at, connections] of CONNECTIONS.entries()) {
      const load = () => closedLoop(port, part(at), connections)
      most = Math.max(most, await measured(`${name} closed ${connections}`, server, load))
    }
    await measured(`${name} open, half of that`, server, () => openLoop(port, part(CONNECTIONS.length), most / 2))
  } finally {
    server.kill('SIGKILL')
  }
}

/** Requests a second. */
async function measured(name: string, server: ChildProcess, load: () => Promise<readonly number[]>): Promise<number> {
  const before = await ownFigures(server)
  const began = performance.now()
  const times = await load()
  const seconds = (performance.now() - began) / 1000
  const own = await ownFigures(server)
  const busy = own.processorMs - before.processorMs
  console.log(
    `certify ${name} ${Math.round(times.length / seconds)} requests/s; ms ${spread(times)}; ` +
      `${(busy / times.length).toFixed(3)} ms of one core each`,
  )
  console.log(
    `  by the server's own clock: ms ${spread(own.times)}; its event loop was late by p99 ${own.loopP99.toFixed(1)} ` +
      `most ${own.loopMost.toFixed(1)}, its longest collection took ${own.longestCollection.toFixed(1)}`,
  )
  return times.length / seconds
}

function spread(times: readonly number[]): string {
  const sorted = times.toSorted((left, right) => left - right)
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(1)
  return `p50 ${at(0.5)} p90 ${at(0.9)} p99 ${at(0.99)} p99.9 ${at(0.999)} most ${at(1)}`
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

async function closedLoop(port: number, bodies: readonly Buffer[], connections: number): Promise<readonly number[]> {
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
async function openLoop(port: number, bodies: readonly Buffer[], perSecond: number): Promise<readonly number[]> {
  const free = await Promise.all(Array.from({ length: OPEN_CONNECTIONS }, () => plainClient(port)))
  const all = [...free]
  const times: number[] = []
  const waiting: Promise<void>[] = []
  let reconnects = 0
  const began = performance.now()
  const send = async (body: Buffer, due: number) => {
    // In turn: the server closes a connection that says nothing for some seconds.
    let client = free.shift() ?? (await plainClient(port))
    await answered(client, body).catch(async () => {
      // The server may close an idle connection in favour of a new one. The same question again is decided once.
      client = await plainClient(port)
      reconnects += 1
      await answered(client, body)
    })
    times.push(performance.now() - due)
    free.push(client)
  }
  for (let sent = 0; sent < bodies.length; ) {
    const due = began + (sent * 1000) / perSecond
    const body = bodies[sent]
    if (performance.now() < due || body === undefined) await new Promise((resolve) => setTimeout(resolve, 1))
    else {
      waiting.push(send(body, due))
      sent += 1
    }
  }
  await Promise.all(waiting)
  for (const client of new Set([...all, ...free])) client.close()
  if (reconnects > 0) console.log(`  ${reconnects} requests were sent again over a new connection`)
  return times
}

async function answered(client: PlainClient, body: Buffer): Promise<void> {
  const { status } = await client.post(body)
  if (status !== 200) throw new Error(`expected status 200, got ${status}`)
}

/** Its processor time says what it can do on a machine that has other work too, its times what of a wait is its own. */
function ownFigures(server: ChildProcess): Promise<OwnFigures> {
  return new Promise((resolve) => {
    server.once('message', (own: OwnFigures) => resolve(own))
    server.send('usage')
  })
}

function firstLine(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
    server.stdout?.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()))
  })
}
