import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

/** TypeScript sources by their path below `folder`, with forward slashes. */
export type Sources = ReadonlyMap<string, string>

export function readSources(folder: string): Sources {
  const names = globSync('**/*.{ts,tsx}', {
    cwd: folder,
    exclude: (name) => /(^|[\\/])(node_modules|dist)$/.test(name),
  })
  return new Map(names.sort().map((name) => [name.split(sep).join('/'), readFileSync(join(folder, name), 'utf8')]))
}
