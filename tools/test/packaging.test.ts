import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import vm from 'node:vm'
import { seededRandom } from '@quorate/certificate'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { debateLines, questionLines } from '../../packages/quorate/test/chaos/chaos-panel.ts'
import { startFakeProvider } from '../../packages/quorate/test/fake-provider/fake-provider.ts'
import { runSharedChaos } from '../../packages/quorate/test/workers/shared-chaos.ts'
import { NO_TROUBLE } from '../../packages/quorate/test/workers/troubles.ts'
import { sized } from '../lane.ts'
import { startPostgres } from '../postgres.ts'

const OLDEST_NODE = 22
const PACKAGES = ['packages/certificate', 'packages/quorate', 'packages/ai-sdk']
/** Users of other frameworks do not install it. */
const AI_SDK = '@quorate/ai-sdk'
const SOURCE = resolve('packages/quorate/bin/quorate.js')
const QUORATE = 'node_modules/quorate/bin/quorate.js'

/**
 * Largest size that `npm install` may add to an empty folder. It was 16.2 on 2026-11-16, and 102 when dependencies were
 * installed too.
 */
const MOST_INSTALLED_MEGABYTES = 20
/** Largest unpacked size of each package alone. They were 0.98, 10.9 and 0.03 on 2026-11-17. */
const MOST_UNPACKED_MEGABYTES: Readonly<Record<string, number>> = {
  '@quorate/certificate': 2,
  quorate: 12,
  [AI_SDK]: 0.2,
}
/** Every way in which TypeScript resolves modules of packages. */
const ALL_MODULE_SETTINGS = [
  { module: 'node16' },
  { module: 'esnext', moduleResolution: 'bundler' },
  { module: 'nodenext' },
  { module: 'preserve' },
] as const
type ModuleSetting = (typeof ALL_MODULE_SETTINGS)[number]
/** In the short form one of each kind: `nodenext` resolves as `node16` does, and `preserve` as a bundler does. */
const MODULE_SETTINGS = sized<readonly ModuleSetting[]>({
  short: ALL_MODULE_SETTINGS.slice(0, 2),
  full: ALL_MODULE_SETTINGS,
})

/** What a user's first file might do: fit, save, load, ask for a bound. */
const FIRST_USE = `
import { fitCertificate, loadCertificate } from '@quorate/certificate'

const states = Array.from({ length: 500 }, (_, i) => [(i % 25) / 25, (i % 7) / 7])
const correct = states.map((_, i) => (i % 10 === 0 ? 0 : 1))
const budget = { beta: 0.3, delta: 0.05, epsilon: 0.02 }
const certificate = fitCertificate({ rounds: [{ states, correct }] }, { profile: 'paper', budget, kFamily: [64, 128] })
const loaded = loadCertificate(JSON.parse(JSON.stringify(certificate.toJSON())))
if (loaded.kind !== 'knn') throw new Error('a k-NN certificate was saved')
`

/** Files of a package. The JavaScript of the certificate is compiled file by file, that of quorate is a bundle. */
const BELONGS = [
  /^(package\.json|README\.md|dist\/LICENSE|dist\/.*\.d\.ts)$/,
  /^(bin\/.*|prompts\/.*\.txt|schema\/.*\.json|dist\/bundle\/[\w.-]+\.(js|txt))$/,
  /^dist\/web\/(index\.html|icon\.svg|assets\/[\w.-]+\.(js|css))$/,
]
const BELONGS_TO_CERTIFICATE = [/^dist\/.*\.js$/]

let folder: string
/** A folder with only the package for the AI SDK. */
let other: string
let packed: Packed[]

interface Packed {
  readonly name: string
  readonly filename: string
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string }[]
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-packaging-'))
  succeed(process.execPath, ['tools/build.ts'], process.cwd())
  const workspaces = PACKAGES.flatMap((name) => ['--workspace', name])
  packed = Object.values(
    JSON.parse(succeed('npm', ['pack', '--json', '--pack-destination', folder, ...workspaces], process.cwd())),
  )
  write('package.json', JSON.stringify({ private: true, type: 'module' }))
  install(
    folder,
    packed.filter(({ name }) => name !== AI_SDK),
  )
  other = mkdtempSync(join(tmpdir(), 'quorate-packaging-'))
  writeFileSync(join(other, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  for (const { filename } of packed) copyFileSync(join(folder, filename), join(other, filename))
  install(
    other,
    packed.filter(({ name }) => name === AI_SDK),
  )
})
afterAll(() => {
  for (const place of [folder, other]) rmSync(place, { recursive: true, force: true })
})

