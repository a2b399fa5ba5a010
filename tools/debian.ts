import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Only root on Debian installs packages. Elsewhere tests that need one are skipped, or fail under CI=true. */
export function mayInstall(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version')
}

/** Installs a Debian package. Returns false if that failed, for example without a network; the caller names what is missing. */
export function installPackage(name: string): boolean {
  if (!mayInstall()) return false
  console.error(`Installing ${name} (apt-get), once, for the tests ...`)
  // Several processes may install at the same time.
  const wait = ['-o', 'DPkg::Lock::Timeout=300']
  const apt = (...args: readonly string[]) =>
    spawnSync('apt-get', ['--quiet', '--quiet', ...wait, ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0
  return apt('update') && apt('install', '--yes', '--no-install-recommends', name)
}
