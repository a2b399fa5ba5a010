import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ask } from '../test/server/ask.ts'
import { fillManyDecisions } from './many-decisions.ts'
import { usedBy } from './processor-time.ts'

/**
 * From the start of the process of `quorate serve`, as it is shipped, to the figures of the overview over a store of 100,000 decisions:
 * until it listens, and until all that the page asks for is answered. The first start has more to do: it looks at what the
 * command line decided, and keeps sums.
 *
 *     npm run bench -- cold-start [--folder DIR]     keeps the store in this folder, and uses the one that is there
 */
const DECISIONS = 100_000
const STARTS = 3
/** Of the overview: `useSession`, `useMonitor`, `useRuns`. */
const ASKED = ['/v1/session', '/v1/monitor', '/v1/runs?limit=4']
/** After its first look at what other processes did, sums are kept. */
const FIRST_LOOK_MS = 15_000
const ROOT = resolve(import.meta.dirname, '../../..')
const BIN = join(ROOT, 'packages/quorate/bin/quorate.js')

for (const task of ['tools/build-command.ts', 'tools/build-web.ts']) {
  const { status } = spawnSync(process.execPath, ['--conditions=quorate-source', task], { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${task} failed`)
}
const given = process.argv.indexOf('--folder')
const kept = given < 0 ? null : (process.argv[given + 1] ?? null)
const folder = kept ?? mkdtempSync(join(tmpdir(), 'quorate-bench-'))
try {
  if (!existsSync(join(folder, '.quorate'))) {
    mkdirSync(folder, { recursive: true })
    const began = performance.now()
    await fillManyDecisions(folder, DECISIONS)
    console.log(`made ${DECISIONS} decisions in ${Math.round((performance.now() - began) / 1000)} s`)
  }
  print('first start', [await coldStart(FIRST_LOOK_MS)])
  const starts = []
  for (let start = 0; start < STARTS; start++) starts.push(await coldStart())
  print(`median of ${STARTS} starts`, starts)
} finally {
  if (kept === null) rmSync(folder, { recursive: true, force: true })
}

interface Start {
  readonly listens: number
  readonly figures: number
  readonly processorMs: number
  readonly decided: number
}

/** The server lives so long after that. */
async function coldStart(livesMs = 0): Promise<Start> {
  const began = performance.now()
  const server = spawn(process.execPath, [BIN, 'serve', '--port', '0'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(server, 'close')
  const port = await new Promise<number>((begun, failed) => {
    let output = ''
    server.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const found = /http:\/\/127\.0\.0\.1:(\d+)\//.exec(output)?.[1]
      if (found !== undefined) begun(Number(found))
    })
    void ended.then(([code]) => failed(new Error(`quorate serve ended with ${code}: ${output}`)))
  })
  const listens = performance.now() - began
  const [, monitor] = await Promise.all(ASKED.map((path) => ask(port, path)))
  const figures = performance.now() - began
  const processorMs = usedBy([server.pid ?? 0]) ?? Number.NaN
  if (monitor?.status !== 200) throw new Error(`expected the figures, got ${monitor?.status}: ${monitor?.text}`)
  const { automation } = JSON.parse(monitor.text)
  await wait(livesMs)
  server.kill('SIGTERM')
  await ended
  return { listens, figures, processorMs, decided: automation.acted?.of ?? 0 }
}

function print(name: string, starts: readonly Start[]): void {
  const median = (part: keyof Start) =>
    starts.map((start) => start[part]).toSorted((left, right) => left - right)[Math.floor(starts.length / 2)] ?? 0
  const all = starts.map(({ figures }) => Math.round(figures)).join(', ')
  console.log(
    `${name} on ${median('decided')} decisions: listens after ${Math.round(median('listens'))} ms, figures after ` +
      `${Math.round(median('figures'))} ms (${all}), ${Math.round(median('processorMs'))} ms of the processor`,
  )
}
