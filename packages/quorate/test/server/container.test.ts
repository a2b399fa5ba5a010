import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { temporaryFolder } from '../store/temporary-folder.ts'

const ROOT = resolve(import.meta.dirname, '../../../..')
const BIN = join(ROOT, 'packages/quorate/bin/quorate.js')
const PORT = '4711'
const COMPOSE = readFileSync(join(ROOT, 'compose.yaml'), 'utf8')

interface Instruction {
  readonly name: string
  readonly rest: string
}

/** One instruction per line. A line that ends in a backslash continues in the next. */
function instructionsOf(text: string): readonly Instruction[] {
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
  return lines.flatMap((line) => {
    const [, name = '', rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? []
    if (line !== '' && name === '') throw new Error(`expected an instruction, got ${JSON.stringify(line)}`)
    return name === '' ? [] : [{ name, rest }]
  })
}

const all = instructionsOf(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))
const last = all.slice(all.findLastIndex(({ name }) => name === 'FROM'))
const one = (wanted: string) => {
  const found = last.filter(({ name }) => name === wanted)
  expect(found, wanted).toHaveLength(1)
  return found[0]?.rest ?? ''
}
/** The exec form, without a shell. */
const execForm = (rest: string): readonly string[] => JSON.parse(rest.slice(rest.indexOf('[')))

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

test('the image is pinned to a major version, and its process is not root and keeps its store in a volume', () => {
  const bases = all.filter(({ name }) => name === 'FROM').map(({ rest }) => rest.split(' ')[0])
  expect(new Set(bases)).toEqual(new Set(['node:24-slim']))
  const names = last.map(({ name }) => name)
  expect(one('USER')).toBe('node')
  expect(names.indexOf('USER')).toBeGreaterThan(names.lastIndexOf('RUN'))
  const volume = one('VOLUME')
  expect(last).toContainEqual({ name: 'ENV', rest: `QUORATE_STORE=sqlite:${volume}/quorate.db` })
  // A volume inherits owner and mode of the folder in the image.
  expect(last.find(({ name }) => name === 'RUN')?.rest).toContain(
    `install --directory --owner=node --group=node --mode=700 ${volume}`,
  )
  expect([one('EXPOSE'), one('STOPSIGNAL')]).toEqual([PORT, 'SIGTERM'])
})

test('secrets and builds of this machine do not go into the image', () => {
  const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n')
  expect(ignored).toEqual(expect.arrayContaining(['.git', '.env', '**/node_modules', '**/dist', '**/.quorate']))
})

test('files with keys that compose.yaml names go neither into the image nor into the repository', () => {
  const { services } = parse(COMPOSE, { merge: true })
  const secret = services.quorate.env_file
  expect(secret).toBe('quorate.env')
  for (const file of ['.dockerignore', '.gitignore']) {
    expect(readFileSync(join(ROOT, file), 'utf8').split('\n'), file).toContain(secret)
  }
})

test('the command of the image is understood, and asks for a token before it listens', () => {
  expect(execForm(one('ENTRYPOINT'))).toEqual(['quorate'])
  const args = execForm(one('CMD'))
  expect(args.slice(0, 5)).toEqual(['serve', '--host', '0.0.0.0', '--port', PORT])
  const { status, stderr } = quorate(temporaryFolder(), args)
  expect(stderr).toContain('off loopback everybody needs one')
  expect(status).toBe(2)
})

test('the health check is 0 while a server answers, 1 once it has ended', async () => {
  const folder = temporaryFolder()
  const args = execForm(one('CMD')).with(2, '127.0.0.1').with(4, '0')
  const child = spawn(process.execPath, ['--conditions=quorate-source', BIN, ...args], {
    cwd: folder,
    env: envOf(folder),
  })
  children.push(child)
  const ended = once(child, 'close')
  let output = ''
  const port = await new Promise<string>((settle) => {
    child.on('close', () => settle('it ended'))
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text
      const [, found] = /http:\/\/127\.0\.0\.1:(\d+)\//.exec(output) ?? []
      if (found !== undefined) settle(found)
    })
  })
  expect(port, output).toMatch(/^\d+$/)
  expect(await health(port)).toBe(0)
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(await health(port)).toBe(1)
})

test('compose.yaml listens on loopback only, takes the folder of the image, and has no password of its own', () => {
  const { services } = parse(COMPOSE, { merge: true })
  const { ports, volumes, read_only: isReadOnly } = services.quorate
  expect(volumes).toEqual([`./quorate.config.yaml:${one('WORKDIR')}/quorate.config.yaml:ro`])
  expect({ ports, isReadOnly }).toEqual({ ports: [`127.0.0.1:${PORT}:${PORT}`], isReadOnly: true })
  expect([services.worker.ports, services.database.ports]).toEqual([undefined, undefined])
  expect(services.database.environment.POSTGRES_PASSWORD).toMatch(/^\$\{POSTGRES_PASSWORD:\?/)
})

function envOf(folder: string): NodeJS.ProcessEnv {
  return { ...process.env, QUORATE_STORE: `sqlite:${join(folder, 'quorate.db')}`, XDG_CONFIG_HOME: folder }
}

function quorate(folder: string, args: readonly string[]) {
  const options = { cwd: folder, env: envOf(folder), encoding: 'utf8' } as const
  return spawnSync(process.execPath, ['--conditions=quorate-source', BIN, ...args], options)
}

/** The exit code of the image's own health check against this port. */
async function health(port: string): Promise<number> {
  const [node = '', ...args] = execForm(one('HEALTHCHECK'))
  expect(node).toBe('node')
  const child = spawn(
    process.execPath,
    args.map((text) => text.replace(`:${PORT}/`, `:${port}/`)),
  )
  const [code] = await once(child, 'close')
  return code
}
