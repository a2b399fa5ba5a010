import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'

const SOURCES = 'packages/quorate/src'
/** As deep below the package as a layer of the sources: modules that look for its files find them from here too. */
const BUILT = 'packages/quorate/dist/run'
/** Marks what the plugin asks itself. */
const RESOLVING = Symbol('resolving')
/** Say which licence they have, and carry no text of it. */
const WITHOUT_TEXT: ReadonlySet<string> = new Set([
  '@ai-sdk/provider-utils',
  '@hono/zod-openapi',
  '@hono/zod-validator',
])

/**
 * The command line and its processes with all that they import, in few files: a worker that looks for a thousand modules makes its
 * first call later, by half where the processors are busy.
 */
const { metafile, warnings } = await build({
  entryPoints: ['cli/main.ts', 'server/deciding/heavy-process.ts', 'evaluation/split-process.ts'].map((entry) =>
    join(SOURCES, entry),
  ),
  ...{ outdir: BUILT, entryNames: '[name]', chunkNames: '[name]-[hash]' },
  ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node22.18' },
  conditions: ['quorate-source'],
  // The driver works without it.
  external: ['pg-native'],
  // Modules of the older kind ask for those of Node.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
  },
  plugins: [oncePerVersion()],
  ...{ legalComments: 'none', metafile: true, logLevel: 'warning' },
})
if (warnings.length > 0) process.exit(1)
writeFileSync(join(BUILT, 'LICENSES.txt'), licences(Object.keys(metafile.inputs)))

/** npm installs the same version of a package several times, below those that need it: one of them is enough. */
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
        // Left to esbuild wherever it can be: it forgets the kind of a module that it is told the place of.
        if (known === folder) return null
        return { ...found, path: `${known}${found.path.slice(folder.length)}` }
      })
    },
  }
}

/** What those who wrote the parts ask to be repeated with them. */
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

/** The folder of the installed package that a file belongs to; null: none. */
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
