import { writeFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'
import type { Failure, SuiteReport, TestReport } from './count-tests.ts'
import { suiteOf } from './test-files.ts'

/** The environment variable that names the file to write. */
export const REPORT_FILE = 'QUORATE_TEST_REPORT'

/**
 * A vitest reporter with counts per suite and everything that failed. The JSON reporter of vitest lists neither
 * failures outside of tests (hooks, processes that died) nor tests that never ended.
 */
export default class TestReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const file = process.env[REPORT_FILE]
    if (file !== undefined) writeFileSync(file, JSON.stringify(reportOf(modules, unhandled)))
  }
}

function reportOf(modules: readonly TestModule[], unhandled: readonly SerializedError[]): TestReport {
  const suite = ({ moduleId, project }: TestModule) => suiteOf(moduleId, project.name)
  const ofSuite = (name: string) => modules.filter((module) => suite(module) === name)
  return {
    suites: Object.fromEntries([...new Set(modules.map(suite))].map((name) => [name, suiteReport(ofSuite(name))])),
    unhandled: unhandled.map((error) => ({ title: 'outside of any test', messages: [textOf(error)] })),
  }
}

function suiteReport(modules: readonly TestModule[]): SuiteReport {
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  const count = (state: string) => tests.filter((test) => test.result().state === state).length
  return {
    passed: count('passed'),
    skipped: count('skipped'),
    seconds: modules.reduce((sum, module) => sum + module.diagnostic().duration / 1000, 0),
    failures: modules.flatMap(failuresOf),
  }
}

/** Failed hooks and tests, and tests that had not ended when their process died. */
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
    return state === 'pending' ? [{ title, messages: ['never ended'] }] : []
  })
  return [...groups, ...tests]
}

/** The error with its cause: if a process died, only the cause names the signal and the file. A cause may be any value. */
function textOf({ stack, message, cause }: Pick<SerializedError, 'stack' | 'message' | 'cause'>): string {
  const text = stack ?? message
  if (cause === undefined) return text
  return `${text}\ncaused by ${cause?.stack ?? cause?.message ?? String(cause)}`
}
