import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { COMMANDS } from '../../packages/quorate/src/cli/commands.ts'
import { postgresPlace } from '../../packages/quorate/src/config/postgres-place.ts'
import { ROUTES } from '../../packages/quorate/src/contract/routes.ts'

const read = (file: string) => readFileSync(file, 'utf8')
const manifest = (folder: string) => JSON.parse(read(`${folder}/package.json`))
const PUBLISHED = globSync('packages/*/package.json')
  .map((file) => file.replace(/\/package\.json$/, ''))
  .sort()

async function helpOf(name: string): Promise<string> {
  const command = COMMANDS.find((each) => each.name === name)
  if (command === undefined) throw new Error(`there is no command ${name}`)
  return (await command.load()).help
}

describe('Dockerfile', () => {
  const stages = read('Dockerfile').split(/^FROM /m)
  const last = stages.at(-1) ?? ''

  test('it runs a slim image as a user that is not root, with a health check', () => {
    expect(stages.slice(1).map((stage) => stage.split('\n')[0])).toEqual(['node:24-slim AS build', 'node:24-slim'])
    expect(last).toMatch(/^USER node$/m)
    expect(last.indexOf('USER node')).toBeLessThan(last.indexOf('ENTRYPOINT'))
    expect(last).toMatch(/^HEALTHCHECK /m)
  })

  test('workspaces, scripts, the command, its flags and the health route exist', async () => {
    const text = read('Dockerfile')
    for (const [, workspace = ''] of text.matchAll(/--workspace (\S+)/g)) expect(PUBLISHED).toContain(workspace)
    const { scripts } = JSON.parse(read('package.json'))
    for (const [, script = ''] of text.matchAll(/npm run (\S+)/g)) expect(scripts).toHaveProperty(script)
    const [entry] = JSON.parse(/^ENTRYPOINT (.+)$/m.exec(last)?.[1] ?? '[]')
    expect(manifest('packages/quorate').bin).toHaveProperty(entry)
    const [command = '', ...flags]: string[] = JSON.parse(
      /^CMD (.+)$/m.exec(last.replace(/HEALTHCHECK[\s\S]*?CMD .*/, ''))?.[1] ?? '[]',
    )
    const help = await helpOf(command)
    for (const flag of flags.filter((each) => each.startsWith('--'))) expect(help).toContain(`  ${flag} `)
    expect(flags.at(flags.indexOf('--port') + 1)).toBe(/^EXPOSE (\d+)$/m.exec(last)?.[1])
    const health = new URL(/fetch\('([^']+)'/.exec(last)?.[1] ?? '')
    expect(health.port).toBe(/^EXPOSE (\d+)$/m.exec(last)?.[1])
    expect(Object.values(ROUTES).map(({ path }) => path)).toContain(health.pathname)
  })
})

/** The part of the Compose specification that the file uses. Any other key is a mistake. */
const healthcheckSchema = z.union([
  z.strictObject({ disable: z.literal(true) }),
  z.strictObject({
    test: z.tuple([z.literal('CMD-SHELL'), z.string()]),
    interval: z.string(),
    timeout: z.string(),
    retries: z.int(),
  }),
])
const serviceSchema = z.strictObject({
  build: z.literal('.').optional(),
  image: z.string(),
  init: z.boolean().optional(),
  restart: z.enum(['unless-stopped']),
  stop_grace_period: z
    .string()
    .regex(/^\d+s$/)
    .optional(),
  env_file: z.string().optional(),
  environment: z.record(z.string(), z.string()).optional(),
  volumes: z.array(z.string()).optional(),
  ports: z.array(z.string()).optional(),
  command: z.array(z.string()).optional(),
  healthcheck: healthcheckSchema.optional(),
  read_only: z.boolean().optional(),
  tmpfs: z.array(z.string()).optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  depends_on: z.record(z.string(), z.strictObject({ condition: z.literal('service_healthy') })).optional(),
})
const composeSchema = z.strictObject({
  'x-quorate': z.unknown(),
  services: z.record(z.string(), serviceSchema),
  volumes: z.record(z.string(), z.null()),
})

