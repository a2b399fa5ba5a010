import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measuredCommand } from '../test/efficiency/measured-command.ts'
import type { Usage } from '../test/efficiency/report-usage.ts'
import { fillSimulatedFolder } from '../test/efficiency/simulated-folder.ts'
import type { Counts } from '../test/fake-provider/counts.ts'
import { fillProviderFolder } from '../test/run/provider-folder.ts'

/** The command line in a process of its own, against a provider of ours in another. */
const LATENCY_MS = 200
/** Replies that all take the same time return together. The replies of real models do not. */
const SPREADS_MS = [0, 200]
const CONCURRENCY = 64
const QUESTIONS = 500
const ROUNDS = 4
const CALLS = QUESTIONS * ROUNDS * 3
const IDEAL_MS = (CALLS * LATENCY_MS) / CONCURRENCY
const REPEATS = 3

interface Timed extends Usage {
  readonly wallMs: number
}

async function timed(folder: string, args: readonly string[]): Promise<Timed> {
  const start = performance.now()
  const usage = await measuredCommand(folder, args)
  return { ...usage, wallMs: performance.now() - start }
}

async function inFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-bench-'))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function withProvider<Result>(spreadMs: number, use: (url: string) => Promise<Result>): Promise<Result> {
  const main = new URL('../test/fake-provider/main.ts', import.meta.url).pathname
  const latency = ['--latency-ms', String(LATENCY_MS), '--latency-spread-ms', String(spreadMs)]
  const args = ['--conditions=quorate-source', main, ...latency]
  const provider = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [line] = await once(provider.stdout, 'data')
    return await use(JSON.parse(String(line)).url)
  } finally {
    provider.kill()
    await once(provider, 'exit')
  }
}

function calls(spreadMs: number): Promise<Timed & Counts> {
  return withProvider(spreadMs, (url) =>
    inFolder(async (folder) => {
      fillProviderFolder(folder, url, { questions: QUESTIONS, rounds: ROUNDS })
      const limits = ['--concurrency', String(CONCURRENCY), '--trust-config']
      const usage = await timed(folder, ['debate', 'questions.jsonl', ...limits])
      // Said by the fake itself.
      const counts = (await (await fetch(`${url}/counts`)).json()) as Counts
      if (counts.answered.requests !== CALLS)
        throw new Error(`expected ${CALLS} answers, got ${JSON.stringify(counts)}`)
      return { ...usage, ...counts }
    }),
  )
}

function report(what: string, values: readonly number[], { unit = '', digits = 0, goal = '' } = {}): void {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const sd = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
  const best = Math.min(...values).toFixed(digits)
  const line = `${what.padEnd(70)} ${mean.toFixed(digits).padStart(9)}${unit} +- ${sd.toFixed(digits)} (least ${best})`
  console.log(goal === '' ? line : `${line}  goal ${goal}`)
}

async function times<Result>(count: number, work: () => Promise<Result>): Promise<readonly Result[]> {
  const results: Result[] = []
  for (let repeat = 0; repeat < count; repeat++) results.push(await work())
  return results
}

for (const spreadMs of SPREADS_MS) {
  const runs = await times(REPEATS, () => calls(spreadMs))
  const latency = spreadMs === 0 ? `${LATENCY_MS}` : `${LATENCY_MS - spreadMs / 2} to ${LATENCY_MS + spreadMs / 2}`
  const about = `${CALLS} calls of ${latency} ms, ${CONCURRENCY} at once`
  report(
    `${about}: first request to last reply / ideal`,
    runs.map(({ spanMs }) => spanMs / IDEAL_MS),
    { digits: 3, goal: 'at most 1.10' },
  )
  report(
    '  the whole process, start-up and all / ideal',
    runs.map(({ wallMs }) => wallMs / IDEAL_MS),
    { digits: 3 },
  )
  report(
    '  mean number in flight at the provider',
    runs.map(({ openMs, spanMs }) => openMs / spanMs),
    { digits: 1 },
  )
  report(
    '  processor time of a call, start-up included',
    runs.map(({ cpuMs }) => cpuMs / CALLS),
    { unit: ' ms', digits: 2 },
  )
  report('  largest memory', runs.map(memory), { unit: ' MB', goal: 'below 300' })
}

for (const questions of [1_000, 5_000]) {
  const usage = await inFolder((folder) => {
    fillSimulatedFolder(folder, { questions, rounds: ROUNDS })
    return timed(folder, ['debate', 'questions.jsonl'])
  })
  report(`largest memory of debate over ${questions} questions`, [memory(usage)], { unit: ' MB', goal: 'below 300' })
}

for (const args of [['--help'], ['validate'], ['debate', 'questions.jsonl', '--dry-run']]) {
  const starts = await inFolder((folder) => {
    fillSimulatedFolder(folder, { questions: 1, rounds: ROUNDS })
    return times(5, () => timed(folder, args))
  })
  report(
    `start-up, from the sources: quorate ${args.join(' ')}`,
    starts.map(({ wallMs }) => wallMs),
    { unit: ' ms' },
  )
}

function memory({ maxRssBytes }: Usage): number {
  return maxRssBytes / 2 ** 20
}
