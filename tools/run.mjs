/**
 * Runs a task of this repository on the Node that the repository pins, and installs first when needed.
 * Started by whatever Node the machine has: only built-in modules, no TypeScript.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = resolve(fileURLToPath(import.meta.url), '../..')
const pinnedNode = join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node')

/** Tasks that work on the caller's files. They run in the folder where npm was started, not in the repository. */
const FOLDER_TASKS = ['demo', 'quorate']

const TASKS = {
  demo: ['packages/quorate/bin/quorate.js', 'demo'],
  quorate: ['packages/quorate/bin/quorate.js'],
  check: ['tools/test.ts', '--lane=check'],
  test: ['tools/test.ts', '--lane=test'],
  'test:full': ['tools/test.ts', '--lane=full'],
  bench: ['tools/bench.ts'],
  soak: ['tools/soak.ts'],
  tables: ['experiments/src/tables/main.ts'],
  reproduce: ['experiments/src/reproduce/main.ts'],
  build: ['tools/build.ts'],
  site: ['tools/site/main.ts'],
  format: ['node_modules/@biomejs/biome/bin/biome', 'check', '--write'],
}

const [task = '', ...flags] = process.argv.slice(2)
if (!Object.hasOwn(TASKS, task)) {
  fail(2, `unknown task "${task}", expected one of ${Object.keys(TASKS).join(', ')}`)
}
if (!isInstalled()) install()

/** The current child process, and the first signal that was received. */
let running = null
let received = null
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => passOn(signal))

// The app that `serve` serves. Building it takes a second.
if (task === 'demo' || (task === 'quorate' && flags[0] === 'serve')) await start(['tools/build-web.ts'], root)
if (received !== null) process.exit(codeOf(received))
const [program, ...given] = TASKS[task]
const isInFolder = FOLDER_TASKS.includes(task) && existsSync(process.env.INIT_CWD ?? '')
const { status, signal, error } = await start(
  [isInFolder ? join(root, program) : program, ...given, ...flags],
  isInFolder ? process.env.INIT_CWD : root,
)
if (error) fail(1, `could not start ${pinnedNode} (${error.message}): delete node_modules and run the command again.`)
process.exitCode = signal === null ? (status ?? 1) : codeOf(signal)

function start(args, cwd) {
  running = spawn(pinnedNode, ['--conditions=quorate-source', ...args], {
    cwd,
    stdio: 'inherit',
    env: { ...process.env, PATH: join(root, 'node_modules/.bin') + delimiter + process.env.PATH },
  })
  return new Promise((resolve) => {
    running.once('error', (error) => resolve({ status: null, signal: null, error }))
    running.once('exit', (status, signal) => resolve({ status, signal }))
  })
}

/**
 * Passes a signal on to the child process and keeps waiting for it, since it shuts down by itself. A terminal also
 * sends Ctrl-C to it directly, and a second signal would cut its shutdown short.
 */
function passOn(signal) {
  received ??= signal
  const hasReceivedIt =
    signal === 'SIGINT' && [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY)
  if (!hasReceivedIt) running?.kill(signal)
}

/** The exit code that a shell gives for a signal. */
function codeOf(signal) {
  return 128 + constants.signals[signal]
}

/** Whether every package of the lockfile that this platform needs is installed in its version. */
function isInstalled() {
  const installed = readPackages('node_modules/.package-lock.json')
  if (installed === undefined || !existsSync(pinnedNode)) return false
  return Object.entries(readPackages('package-lock.json') ?? {}).every(
    ([path, wanted]) =>
      !path.startsWith('node_modules/') || wanted.optional || installed[path]?.version === wanted.version,
  )
}

function readPackages(lockfile) {
  try {
    return JSON.parse(readFileSync(join(root, lockfile), 'utf8')).packages
  } catch {
    return undefined // absent or unreadable: not installed
  }
}

function install() {
  console.error('Installing the development tools of this repository (npm ci), once ...')
  const npm = process.env.npm_execpath ? [process.execPath, [process.env.npm_execpath]] : ['npm', []]
  const { status, error } = spawnSync(npm[0], [...npm[1], 'ci', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  })
  if (error || status !== 0) {
    fail(
      1,
      `npm ci failed (${error?.message ?? `exit code ${status}`}): check the network and the lines above, then run the command again.`,
    )
  }
  if (!existsSync(pinnedNode)) {
    fail(
      1,
      'npm ci left no Node 24 behind: allow install scripts (npm config set ignore-scripts false), then run the command again.',
    )
  }
}

function fail(code, sentence) {
  console.error(`quorate repository: ${sentence}`)
  process.exit(code)
}
