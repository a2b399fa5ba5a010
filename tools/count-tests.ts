export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** The part of vitest's JSON report that is read here. */
export interface VitestReport {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    /** Why the file could not be loaded; empty where it could. */
    readonly message: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

/**
 * Tests of one vitest run. What went wrong outside a test counts as one failure each: a file that could not be
 * loaded, a run that ended with an error although no test failed, a report that is missing, a run without tests.
 */
export function countTests(report: VitestReport | undefined, exitCode: number): Counts {
  const files = report?.testResults ?? []
  const statuses = files.flatMap((file) => file.assertionResults.map(({ status }) => status))
  const passed = statuses.filter((status) => status === 'passed').length
  const failedTests = statuses.filter((status) => status === 'failed').length
  const failedFiles = files.filter(failedToLoad).length
  const failed = failedTests + failedFiles
  const skipped = statuses.length - passed - failedTests
  const broken = failed === 0 && (exitCode !== 0 || statuses.length === 0)
  return { passed, failed: broken ? 1 : failed, skipped }
}

/** What failed and why, each in a few lines: a log that is cut at its start still tells. */
export function failures(report: VitestReport | undefined): string[] {
  return (report?.testResults ?? []).flatMap((file) => {
    const tests = file.assertionResults.filter(({ status }) => status === 'failed')
    const told = tests.map(({ fullName, failureMessages }) => failure(`${file.name} > ${fullName}`, failureMessages))
    return failedToLoad(file)
      ? [failure(file.name, [file.message || 'something outside its tests failed: see its output above'])]
      : told
  })
}

function failedToLoad({ status, assertionResults }: VitestReport['testResults'][number]): boolean {
  return status === 'failed' && assertionResults.every((each) => each.status !== 'failed')
}

const MOST_LINES = 30

function failure(title: string, messages: readonly string[]): string {
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
