import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder with a certificate: tests copy it. */
    calibratedFolder: string
  }
}

const ROOT = resolve(import.meta.dirname, '../../../..')

/** Before all tests, once: the app is built where `quorate serve` looks for it, and a folder is calibrated. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'quorate-end-to-end-'))
  await Promise.all([
    node('tools/build-web.ts'),
    node('--conditions=quorate-source', join(import.meta.dirname, 'calibrate-folder.ts'), folder),
  ])
  project.provide('calibratedFolder', folder)
  return () => rm(folder, { recursive: true, force: true })
}

/** In processes of their own: vitest's environment would make the app a development build. */
async function node(...args: string[]): Promise<void> {
  const env = { ...process.env, NODE_ENV: 'production' }
  await promisify(execFile)(process.execPath, args, { cwd: ROOT, env })
}
