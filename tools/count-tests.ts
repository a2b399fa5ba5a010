export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

export interface Failure {
  readonly title: string
  readonly messages: readonly string[]
}

/** The tests of one suite that vitest ran. */
export interface SuiteReport {
  readonly passed: number
  readonly skipped: number
  /** Summed over the files. */
  readonly seconds: number
  readonly failures: readonly Failure[]
}

/** What the reporter of one vitest run writes. */
export interface TestReport {
  readonly suites: Readonly<Record<string, SuiteReport>>
  /** Errors that belong to no suite. */
  readonly unhandled: readonly Failure[]
}

/**
 * Counts of one suite, and the texts of its failures. These are printed last, so they survive in a log that is cut at
 * its start.
 */
export interface Outcome extends Counts {
  readonly name: string
  readonly seconds: number
  readonly failures: readonly string[]
}

const EMPTY: SuiteReport = { passed: 0, skipped: 0, seconds: 0, failures: [] }

/**
 * One outcome per suite. A suite without tests is one failure. A missing report, an error outside of all tests and
 * an exit code that no failure explains are failures of an outcome named vitest.
 */
export function outcomesOf(
  suites: readonly string[],
  report: TestReport | undefined,
  exitCode: number,
): readonly Outcome[] {
  const outcomes = suites.map((name) => suiteOutcome(name, report?.suites[name] ?? EMPTY))
  const isExplained = outcomes.some(({ failed }) => failed > 0)
  const unexplained = { title: `vitest, which exited with ${exitCode}`, messages: ['no test failed'] }
  const others = [...(report?.unhandled ?? []), ...(exitCode === 0 || isExplained ? [] : [unexplained])]
  return others.length === 0 ? outcomes : [...outcomes, outcome('vitest', { ...EMPTY, failures: others })]
}

function suiteOutcome(name: string, report: SuiteReport): Outcome {
  const isEmpty = report.passed + report.skipped + report.failures.length === 0
  return outcome(name, isEmpty ? { ...report, failures: [{ title: name, messages: ['no tests ran'] }] } : report)
}

function outcome(name: string, { failures, ...counts }: SuiteReport): Outcome {
  return { name, ...counts, failed: failures.length, failures: failures.map(failureText) }
}

const MOST_LINES = 30

function failureText({ title, messages }: Failure): string {
  const lines = messages.join('\n').split('\n')
  const shown = lines.slice(0, MOST_LINES).map((line) => `    ${line}`)
  return [`FAILED ${title}`, ...shown, ...(lines.length > MOST_LINES ? ['    …'] : [])].join('\n')
}

export function addCounts(all: readonly Counts[]): Counts {
  const sum = (part: keyof Counts) => all.reduce((total, counts) => total + counts[part], 0)
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
}

/** The last line of a test run, which programs read. */
export function summaryLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
