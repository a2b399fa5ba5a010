import { randomBytes } from 'node:crypto'
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks'
import { calibrate } from '@quorate/certificate'
import { createIds, newKey, newSalt } from '../src/panel/process-world.ts'
import { sealCertified } from '../src/run/calibration/certified.ts'
import { createServices } from '../src/server/deciding/create-services.ts'
import { startServer } from '../src/server/start-server.ts'
import { simulatePanel } from '../src/simulated/simulate-panel.ts'
import { openStoreAt } from '../src/store/open-store.ts'
import { timerSleep } from '../src/traffic/timer-sleep.ts'

/** What the server says of itself since it was asked last, in milliseconds. */
export interface OwnFigures {
  readonly processorMs: number
  /** From the head of a request to its answer. */
  readonly times: readonly number[]
  /** How late its event loop was: the slowest in a hundred, and the slowest. */
  readonly loopP99: number
  readonly loopMost: number
  readonly longestCollection: number
}

/** The server of certify.bench.ts: prints its port. */
const [url = '', profile = 'cells', rows = '10000'] = process.argv.slice(2)
const budget = { beta: 0.15, delta: 0.03, epsilon: 0.02 }
const debates = simulatePanel({ seed: 5, count: Number(rows) })
const options = { profile: profile as 'cells' | 'tight' | 'paper', budget, beliefs: 'stated' } as const
const certificate = calibrate(debates, options)
const certified = sealCertified(certificate, { contents: [], served: new Map() })
const store = await openStoreAt(url, { baseFolder: '.', now: Date.now })
const never = new AbortController().signal
let times: number[] = []
const server = await startServer(
  createServices,
  {
    store,
    now: Date.now,
    newId: createIds(),
    newSalt,
    newKey,
    sleep: timerSleep,
    stopping: never,
    aborting: never,
    certified,
    operator: 'bench',
    allowSeen: false,
    allowMismatch: false,
    claimMs: 60_000,
    undoMs: 10_000,
    settings: { budget, profile: 'cells', spotCheckRate: 0.05, maxClaims: 1000, seed: 7 },
    panel: { missing: 'the bench asks nobody' },
    report: (words, cause) => console.error(words, cause),
  },
  {
    host: '127.0.0.1',
    port: 0,
    requiresToken: false,
    publicOrigin: null,
    connectionsPerAddress: 512,
    webhooks: [],
    web: null,
    version: 'bench',
    retainDays: null,
    stopwatch: () => performance.now(),
    random: Math.random,
    log: ({ ms }) => times.push(ms),
    newSecret: () => randomBytes(32).toString('base64url'),
  },
)
const loop = monitorEventLoopDelay({ resolution: 1 })
loop.enable()
let longestCollection = 0
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) longestCollection = Math.max(longestCollection, duration)
}).observe({ entryTypes: ['gc'] })
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  const [loopP99, loopMost] = [loop.percentile(99) / 1e6, loop.max / 1e6]
  const own: OwnFigures = { processorMs: (user + system) / 1000, times, loopP99, loopMost, longestCollection }
  process.send?.(own)
  loop.reset()
  times = []
  longestCollection = 0
})
console.log(server.listening.port)
