import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

const bin = resolve(import.meta.dirname, '../../bin/quorate.js')

/** Runs the real command line in its own process, from the sources. */
export function runCli(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--conditions=quorate-source', bin, ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  return { status, stdout, stderr }
}
