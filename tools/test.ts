import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addCounts, type Counts, countTests, failures, summaryLine, type VitestReport } from './count-tests.ts'
import { SUITES, type Suite } from './suites.ts'

interface SuiteResult extends Counts {
  readonly name: string
  readonly seconds: number
  /** What to read where something failed, after all the output of the suites. */
  readonly told: readonly string[]
}

type Outcome = Counts & Pick<SuiteResult, 'told'>

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => SUITES.every((suite) => suite.name !== name))
if (unknown.length > 0) {
  console.error(
    `test: unknown suite ${unknown.join(', ')}; the suites are ${SUITES.map(({ name }) => name).join(', ')}`,
  )
  process.exit(2)
}

const results = SUITES.filter(({ name }) => wanted.length === 0 || wanted.includes(name)).map(runSuite)
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
    const exitCode = run([
      'node_modules/vitest/vitest.mjs',
      'run',
      `--project=${project}`,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${reportFile}`,
    ])
    const report = readReport(reportFile)
    const [counts, told] = [countTests(report, exitCode), failures(report)]
    const isUntold = counts.failed > 0 && told.length === 0
    return { ...counts, told: isUntold ? [`FAILED vitest ended with ${exitCode}, or had no tests`] : told }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readReport(file: string): VitestReport | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined // vitest crashed before it could write; counted as a failure
  }
}

function run(command: readonly string[]): number {
  const { status, signal } = spawnSync(process.execPath, command, { stdio: 'inherit' })
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