test('the packages carry compiled files, declarations, licence and nothing else', () => {
  for (const { name, files } of packed) {
    const paths = files.map(({ path }) => path)
    expect(paths, name).toContain('dist/LICENSE')
    expect(
      paths.filter(
        (path) =>
          !(name === 'quorate' ? BELONGS : [...BELONGS, ...BELONGS_TO_CERTIFICATE]).some((pattern) =>
            pattern.test(path),
          ),
      ),
    ).toEqual([])
  }
})

test.each(Object.entries(MOST_UNPACKED_MEGABYTES))('%s has at most %d MB', (name, most) => {
  const found = packed.find((one) => one.name === name)
  expect((found?.unpackedSize ?? Number.NaN) / 1e6).toBeLessThan(most)
})

test('the package carries the web app', () => {
  const paths = packed.find(({ name }) => name === 'quorate')?.files.map(({ path }) => path)
  expect(paths).toContain('dist/web/index.html')
  expect(paths?.filter((path) => /^dist\/web\/assets\/replay-worker-.*\.js$/.test(path))).toHaveLength(1)
})

test('the package carries the command line once, bundled, with the licences of what is in it', () => {
  const paths = packed.find(({ name }) => name === 'quorate')?.files.map(({ path }) => path) ?? []
  expect(paths.filter((path) => path.startsWith('dist/cli/'))).toEqual([])
  const licences = readFileSync(join(folder, 'node_modules/quorate/dist/bundle/LICENSES.txt'), 'utf8')
  for (const name of processesOf('packages/quorate/src')) expect(paths).toContain(`dist/bundle/${name}.js`)
  const { devDependencies } = JSON.parse(readFileSync('packages/quorate/package.json', 'utf8'))
  const sources = globSync('packages/quorate/src/**/*.ts').map((file) => readFileSync(file, 'utf8'))
  // The others are used only by tests.
  const bundled = Object.entries(devDependencies).filter(([name]) => {
    const imported = new RegExp(`(from |import\\()'${name}['/]`)
    return sources.some((source) => imported.test(source))
  })
  expect(bundled.length).toBeGreaterThan(10)
  for (const [name, version] of bundled) expect(licences).toContain(`\n${name} ${version}\n`)
})

test('what is bundled is not installed a second time, and the size of an installation has a limit', () => {
  const installed = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8')).packages
  expect(Object.keys(installed)).toEqual([
    'node_modules/@quorate/certificate',
    'node_modules/quorate',
    'node_modules/zod',
  ])
  const files = globSync('node_modules/**/*', { cwd: folder }).map((name) => statSync(join(folder, name)))
  const bytes = files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)
  expect(bytes / 1e6).toBeLessThan(MOST_INSTALLED_MEGABYTES)
})

test('the certificate package has no runtime dependency', () => {
  const manifest = JSON.parse(readFileSync(join(folder, 'node_modules/@quorate/certificate/package.json'), 'utf8'))
  expect(manifest).not.toHaveProperty('dependencies')
})

