import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { fillSqlite, MANY_RUN } from '../efficiency/many-debates.ts'
import { temporaryFolder } from '../files/temporary-files.ts'
import { runMain } from './run-main.ts'

const { folder } = temporaryFolder()
const at = (name: string) => join(folder, name)
const STORE = ['--store', `sqlite:${at('many.sqlite')}`]
const RUN = ['--run', MANY_RUN.id.slice(0, 8), ...STORE]

beforeAll(async () => {
  await fillSqlite(at('many.sqlite'), { count: 200, textBytes: 2000, seed: 3 })
  expect(await runMain(['export', ...RUN, '--out', at('debates.jsonl')])).toMatchObject({ status: 0 })
})

describe.each([
  ['evaluate', ['--splits', '2', '--policies', 'cells,consensus,tight', '--threads', '1'], []],
  ['audit', [], ['--unordered']],
  ['plan', ['--splits', '3'], []],
])('%s --run', (command, flags, unordered) => {
  test('prints the same for a run as for the file that the run is exported to', async () => {
    const asked = ['--beta', '0.3', '--json', ...flags]
    const ofRun = await runMain([command, ...RUN, ...asked])
    const ofFile = await runMain([command, at('debates.jsonl'), ...asked, ...unordered])
    expect(ofRun.stderr).toBe(ofFile.stderr)
    expect(ofRun.stdout).toBe(ofFile.stdout)
    expect(ofRun.status).toBe(ofFile.status)
    expect(ofRun.stdout.length).toBeGreaterThan(100)
  })

  test('names the run instead of a file, and leaves no file behind', async () => {
    const own = mkdtempSync(at('tmp-'))
    vi.stubEnv('TMPDIR', own)
    onTestFinished(() => void vi.unstubAllEnvs())
    const { stdout } = await runMain([command, ...RUN, '--beta', '0.3', ...flags])
    expect(stdout).toContain(`--run ${MANY_RUN.id}`)
    expect(readdirSync(own)).toEqual([])
  })

  test('with an unknown run names the existing ones', async () => {
    const { status, stderr } = await runMain([command, '--run', 'ffffffff', ...STORE, '--beta', '0.3'])
    expect(status).toBe(1)
    expect(stderr).toContain(`there is no run "ffffffff". The latest are ${MANY_RUN.id} (debate)`)
  })
})

test('a report of a run names the run and the command that makes it again', async () => {
  const asked = ['report', ...RUN, '--beta', '0.3', '--splits', '1', '--out', at('report')]
  expect(await runMain(asked)).toMatchObject({ status: 0, stderr: '' })
  const page = readFileSync(at('report/report.html'), 'utf8')
  expect(page).toContain(`run-${MANY_RUN.id}.jsonl`)
  expect(page).toContain(`quorate report --run ${MANY_RUN.id.slice(0, 8)} --beta 0.3`)
  expect(page).not.toContain(folder)
})
