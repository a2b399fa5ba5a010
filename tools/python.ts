import { spawnSync } from 'node:child_process'
import { installPackage } from './debian.ts'

export type FoundPython =
  | { readonly kind: 'found'; readonly command: string }
  | { readonly kind: 'absent'; readonly reason: string }

/** Finds Python 3, which is installed first if this runs as root on Debian. Under CI=true a missing one is an error. */
export function findPython(): FoundPython {
  const command = 'python3'
  if (isThere(command) || (installPackage('python3') && isThere(command))) return { kind: 'found', command }
  const reason = 'python3 is not installed (Debian: apt-get install python3)'
  if (process.env['CI'] === 'true') throw new Error(`${reason}; under CI=true its tests must run`)
  return { kind: 'absent', reason }
}

function isThere(command: string): boolean {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0
}
