import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'quorate-run-'))
  cpSync(resolve('tools/run.mjs'), join(root, 'tools/run.mjs'))
  write('tools/build.ts', 'console.log(process.argv.slice(2).join(), process.execArgv.join())')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('runs the task on the pinned Node, with its flags, when everything is installed', () => {
  pretendInstalled('1.0.0')
  expect(runTask(['build', '--seed', '3'])).toEqual({
    status: 0,
    stdout: '--seed,3 --conditions=quorate-source\n',
    stderr: '',
  })
})

test('runs the command line in the folder where npm was started, and other tasks in the repository', () => {
  pretendInstalled('1.0.0')
  const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-folder-')))
  write('packages/quorate/bin/quorate.js', 'console.log(process.cwd())')
  write('tools/build.ts', 'console.log(process.cwd())')
  const started = { INIT_CWD: elsewhere }
  expect(runTask(['quorate'], started).stdout).toBe(`${elsewhere}\n`)
  expect(runTask(['build'], started).stdout).toBe(`${realpathSync(root)}\n`)
  expect(runTask(['quorate'], { INIT_CWD: join(elsewhere, 'gone') }).stdout).toBe(`${realpathSync(root)}\n`)
  rmSync(elsewhere, { recursive: true })
})

test('reinstalls when the lockfile asks for another version, and says in one sentence that it failed', () => {
  pretendInstalled('0.9.0')
  const { status, stdout, stderr } = runTask(['build'])
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr.split('\n')[0]).toBe('Installing the development tools of this repository (npm ci), once ...')
  expect(stderr.trim().split('\n').at(-1)).toMatch(/^quorate repository: npm ci failed \(.*\): check .* again\.$/)
})

test('names the tasks when asked for one that does not exist', () => {
  const { status, stderr } = runTask(['deploy'])
  expect(status).toBe(2)
  expect(stderr).toMatch(/unknown task "deploy", expected one of demo, quorate, test, check/)
})

/** A lockfile that wants one package in version 1.0.0, and an installation that has it in `version`. */
function pretendInstalled(version: string): void {
  write('package-lock.json', JSON.stringify({ packages: { '': {}, 'node_modules/a': { version: '1.0.0' } } }))
  write('node_modules/.package-lock.json', JSON.stringify({ packages: { 'node_modules/a': { version } } }))
  mkdirSync(join(root, 'node_modules/node/bin'), { recursive: true })
  symlinkSync(process.execPath, join(root, 'node_modules/node/bin/node'))
}

function runTask(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'tools/run.mjs'), ...args], {
    encoding: 'utf8',
    env: { ...process.env, INIT_CWD: undefined, ...env },
  })
  return { status, stdout, stderr }
}

function write(file: string, text: string): void {
  mkdirSync(resolve(root, file, '..'), { recursive: true })
  writeFileSync(join(root, file), text)
}
