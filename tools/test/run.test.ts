import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'quorate-run-'))
  cpSync(resolve('tools/run.mjs'), join(root, 'tools/run.mjs'))
  write('tools/build.ts', 'console.log(process.argv.slice(2).join(), process.execArgv.join())')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test.each([
  ['tools/bench.ts', ['workers', '--help'], 'npm run bench -- [PART ...] [flags]\n'],
  ['tools/soak.ts', ['--help'], 'npm run soak -- [--debates N]'],
])('%s %j says how it is called, and does nothing', (tool, args, beginning) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--conditions=quorate-source', tool, ...args], {
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout.startsWith(beginning), stdout).toBe(true)
  for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
})

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
  expect(stderr).toMatch(/unknown task "deploy", expected one of demo, quorate, check, test, test:full/)
})

/** Prints its process id, finishes its work after the first signal, and prints how many signals it received. */
const SERVING = `
  let signals = 0
  const receive = () => {
    signals += 1
    if (signals === 1) setTimeout(() => { console.log('finished after ' + signals); process.exit(7) }, 300)
  }
  process.on('SIGINT', receive)
  process.on('SIGTERM', receive)
  setInterval(() => {}, 1000)
  console.log('serving as ' + process.pid)
`

test.each(['SIGINT', 'SIGTERM'] as const)(
  'passes %s on once, waits until all is finished and gives its code',
  async (signal) => {
    const { child, shown, ended } = await serving(SERVING, 'serving as')
    const server = Number(/serving as (\d+)/.exec(shown())?.[1])
    child.kill(signal)
    expect(await ended).toBe(7)
    expect(shown()).toContain('finished after 1\n')
    expect(() => process.kill(server, 0)).toThrow(/ESRCH/)
  },
)

test('gives the code of a shell for what a signal ended', async () => {
  const { ended } = await serving("console.log('here'); process.kill(process.pid, 'SIGKILL')", 'here')
  expect(await ended).toBe(137)
})

test('starts nothing more after the signal to end', async () => {
  write('packages/quorate/bin/quorate.js', "console.log('started all the same')")
  const { child, shown, ended } = await started("console.log('building'); setInterval(() => {}, 1000)", 'building')
  child.kill('SIGTERM')
  expect(await ended).toBe(143)
  expect(shown()).toBe('building\n')
})

const HAS_TERMINAL = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true

test.skipIf(!HAS_TERMINAL)(
  'Ctrl-C in a terminal reaches what it runs once, and the prompt comes when that has ended',
  async () => {
    pretendInstalled('1.0.0')
    write('tools/build-web.ts', '')
    write('packages/quorate/bin/quorate.js', SERVING)
    // Without exec the shell in between would also receive Ctrl-C, and some shells then exit with their own code.
    const line = ['exec', process.execPath, join(root, 'tools/run.mjs'), 'quorate', 'serve'].join(' ')
    const { child, shown, ended } = await received(spawn('script', ['-qec', line, '/dev/null']), 'serving as')
    child.stdin?.write('\u0003')
    expect(await ended).toBe(7)
    expect(shown()).toContain('finished after 1\r\n')
  },
)

/** Starts the command line and waits until it prints `words`. */
function serving(program: string, words: string) {
  write('packages/quorate/bin/quorate.js', program)
  return started('', words)
}

function started(build: string, words: string) {
  pretendInstalled('1.0.0')
  write('tools/build-web.ts', build)
  const args = [join(root, 'tools/run.mjs'), 'quorate', 'serve']
  return received(spawn(process.execPath, args, { env: { ...process.env, INIT_CWD: undefined } }), words)
}

async function received(child: ChildProcessByStdio<Writable, Readable, Readable>, words: string) {
  let shown = ''
  const ended = once(child, 'close').then(([status]) => status)
  await new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text
      if (shown.includes(words)) resolve()
    })
    void ended.then(() => resolve())
  })
  return { child, shown: () => shown, ended }
}

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
