import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

export type FoundPython =
  | { readonly kind: 'found'; readonly command: string }
  | { readonly kind: 'absent'; readonly reason: string }

/** Python 3, installed first when we are root on Debian. Under CI=true a missing one is an error. */
export function findPython(): FoundPython {
  const command = 'python3'
  if (!isThere(command) && process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    const quiet = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
    spawnSync('apt-get', ['update', '-qq'], quiet)
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'python3'], quiet)
  }
  if (isThere(command)) return { kind: 'found', command }
  const reason = 'python3 is not installed (Debian: apt-get install python3)'
  if (process.env['CI'] === 'true') throw new Error(`${reason}; under CI=true its tests must run`)
  return { kind: 'absent', reason }
}

function isThere(command: string): boolean {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0
}
