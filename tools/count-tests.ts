export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

export interface Failure {
  readonly title: string
  readonly messages: readonly string[]
}

/** What the reporter of one vitest run leaves. */
export interface TestReport {
  readonly passed: number
  readonly skipped: number
  readonly failures: readonly Failure[]
}

/** Counts of one vitest run, and what to read of it after all the output: a log that is cut at its start still tells. */
export interface Outcome extends Counts {
  readonly told: readonly string[]
}

/** A run that ended with an error although nothing failed, a report that is missing and a run without tests are one failure. */
export function outcomeOf(report: TestReport | undefined, exitCode: number): Outcome {
  const { passed = 0, skipped = 0, failures = [] } = report ?? {}
  const isEmpty = passed + skipped === 0
  const broken: Failure[] =
    failures.length === 0 && (exitCode !== 0 || isEmpty)
      ? [
          {
            title: `vitest, which ended with ${exitCode}`,
            messages: [isEmpty ? 'there are no tests' : 'nobody knows why'],
          },
        ]
      : []
  const all = [...failures, ...broken]
  return { passed, failed: all.length, skipped, told: all.map(failureText) }
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

/** The last line of a test run, which machines read. */
export function summaryLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
