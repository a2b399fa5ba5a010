import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { launchSharedBrowser } from '../../../../tools/browser.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder with a certificate: tests copy it. */
    calibratedFolder: string
    /** Where the one browser of all files listens; null: there is none on this machine. */
    sharedBrowser: string | null
  }
}

const ROOT = resolve(import.meta.dirname, '../../../..')

/** Before all tests, once: the app is built where `quorate serve` looks for it, a folder is calibrated, and a browser starts. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'quorate-end-to-end-'))
  const [browser] = await Promise.all([
    launchSharedBrowser(),
    node('tools/build-web.ts'),
    node('--conditions=quorate-source', join(import.meta.dirname, 'calibrate-folder.ts'), folder),
  ])
  project.provide('calibratedFolder', folder)
  project.provide('sharedBrowser', browser?.wsEndpoint() ?? null)
  return async () => {
    await browser?.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** In processes of their own: vitest's environment would make the app a development build. */
async function node(...args: string[]): Promise<void> {
  const env = { ...process.env, NODE_ENV: 'production' }
  await promisify(execFile)(process.execPath, args, { cwd: ROOT, env })
}
