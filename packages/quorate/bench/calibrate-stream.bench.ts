import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillSqlite, MANY_RUN } from '../test/efficiency/many-debates.ts'
import type { Usage } from '../test/efficiency/report-usage.ts'
import { startCommand } from '../test/run/provider-folder.ts'

/**
 * `calibrate --run` in a process of its own with a heap that is just large enough: five agents, four rounds, four options,
 * 2,000 letters of words a debate. QUORATE_BENCH_ROWS=1000000 measures the million (6 GB of disk, some minutes).
 */
const ROWS = (process.env['QUORATE_BENCH_ROWS'] ?? '20000,100000').split(',').map(Number)
const PROFILES = ['cells', 'tight', 'paper'] as const
const TEXT_BYTES = 2000
const REPORT_USAGE = new URL('../test/efficiency/report-usage.ts', import.meta.url).href

/** Megabytes of the heap: what stays of a row, and what the file of the certificate takes while it is made. */
function heapFor(rows: number): number {
  return Math.ceil(80 + rows * 0.002)
}

async function calibrated(folder: string, rows: number, profile: string): Promise<Usage & { readonly wallMs: number }> {
  const env = { NODE_OPTIONS: `--import=${REPORT_USAGE} --max-old-space-size=${heapFor(rows)}` }
  const args = ['calibrate', '--run', MANY_RUN.id, '--out', 'certificate.json', '--profile', profile, '--json']
  const start = performance.now()
  const { child, output } = startCommand(folder, args, { env })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`exit code ${code}\n${output()}`)
  // The last line was written by the module that was imported.
  const usage = JSON.parse(output().trimEnd().split('\n').at(-1) ?? '') as Usage
  return { ...usage, wallMs: performance.now() - start }
}

for (const rows of ROWS) {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-bench-'))
  try {
    const store = join(folder, 'many.sqlite')
    await fillSqlite(store, { count: rows, textBytes: TEXT_BYTES, seed: 7 })
    const agents = ['ada', 'bob'].map((name) => ({ name, model: `simulated/${name}` }))
    const config = { panel: { agents, rounds: 4 }, budget: { beta: 0.15 }, store: `sqlite:${store}` }
    writeFileSync(join(folder, 'quorate.config.json'), JSON.stringify(config))
    const megabytes = (path: string) => statSync(join(folder, path)).size / 2 ** 20
    console.log(`${rows} debates, a store of ${megabytes('many.sqlite').toFixed(0)} MB, a heap of ${heapFor(rows)} MB`)
    for (const profile of PROFILES) {
      const { maxRssBytes, cpuMs, wallMs } = await calibrated(folder, rows, profile)
      const memory = `at most ${(maxRssBytes / 2 ** 20).toFixed(0)} MB in memory (${(maxRssBytes / rows).toFixed(0)} bytes a row)`
      const time = `${(wallMs / 1000).toFixed(1)} s (${(cpuMs / 1000).toFixed(1)} s of processor)`
      console.log(`  ${profile.padEnd(6)} ${memory}, ${time}, file ${megabytes('certificate.json').toFixed(0)} MB`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