describe('installed into an empty folder', () => {
  test('the command line prints its version and its help', () => {
    const { version } = JSON.parse(readFileSync('packages/quorate/package.json', 'utf8'))
    expect(succeed(process.execPath, [QUORATE, '--version'])).toBe(`${version}\n`)
    expect(succeed(process.execPath, [QUORATE, '--help'])).toContain('Commands')
    expect(existsSync(join(folder, 'node_modules/.bin/quorate'))).toBe(true)
  })

  test('commands that compute in processes of their own say what the sources say', () => {
    write('labelled.jsonl', debateLines(150, seededRandom(5)))
    const args = ['evaluate', join(folder, 'labelled.jsonl'), '--beta', '0.3', '--splits', '2', '--json']
    const output = succeed(process.execPath, [QUORATE, ...args])
    expect(output).toBe(succeed(process.execPath, ['--conditions=quorate-source', SOURCE, ...args]))
    expect(JSON.parse(output)).toHaveProperty('n', 150)
  })

  test('the library fits, saves, loads and bounds, in Node and in a browser bundle, with the same result', async () => {
    write('first-use.js', `${FIRST_USE}\nconsole.log(JSON.stringify(loaded.bound(1, [0.5, 0.5])))\n`)
    const fromNode = JSON.parse(succeed(process.execPath, ['first-use.js']))
    expect(fromNode.lower).toBeTypeOf('number')
    expect(
      JSON.parse(await runInBareContext(`${FIRST_USE}\nresult = JSON.stringify(loaded.bound(1, [0.5, 0.5]))`)),
    ).toEqual(fromNode)
  })

  test('every entry point of quorate loads, and those for pages need no Node', async () => {
    write('entries.js', "for (const name of ['quorate', 'quorate/contract', 'quorate/figures']) await import(name)\n")
    succeed(process.execPath, ['entries.js'])
    const names = 'result = [typeof contract.ROUTES, typeof figures.percentText].join()'
    const page = `import * as contract from 'quorate/contract'\nimport * as figures from 'quorate/figures'\n${names}`
    expect(await runInBareContext(page)).toBe('object,function')
  })

  test('quorate serve serves the app and the API, and ends at the signal', async () => {
    const child = spawn(process.execPath, [QUORATE, 'serve', '--port', '0'], { cwd: folder })
    try {
      const ended = once(child, 'close')
      let output = ''
      const address = await new Promise<string>((begun, failed) => {
        for (const stream of [child.stdout, child.stderr]) {
          stream.on('data', (chunk: Buffer) => {
            output += chunk.toString()
            const found = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0]
            if (found !== undefined) begun(found)
          })
        }
        void ended.then(([code]) => failed(new Error(`quorate serve ended with ${code}: ${output}`)))
      })
      const page = await fetch(`${address}/`)
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      const script = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1]
      expect((await fetch(`${address}${script}`)).status).toBe(200)
      expect((await fetch(`${address}/healthz`)).status).toBe(200)
      const session = await fetch(`${address}/v1/session`)
      expect(await session.json()).toMatchObject({ name: 'local', role: 'admin' })
      child.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
    } finally {
      child.kill('SIGKILL')
    }
  })

  test('the declarations type-check without the types of Node', () => {
    write('first-use.ts', `${FIRST_USE}\nexport const bound = loaded.bound(1, [0.5, 0.5])\n`)
    const compilerOptions = { module: 'nodenext', strict: true, noEmit: true, types: [], lib: ['ES2023'] }
    write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['first-use.ts'] }))
    succeed(process.execPath, [realpathSync('node_modules/typescript/bin/tsc'), '-p', '.', '--checkers', '1'])
  })
})

describe(`${AI_SDK} installed into an empty folder`, () => {
  test('it brings the interface of the AI SDK and zod, and nothing else', () => {
    const installed = JSON.parse(readFileSync(join(other, 'node_modules/.package-lock.json'), 'utf8')).packages
    expect(Object.keys(installed)).toEqual([
      'node_modules/@ai-sdk/provider',
      'node_modules/@quorate/ai-sdk',
      'node_modules/@types/json-schema',
      'node_modules/json-schema',
      'node_modules/zod',
    ])
  })

  test('it loads, and makes a model', () => {
    const program = `import { createQuorate } from '${AI_SDK}'
const model = createQuorate({ url: 'http://127.0.0.1:9', token: 'k' })('panel')
console.log(typeof model.doGenerate)`
    expect(succeed(process.execPath, ['--input-type=module', '--eval', program], other).trim()).toBe('function')
  })
})

test.each(MODULE_SETTINGS)(
  'the declarations of every entry point type-check with the types of Node and $module',
  (setting) => {
    const entries = ['@quorate/certificate', 'quorate', 'quorate/record', 'quorate/contract', 'quorate/figures']
    typeCheck([exporting(folder, entries), exporting(other, [AI_SDK])], setting)
  },
)