describe('compose.yaml', () => {
  const { services, volumes } = composeSchema.parse(parse(read('compose.yaml'), { merge: true }))
  const ours = Object.values(services).filter(({ image }) => image === 'quorate')

  test('services depend on each other by name, and on volumes that are declared', () => {
    expect(ours).toHaveLength(2)
    for (const { depends_on = {}, volumes: mounted = [] } of Object.values(services)) {
      for (const name of Object.keys(depends_on)) {
        expect(services[name]?.healthcheck).toHaveProperty('test')
      }
      for (const [source = ''] of mounted.map((mount) => mount.split(':'))) {
        if (!source.startsWith('.')) expect(volumes).toHaveProperty(source)
      }
    }
  })

  test('the store is a PostgreSQL that quorate accepts, and the one of the database service', () => {
    const { environment = {} } = services['database'] ?? {}
    for (const service of ours) {
      const url = (service.environment?.['QUORATE_STORE'] ?? '').replace(/\$\{[^}]+\}/, 'made-up')
      expect(postgresPlace(url)).toMatchObject({ kind: 'place', host: 'database:5432' })
      expect(new URL(url)).toMatchObject({
        username: environment['POSTGRES_USER'],
        pathname: `/${environment['POSTGRES_DB']}`,
      })
    }
    expect(read('compose.yaml').match(/\$\{POSTGRES_PASSWORD:\?/g)).toHaveLength(2)
  })

  test('commands exist, ports are those of the image and open on loopback alone, and nothing runs with privileges', async () => {
    const port = /^EXPOSE (\d+)$/m.exec(read('Dockerfile'))?.[1]
    for (const { command: [name] = [], ports = [], cap_drop, read_only, volumes: mounted = [] } of ours) {
      if (name !== undefined) await helpOf(name)
      for (const mapping of ports) expect(mapping).toBe(`127.0.0.1:${port}:${port}`)
      expect({ cap_drop, read_only }).toEqual({ cap_drop: ['ALL'], read_only: true })
      const work = /^WORKDIR (\/srv\S*)$/m.exec(read('Dockerfile'))?.[1]
      expect(mounted).toContain(`./quorate.config.yaml:${work}/quorate.config.yaml:ro`)
    }
  })

  test('commands in its comments exist, with their flags', async () => {
    const [, name = '', rest = ''] = /run --rm quorate (\w+) (.+)$/m.exec(read('compose.yaml')) ?? []
    const help = await helpOf(name)
    for (const [flag] of rest.matchAll(/--\w+/g)) expect(help).toContain(flag)
  })
})

const stepSchema = z.looseObject({ uses: z.string().optional(), run: z.string().optional() })
const workflowSchema = z.strictObject({
  name: z.string(),
  on: z.strictObject({ release: z.strictObject({ types: z.tuple([z.literal('published')]) }) }),
  permissions: z.strictObject({ contents: z.literal('read'), 'id-token': z.literal('write') }),
  jobs: z.strictObject({
    publish: z.strictObject({ 'runs-on': z.string(), 'timeout-minutes': z.int(), steps: z.array(stepSchema).min(1) }),
  }),
})

describe('.github/workflows/publish.yml', () => {
  const { jobs } = workflowSchema.parse(parse(read('.github/workflows/publish.yml')))
  const commands = jobs.publish.steps.flatMap(({ run }) => (run === undefined ? [] : run.trim().split('\n')))

  test('it publishes every package with provenance, those first that others need, and after the tests', () => {
    const published = commands.filter((command) => command.startsWith('npm publish '))
    const workspaces = published.map((command) => /--workspace (\S+)$/.exec(command)?.[1] ?? '')
    expect(workspaces.toSorted()).toEqual(PUBLISHED)
    for (const command of published) expect(command).toContain('--provenance --access public')
    const names = workspaces.map((folder) => manifest(folder).name)
    for (const [index, folder] of workspaces.entries()) {
      const needed = Object.keys(manifest(folder).dependencies ?? {}).filter((name) => names.includes(name))
      expect(needed.filter((name) => names.indexOf(name) > index)).toEqual([])
    }
    expect(commands.indexOf('npm test')).toBeGreaterThan(-1)
    expect(commands.indexOf('npm run build')).toBeLessThan(commands.indexOf(published[0] ?? ''))
  })

  test('scripts and files that it names exist, and a tag of another version is refused', () => {
    const { scripts } = JSON.parse(read('package.json'))
    for (const [, script = ''] of commands.join('\n').matchAll(/npm run (\S+)/g)) expect(scripts).toHaveProperty(script)
    for (const [, file = ''] of commands.join('\n').matchAll(/node (\S+)/g)) expect(existsSync(file)).toBe(true)
    const check = (tag: string) => spawnSync(process.execPath, ['tools/check-release.ts', tag], { encoding: 'utf8' })
    expect(check(`v${manifest('packages/quorate').version}`)).toMatchObject({ status: 0, stderr: '' })
    expect(check('v9.9.9').status).toBe(1)
  })
})

test.each(PUBLISHED)('%s has no install script, and says who may read it and under which licence', (folder) => {
  const { scripts = {}, license, files, exports, private: isPrivate } = manifest(folder)
  const installing = ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish', 'preprepare', 'postprepare']
  expect(Object.keys(scripts).filter((name) => installing.includes(name))).toEqual([])
  expect({ license, isPrivate }).toEqual({ license: 'Apache-2.0', isPrivate: undefined })
  expect(files.length).toBeGreaterThan(0)
  for (const entry of Object.values<Record<string, string>>(exports)) {
    expect(Object.keys(entry)).toEqual(['quorate-source', 'types', 'default'])
    expect(existsSync(`${folder}/${entry['quorate-source']}`)).toBe(true)
  }
})
