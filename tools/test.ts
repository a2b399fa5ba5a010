import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addCounts, type Outcome, outcomesOf, summaryLine, type TestReport } from './count-tests.ts'
import { LANE_VARIABLE } from './lane.ts'
import { REPORT_FILE } from './report-tests.ts'
import { LANES, type Lane, SUITES, type Suite, suitesOf } from './suites.ts'
import { SUITES_VARIABLE } from './test-files.ts'

const [first = '', ...others] = process.argv.slice(2)
const lane = LANES.find((name) => first === `--lane=${name}`)
const named = lane === undefined ? process.argv.slice(2) : others
const unknown = named.filter((name) => SUITES.every((suite) => suite.name !== name))
if (unknown.length > 0) {
  const names = SUITES.map(({ name }) => name).join(', ')
  console.error(`test: unknown suite ${unknown.join(', ')}. The suites are ${names}.`)
  process.exit(2)
}

const outcomes = await runSuites(lane ?? 'test')
const total = addCounts(outcomes)
for (const { name, failures } of outcomes) for (const each of failures) console.log(`\n[${name}] ${each}`)
printTable(outcomes)
console.log(summaryLine(total))
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0

/** Runs the named suites, or those of the lane. One vitest runs all test files, so no core is idle between two suites. */
async function runSuites(asked: Lane): Promise<readonly Outcome[]> {
  const env = { [LANE_VARIABLE]: asked }
  const suites = named.length > 0 ? SUITES.filter(({ name }) => named.includes(name)) : suitesOf(asked)
  const tested = suites.flatMap(({ name, commands }) => (commands === undefined ? [name] : []))
  const isQuick = ({ lane }: Suite) => lane === 'check'
  const preparing = suites.every(isQuick) ? null : prepareMachine()
  // Commands that fail fast come first, those of the full lane last.
  const checks = await Promise.all(
    suites.filter(isQuick).map((suite) => runCommands(suite, (command) => runBeside(command, env))),
  )
  await preparing
  const tests = tested.length === 0 ? [] : runVitest(tested, env)
  const last: Outcome[][] = []
  for (const suite of suites) if (!isQuick(suite)) last.push(await runCommands(suite, (command) => run(command, env)))
  return [...checks.flat(), ...tests, ...last.flat()]
}

/**
 * Installs what the tests need in a process of its own, beside the checks, and before several tests would install the same
 * package at the same time.
 */
async function prepareMachine(): Promise<void> {
  await once(spawn(process.execPath, ['tools/prepare-machine.ts'], { stdio: 'inherit' }), 'exit')
}

/** Counts as one test, which passes if all commands succeed. A suite without commands has none. */
async function runCommands(
  { name, commands }: Suite,
  runCommand: (command: readonly string[]) => number | Promise<number>,
): Promise<Outcome[]> {
  if (commands === undefined) return []
  console.log(`\n── ${name}`)
  const start = performance.now()
  const codes = await Promise.all(commands.map(runCommand))
  const failed = commands.filter((_, index) => codes[index] !== 0)
  const [passed, failures] = [failed.length === 0 ? 1 : 0, failed.map((command) => `FAILED ${command.join(' ')}`)]
  return [{ name, passed, failed: 1 - passed, skipped: 0, seconds: (performance.now() - start) / 1000, failures }]
}

function runVitest(suites: readonly string[], env: NodeJS.ProcessEnv): readonly Outcome[] {
  console.log(`\n── ${suites.join(', ')}`)
  const folder = mkdtempSync(join(tmpdir(), 'quorate-test-'))
  const reportFile = join(folder, 'report.json')
  try {
    const reporters = ['--reporter=default', '--reporter=./tools/report-tests.ts']
    const command = ['node_modules/vitest/vitest.mjs', 'run', ...reporters]
    const exitCode = run(command, { ...env, [SUITES_VARIABLE]: suites.join(','), [REPORT_FILE]: reportFile })
    return outcomesOf(suites, readReport(reportFile), exitCode)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readReport(file: string): TestReport | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined // vitest crashed before it could write, which is counted as a failure
  }
}

function run(command: readonly string[], env: NodeJS.ProcessEnv): number {
  const { status, signal } = spawnSync(process.execPath, command, { stdio: 'inherit', env: { ...process.env, ...env } })
  if (signal === 'SIGINT') process.exit(130)
  return status ?? 1
}

/** Runs beside other commands. The output is printed in one piece when the command has ended. */
async function runBeside(command: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, command, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => output.push(part))
  const [code] = await once(child, 'close')
  process.stdout.write(Buffer.concat(output))
  return code ?? 1
}

/** Seconds are summed over the files of a suite. Two files run at a time. */
function printTable(rows: readonly Outcome[]): void {
  console.log(`\n${'suite'.padEnd(12)}  passed  failed  skipped  seconds`)
  for (const { name, passed, failed, skipped, seconds } of rows) {
    const cells = [
      name.padEnd(12),
      String(passed).padStart(6),
      String(failed).padStart(6),
      String(skipped).padStart(7),
      seconds.toFixed(1).padStart(7),
    ]
    console.log(cells.join('  '))
  }
  console.log(`\nwall time ${(performance.now() / 1000).toFixed(0)} s`)
}
