import { posix } from 'node:path'
import { importsOf } from './imports.ts'
import type { Sources } from './sources.ts'

export interface Borders {
  /** First path segments, in order. A file may import from its own layer and from earlier ones. */
  readonly layers: readonly string[]
  /** Packages that may be imported. An entry that ends in `:` allows every name that starts with it. */
  readonly packages: readonly string[]
}

/** Imports that point against the flow of data or out of the package, one sentence each. */
export function layerOffences(sources: Sources, { layers, packages }: Borders): string[] {
  const layerOf = (file: string) => layers.indexOf(file.split('/')[0] ?? '')
  const isAllowed = (name: string) => packages.some((allowed) => name === allowed || startsWithScheme(name, allowed))

  return [...sources].flatMap(([file, source]) => {
    if (layerOf(file) < 0) return [`${file} is in no layer`]
    return importsOf(source).flatMap(({ specifier }) => {
      const target = targetOf(file, specifier)
      if (target === undefined) return isAllowed(specifier) ? [] : [`${file} imports the package ${specifier}`]
      if (!sources.has(target)) return [`${file} imports ${target}, which does not exist`]
      return layerOf(target) > layerOf(file) ? [`${file} imports ${target} of a later layer`] : []
    })
  })
}

/** The first runtime import cycle found, as the files along it, or undefined. */
export function runtimeCycle(sources: Sources): string[] | undefined {
  const finished = new Set<string>()

  function visit(file: string, path: readonly string[]): string[] | undefined {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (finished.has(file)) return undefined
    for (const { specifier, runtime } of importsOf(sources.get(file) ?? '')) {
      const target = runtime ? targetOf(file, specifier) : undefined
      const cycle = target === undefined ? undefined : visit(target, [...path, file])
      if (cycle !== undefined) return cycle
    }
    finished.add(file)
    return undefined
  }

  for (const file of sources.keys()) {
    const cycle = visit(file, [])
    if (cycle !== undefined) return cycle
  }
  return undefined
}

function targetOf(file: string, specifier: string): string | undefined {
  return specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : undefined
}

function startsWithScheme(name: string, allowed: string): boolean {
  return allowed.endsWith(':') && name.startsWith(allowed)
}
