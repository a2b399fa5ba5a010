import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { canonicalJson } from '@quorate/certificate'
import { recordedFile } from '../data/recorded.ts'
import type { Task } from './tasks.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const FOLDER = join(ROOT, '.quorate/cache/reproduce')

/**
 * Sources that a result can depend on. Files that only render (tables, claims, figures) are not among them, which a
 * test checks.
 */
const MEASURING = [
  'packages/certificate/src/**/*.ts',
  'experiments/src/data/**/*.ts',
  'experiments/src/twins/**/*',
  'experiments/src/reproduce/measure/**/*.ts',
  'experiments/src/reproduce/{tasks,task-worker}.ts',
  'experiments/src/reproduce/paper/{frontier,activated,matched}.ts',
] as const

export interface Cache {
  /** Undefined if nothing is stored for this task, this code and this recorded file. */
  get(task: Task): unknown
  set(task: Task, result: unknown): void
}

/** A cache of results, keyed by the hash of everything they depend on. */
export function fileCache(folder: string = FOLDER): Cache {
  const code = hashOfFiles(measuringSources(ROOT))
  const recorded = new Map<string, string>()
  const fileOf = (task: Task) => join(folder, `${keyOf(task, code, dataHash(task, recorded))}.json`)
  return {
    get(task) {
      const file = fileOf(task)
      return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
    },
    set(task, result) {
      mkdirSync(folder, { recursive: true })
      const file = fileOf(task)
      // Written atomically, so an interrupted run leaves no partial result behind.
      writeFileSync(`${file}.${process.pid}`, JSON.stringify(result))
      renameSync(`${file}.${process.pid}`, file)
    },
  }
}

export const NO_CACHE: Cache = { get: () => undefined, set: () => {} }

export function keyOf(task: Task, code: string, data: string): string {
  return createHash('sha256').update(canonicalJson({ task, code, data })).digest('hex')
}

/** Path and bytes of each file, in the order of their paths. */
export function hashOfFiles(files: ReadonlyMap<string, Uint8Array>): string {
  const hash = createHash('sha256')
  for (const [path, bytes] of [...files].sort(([left], [right]) => (left < right ? -1 : 1))) {
    hash.update(`${path}\0${bytes.length}\0`).update(bytes)
  }
  return hash.digest('hex')
}

export function measuringSources(root: string): Map<string, Uint8Array> {
  const found = MEASURING.flatMap((pattern) => globSync(pattern, { cwd: root, withFileTypes: true }))
  const files = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return new Map(files.map((file) => [file.slice(root.length + 1).replaceAll('\\', '/'), readFileSync(file)]))
}

function dataHash({ world }: Task, known: Map<string, string>): string {
  if (world.kind === 'twin') return ''
  const before = known.get(world.name)
  if (before !== undefined) return before
  const bytes = readFileSync(recordedFile(world.name))
  const hash = createHash('sha256').update(bytes).digest('hex')
  known.set(world.name, hash)
  return hash
}
