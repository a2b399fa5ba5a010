import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { TestReport } from '../count-tests.ts'
import { REPORT_FILE } from '../report-tests.ts'

const IMPORTS = `import { afterAll, beforeAll, describe, expect, test } from 'vitest'\n`

test('counts tests, and names the one that failed with its reason', () => {
  const report = reportOf(`
    test('holds', () => {})
    test.skip('waits', () => {})
    describe('rates', () => { test('stay low', () => expect(115).toBeLessThan(110)) })`)
  expect(report.suites['']).toMatchObject({ passed: 1, skipped: 1 })
  expect(allFailures(report)).toEqual([
    { title: 'a.test.ts > rates > stay low', messages: [expect.stringContaining('expected 115 to be less than 110')] },
  ])
})

test.each([
  ['a hook of a file', `beforeAll(() => { throw new Error('no room') }); test('holds', () => {})`, 'a.test.ts'],
  [
    'a hook of a group',
    `describe('rates', () => { beforeAll(() => { throw new Error('no room') }); test('stay low', () => {}) })`,
    'a.test.ts > rates',
  ],
  ['a hook that tidies', `afterAll(() => { throw new Error('no room') }); test('holds', () => {})`, 'a.test.ts'],
  ['loading a file', `test('holds', () => {}); throw new Error('no room')`, 'a.test.ts'],
  [
    'a promise nobody waits for',
    `test('holds', () => void Promise.reject(new Error('no room')))`,
    'outside of any test',
  ],
])('reports %s that fails', (_, source, title) => {
  expect(allFailures(reportOf(source))).toEqual([{ title, messages: [expect.stringContaining('no room')] }])
})

test('reports a process that dies, and counts none of its tests as skipped', () => {
  const report = reportOf(`
    test('dies', () => process.kill(process.pid, 'SIGKILL'))
    test('waits', () => {})`)
  expect(report.suites['']?.skipped).toBe(0)
  expect(allFailures(report)).toEqual([
    { title: 'a.test.ts > dies', messages: ['never ended'] },
    { title: 'a.test.ts > waits', messages: ['never ended'] },
    {
      title: 'outside of any test',
      messages: [expect.stringMatching(/caused by .* exited unexpectedly with signal SIGKILL .*a\.test\.ts/)],
    },
  ])
})

function allFailures({ suites, unhandled }: TestReport) {
  return [...Object.values(suites).flatMap(({ failures }) => failures), ...unhandled]
}

function reportOf(source: string): TestReport {
  const root = mkdtempSync(join(tmpdir(), 'quorate-reported-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  writeFileSync(join(root, 'a.test.ts'), IMPORTS + source)
  const file = join(root, 'report.json')
  const args = ['run', `--root=${root}`, `--reporter=${resolve('tools/report-tests.ts')}`]
  const { stderr } = spawnSync(process.execPath, [resolve('node_modules/vitest/vitest.mjs'), ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, [REPORT_FILE]: file },
  })
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as TestReport // written by the reporter
  } catch {
    throw new Error(`no report: ${stderr}`)
  }
}
