import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The version in this package's package.json. */
export function packageVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8'))
  return version
}

/** The path of a file or folder of this package. Sources and the bundle are both two folders below it. */
export function packagePath(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url))
}
