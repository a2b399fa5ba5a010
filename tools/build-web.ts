import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Where `quorate serve` looks for the app. */
const BUILT = 'packages/quorate/dist/web'
/** Digests of the inputs and outputs of the last build. Not part of the package. */
const RECORD = 'packages/quorate/dist/web-build.json'
const INPUTS = [
  'package-lock.json',
  'tools/build-web.ts',
  'apps/web/*.*',
  'apps/web/{src,public}/**/*',
  'packages/{certificate,quorate}/package.json',
  'packages/{certificate,quorate}/src/**/*',
]

/**
 * Builds the web app for production, whatever the environment of the caller. An app that was built from the same files
 * stays, so `npm run demo` starts at once, and no server loses its files to a test that starts another one.
 */
const inputs = digest(globSync(INPUTS).filter((file) => statSync(file).isFile()))
if (readRecord() !== recordOf(inputs)) {
  process.env.NODE_ENV = 'production'
  const { build } = await import('vite')
  await build({ configFile: 'apps/web/vite.config.ts', logLevel: 'warn' })
  mkdirSync(dirname(RECORD), { recursive: true })
  writeFileSync(RECORD, recordOf(inputs))
}

function readRecord(): string | null {
  return existsSync(RECORD) ? readFileSync(RECORD, 'utf8') : null
}

function recordOf(inputs: string): string {
  const outputs = globSync('**/*', { cwd: BUILT }).map((file) => join(BUILT, file))
  return `${JSON.stringify({ inputs, outputs: digest(outputs.filter((file) => statSync(file).isFile())) })}\n`
}

/** Digest of names and contents. */
function digest(files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files.toSorted()) hash.update(`${file}\n`).update(readFileSync(file)).update('\n')
  return hash.digest('hex')
}
