import { trace } from '@opentelemetry/api'
import { BasicTracerProvider, NoopSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { createPanel, type FunctionModel, openStore } from '../src/index.ts'

/**
 * What spans cost, in processor time of a call through the whole library (a function as the model, a store in memory).
 * Off, each call and each question pass one comparison with null; that is measured by itself, since it is far below the
 * spread of the whole.
 */
const QUESTIONS = 150
const ROUNDS = 2
const AGENTS = ['ada', 'bob', 'cleo']
const CALLS = QUESTIONS * ROUNDS * AGENTS.length
const REPEATS = 7
const MOST_OFF_SHARE = 0.01

const own: FunctionModel = async () => 'A'
const questions = Array.from({ length: QUESTIONS }, (_, n) => ({
  id: `q${n}`,
  question: `Which of two is number ${n}?`,
  options: ['A', 'B'],
  gold: null,
}))

/** Microseconds of processor time a call. */
async function usPerCall(spans: boolean): Promise<number> {
  const agents = AGENTS.map((name) => ({ name, model: 'function/own' }))
  const panel = await createPanel({
    config: {
      panel: { rounds: ROUNDS, beliefs: 'vote', agents },
      budget: { beta: 0.1 },
      limits: { maxCostUsd: null },
      telemetry: { spans },
    },
    models: { own },
    store: await openStore('sqlite::memory:'),
  })
  const before = process.cpuUsage()
  await panel.run(questions, { kind: 'debate' })
  const { user, system } = process.cpuUsage(before)
  await panel.close()
  return (user + system) / CALLS
}

/** Nanoseconds of what is left where spans are off: `telemetry === null ? work() : telemetry.workflow(...)`. */
function nsOfBranch(): number {
  const telemetry: { around(work: () => number): number } | null = Math.sign(performance.now()) > 0 ? null : around
  const work = () => 1
  const rounds = 20_000_000
  const timed = (run: () => number) => {
    const start = process.cpuUsage()
    let sum = 0
    for (let index = 0; index < rounds; index++) sum += run()
    const { user, system } = process.cpuUsage(start)
    return sum === rounds ? ((user + system) * 1000) / rounds : Number.NaN
  }
  const branched = () => (telemetry === null ? work() : telemetry.around(work))
  timed(branched)
  timed(work)
  return Math.max(0, timed(branched) - timed(work))
}

const around = { around: (work: () => number) => work() }

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

const spread = (values: readonly number[]) => `(${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)})`

await usPerCall(false)
await usPerCall(true)
const off: number[] = []
const unheard: number[] = []
for (let repeat = 0; repeat < REPEATS; repeat++) {
  off.push(await usPerCall(false))
  unheard.push(await usPerCall(true))
}
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new NoopSpanProcessor()] }))
const traced: number[] = []
for (let repeat = 0; repeat < REPEATS; repeat++) traced.push(await usPerCall(true))

const branchNs = nsOfBranch()
// One for the question, one for the turn, one where the model was made.
const offShare = (3 * branchNs) / 1000 / median(off)
console.log(`${CALLS} calls, processor time a call, medians of ${REPEATS} (least to most)`)
console.log(`spans off                        ${median(off).toFixed(1).padStart(8)} us ${spread(off)}`)
console.log(`spans on, no SDK                 ${median(unheard).toFixed(1).padStart(8)} us ${spread(unheard)}`)
console.log(`spans on, SDK without exporter   ${median(traced).toFixed(1).padStart(8)} us ${spread(traced)}`)
console.log(
  `what is left of spans when off   ${(3 * branchNs).toFixed(1).padStart(8)} ns, ${(100 * offShare).toFixed(4)} % of a call  goal below 1 %`,
)
process.exitCode = offShare < MOST_OFF_SHARE ? 0 : 1
