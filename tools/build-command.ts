import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'

const SOURCES = 'packages/quorate/src'
/** As deep below the package as a layer of the sources, so modules that look for its files also find them from here. */
const BUILT = 'packages/quorate/dist/bundle'
/** Marks the requests of the plugin itself. */
const RESOLVING = Symbol('resolving')
/** Packages that name their licence without including its text. */
const WITHOUT_TEXT: ReadonlySet<string> = new Set([
  '@ai-sdk/provider-utils',
  '@hono/zod-openapi',
  '@hono/zod-validator',
])

/** Users install it themselves, since they pass values to its schemas in `quorate/contract`. */
const SHARED = ['zod']

/** Entry points by their names in the bundle: the library, the command line, and the processes that they start. */
const FOR_NODE = {
  index: 'index.ts',
  main: 'cli/main.ts',
  'heavy-process': 'server/deciding/studies/heavy-process.ts',
  'split-process': 'evaluation/split-process.ts',
  'math-process': 'answers/math-process.ts',
}

/** Entry points that pages may import too. */
const FOR_ANY_RUNTIME = { contract: 'contract/index.ts', figures: 'figures/index.ts' }

const COMMON: BuildOptions = {
  outdir: BUILT,
  bundle: true,
  splitting: true,
  chunkNames: '[name]-[hash]',
  format: 'esm',
  conditions: ['quorate-source'],
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
}

/**
 * Bundles the library and the command line with all their imports into few files. Users need not install the
 * dependencies again, and a worker starts sooner: resolving a thousand modules delays its first call, by half on busy
 * processors.
 */
const built = await Promise.all([
  build({
    ...COMMON,
    entryPoints: entries(FOR_NODE),
    platform: 'node',
    target: 'node22.18',
    // The driver works without pg-native.
    external: ['pg-native', ...SHARED],
    // CommonJS modules require Node's own modules.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
    plugins: [oncePerVersion()],
  }),
  build({
    ...COMMON,
    entryPoints: entries(FOR_ANY_RUNTIME),
    platform: 'neutral',
    target: 'es2023',
    external: ['@quorate/certificate', ...SHARED],
  }),
])
if (built.some(({ warnings }) => warnings.length > 0)) process.exit(1)
const inputs = built.flatMap(({ metafile }) => Object.keys(metafile?.inputs ?? {}))
writeFileSync(join(BUILT, 'LICENSES.txt'), licences(inputs))

function entries(files: Readonly<Record<string, string>>): { readonly out: string; readonly in: string }[] {
  return Object.entries(files).map(([out, file]) => ({ out, in: join(SOURCES, file) }))
}

/** npm installs the same version of a package several times, below those that need it. One copy is enough. */
function oncePerVersion(): Plugin {
  const first = new Map<string, string>()
  return {
    name: 'once-per-version',
    setup({ onResolve, resolve }) {
      onResolve({ filter: /^[^./]/ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
        if (pluginData === RESOLVING) return null
        const found = await resolve(path, { importer, resolveDir, kind, pluginData: RESOLVING })
        const folder = packageOf(found.path)
        if (folder === null) return found
        const { name, version } = manifestOf(folder)
        const known = first.get(`${name} ${version}`) ?? folder
        first.set(`${name} ${version}`, known)
        // Left to esbuild where possible, because it forgets the kind of a module whose path a plugin returns.
        if (known === folder) return null
        return { ...found, path: `${known}${found.path.slice(folder.length)}` }
      })
    },
  }
}

/** The licence texts that must accompany the bundled packages. */
function licences(files: readonly string[]): string {
  const folders = files.flatMap((file) => packageOf(file) ?? [])
  const texts = [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = manifestOf(folder)
    const own = readdirSync(folder).filter((entry) => /^(licen[cs]e|notice|copying)/i.test(entry))
    const texts = [...own.map((file) => read(folder, file)), ...(own.length > 0 ? [] : licenceOfReadme(folder))]
    if (texts.length === 0 && !WITHOUT_TEXT.has(name)) throw new Error(`${name} ${version} has no text of its licence`)
    return `${name} ${version}\nLicence: ${license}\n\n${texts.map((text) => `${text.trim()}\n`).join('\n')}`
  })
  return `These files contain parts of the following packages.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`
}

function licenceOfReadme(folder: string): readonly string[] {
  const file = readdirSync(folder).find((entry) => /^readme/i.test(entry))
  return (
    (file && /^#+ licen[cs]e\n([\s\S]*Permission is hereby granted[\s\S]*)/im.exec(read(folder, file))?.slice(1)) || []
  )
}

function read(folder: string, file: string): string {
  return readFileSync(join(folder, file), 'utf8')
}

/** The folder of the installed package that a file belongs to; null if there is none. */
function packageOf(file: string): string | null {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? null
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(read(folder, 'package.json'))
}
