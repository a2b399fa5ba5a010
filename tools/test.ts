import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addCounts, type Outcome, outcomeOf, summaryLine, type TestReport } from './count-tests.ts'
import { REPORT_FILE } from './report-tests.ts'
import { SUITES, type Suite } from './suites.ts'

interface SuiteResult extends Outcome {
  readonly name: string
  readonly seconds: number
}

const isFull = process.argv[2] === '--full'
const wanted = process.argv.slice(isFull ? 3 : 2)
const unknown = wanted.filter((name) => SUITES.every((suite) => suite.name !== name))
if (unknown.length > 0) {
  console.error(
    `test: unknown suite ${unknown.join(', ')}; the suites are ${SUITES.map(({ name }) => name).join(', ')}`,
  )
  process.exit(2)
}

const isAsked = ({ name, isSlow = false }: Suite) => (wanted.length === 0 ? isFull || !isSlow : wanted.includes(name))
const results = SUITES.filter(isAsked).map(runSuite)
const total = addCounts(results)
for (const { name, told } of results) for (const each of told) console.log(`\n[${name}] ${each}`)
printTable(results)
console.log(summaryLine(total))
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0

function runSuite(suite: Suite): SuiteResult {
  console.log(`\n── ${suite.name}`)
  const start = performance.now()
  const counts = suite.kind === 'commands' ? runCommands(suite.commands) : runVitest(suite.name)
  return { name: suite.name, seconds: (performance.now() - start) / 1000, ...counts }
}

/** One test, whatever the number of commands: all of them succeed. */
function runCommands(commands: readonly (readonly string[])[]): Outcome {
  const codes = commands.map((command) => run(command))
  const succeeded = codes.every((code) => code === 0)
  const told = commands.filter((_, k) => codes[k] !== 0).map((command) => `FAILED ${command.join(' ')}`)
  return { passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1, skipped: 0, told }
}

function runVitest(project: string): Outcome {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-test-'))
  const reportFile = join(folder, 'report.json')
  try {
    const reporters = ['--reporter=default', '--reporter=./tools/report-tests.ts']
    const command = ['node_modules/vitest/vitest.mjs', 'run', `--project=${project}`, ...reporters]
    const exitCode = run(command, { [REPORT_FILE]: reportFile })
    return outcomeOf(readReport(reportFile), exitCode)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readReport(file: string): TestReport | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined // vitest crashed before it could write; counted as a failure
  }
}

function run(command: readonly string[], env: NodeJS.ProcessEnv = {}): number {
  const { status, signal } = spawnSync(process.execPath, command, { stdio: 'inherit', env: { ...process.env, ...env } })
  if (signal === 'SIGINT') process.exit(130)
  return status ?? 1
}

function printTable(rows: readonly SuiteResult[]): void {
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
  console.log()
}
