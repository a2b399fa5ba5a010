import { writeFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'
import type { Failure, TestReport } from './count-tests.ts'

/** The variable that names the file to write. */
export const REPORT_FILE = 'QUORATE_TEST_REPORT'

/**
 * A reporter of vitest: counts, and everything that went wrong. Its own JSON reporter tells neither what failed outside of
 * tests (hooks, processes that died) nor which tests nobody heard of any more.
 */
export default class TestReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const file = process.env[REPORT_FILE]
    if (file !== undefined) writeFileSync(file, JSON.stringify(reportOf(modules, unhandled)))
  }
}

function reportOf(modules: readonly TestModule[], unhandled: readonly SerializedError[]): TestReport {
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  const count = (state: string) => tests.filter((test) => test.result().state === state).length
  const failures = [
    ...modules.flatMap((module) => failuresOf(module)),
    ...unhandled.map((error) => ({ title: 'outside of any test', messages: [textOf(error)] })),
  ]
  return { passed: count('passed'), skipped: count('skipped'), failures }
}

/** Of hooks and tests, and tests that were begun or waited when their process died. */
function failuresOf(module: TestModule): Failure[] {
  const file = module.relativeModuleId
  const groups = [module, ...module.children.allSuites()].flatMap((group) => {
    const title = group.type === 'suite' ? `${file} > ${group.fullName}` : file
    const errors = group.errors()
    return errors.length === 0 ? [] : [{ title, messages: errors.map(textOf) }]
  })
  const tests = [...module.children.allTests()].flatMap((test) => {
    const { state, errors = [] } = test.result()
    const title = `${file} > ${test.fullName}`
    if (state === 'failed') return [{ title, messages: errors.map(textOf) }]
    return state === 'pending' ? [{ title, messages: ['was not heard of any more'] }] : []
  })
  return [...groups, ...tests]
}

/** With its cause: of a process that died only the cause names the signal and the file. A cause may be anything. */
function textOf({ stack, message, cause }: Pick<SerializedError, 'stack' | 'message' | 'cause'>): string {
  const text = stack ?? message
  if (cause === undefined) return text
  return `${text}\ncaused by ${cause?.stack ?? cause?.message ?? String(cause)}`
}