test('models of every provider answer', async () => {
  const fake = await startFakeProvider()
  onTestFinished(fake.close)
  const models = ['anthropic/a', 'openai/b', 'deepseek/c', 'bedrock/d', 'openai-compatible/e']
  const agents = models.map((model) => ({ name: model, model, baseURL: `${fake.url}/v1`, apiKeyEnv: 'ANY_KEY' }))
  const config = { panel: { rounds: 1, agents }, budget: { beta: 0.2 }, limits: { maxCostUsd: null } }
  write('quorate.config.json', JSON.stringify(config))
  write('questions.jsonl', questionLines(0, 2))
  const env = { ...process.env, ANY_KEY: 'any', AWS_REGION: 'eu-central-1', XDG_CONFIG_HOME: join(folder, 'home') }
  const args = [QUORATE, 'debate', 'questions.jsonl', '--trust-config', '--allow-unpriced']
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const [code] = await once(child, 'close')
  expect(code, output).toBe(0)
  expect(fake.counts().requests).toBe(10)
})

test('workers debate on PostgreSQL', async ({ skip }) => {
  const start = await startPostgres()
  if (start.kind === 'absent') return skip(start.reason)
  const { postgres } = start
  onTestFinished(postgres.stop)
  const bin = join(folder, QUORATE)
  const { calls } = await runSharedChaos({
    postgres,
    questions: 20,
    workers: 2,
    concurrency: 8,
    bin,
    trouble: NO_TROUBLE,
  })
  expect(calls.open).toBe(0)
})

describe('on a Node that is too old', () => {
  const oldNode = findOldNode()
  if (oldNode === undefined) console.log(`skipped: no Node older than ${OLDEST_NODE} on the PATH`)

  test.skipIf(oldNode === undefined)('the command line says in one sentence what it needs', () => {
    const { status, stdout, stderr } = run(oldNode?.path ?? '', [QUORATE, '--help'])
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toBe(
      `quorate needs Node >= 22.18 but is running on Node ${oldNode?.version}: install a newer Node and run the command again.\n`,
    )
  })
})

/** Bundles for a browser and runs the bundle where neither `process` nor `require` nor any host object exists. */
async function runInBareContext(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    platform: 'browser',
    format: 'iife',
    write: false,
  })
  const context = { result: '' }
  vm.runInNewContext(outputFiles[0]?.text ?? '', context)
  return context.result
}

function findOldNode(): { path: string; version: string } | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((entry) => !entry.includes('node_modules'))
  for (const path of folders.map((entry) => join(entry, 'node')).filter((path) => existsSync(path))) {
    const version = run(path, ['-p', 'process.versions.node'], process.cwd()).stdout.trim()
    if (Number.parseInt(version, 10) < OLDEST_NODE) return { path, version }
  }
  return undefined
}

/** Names of the processes that modules below this folder start. */
function processesOf(sources: string): readonly string[] {
  const texts = globSync(`${sources}/**/*.ts`).map((file) => readFileSync(file, 'utf8'))
  const names = texts.flatMap((text) => [...text.matchAll(/forkBeside\(import\.meta\.url, '([\w-]+)'\)/g)])
  expect(names.length).toBeGreaterThan(1)
  return names.map(([, name = '']) => name)
}

function succeed(command: string, args: readonly string[], cwd = folder): string {
  const { status, stdout, stderr } = run(command, args, cwd)
  if (status !== 0) throw new Error(`${[command, ...args].join(' ')} exited with ${status}:\n${stdout}${stderr}`)
  return stdout
}

function run(command: string, args: readonly string[], cwd = folder) {
  return spawnSync(command, args, { cwd, encoding: 'utf8' })
}

function write(file: string, text: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, file), text)
}

function install(place: string, packages: readonly Packed[]): void {
  const tarballs = packages.map(({ filename }) => `./${filename}`)
  succeed('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', ...tarballs], place)
}

/** A file that exports everything that these modules export. */
function exporting(place: string, entries: readonly string[]): string {
  const file = join(place, 'typed.ts')
  writeFileSync(file, entries.map((name, index) => `export * as entry${index} from '${name}'\n`).join(''))
  return file
}

/** Checks with the types of Node, which are read once for all files. Each file finds the packages of its own folder. */
function typeCheck(files: readonly string[], setting: ModuleSetting): void {
  const compilerOptions = {
    ...setting,
    target: 'es2023',
    strict: true,
    noEmit: true,
    types: ['node'],
    typeRoots: [resolve('node_modules/@types')],
    lib: ['ES2023'],
  }
  write('tsconfig.quorate.json', JSON.stringify({ compilerOptions, files }))
  succeed(process.execPath, [
    realpathSync('node_modules/typescript/bin/tsc'),
    '-p',
    'tsconfig.quorate.json',
    '--checkers',
    '1',
  ])
}
