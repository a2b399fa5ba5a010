export interface Import {
  readonly specifier: string
  /** False for `import type` and `export type`, which leave no trace in JavaScript. */
  readonly runtime: boolean
}

const STATIC = /^(?:import|export)\s+(type\s)?(?:[^'"`;=]*?\sfrom\s+)?'([^']+)'/gm
const DYNAMIC = /\bimport\('([^']+)'\)/g

/** What a formatted TypeScript source imports or re-exports. */
export function importsOf(source: string): Import[] {
  return [
    ...[...source.matchAll(STATIC)].map(([, type, specifier = '']) => ({ specifier, runtime: type === undefined })),
    ...[...source.matchAll(DYNAMIC)].map(([, specifier = '']) => ({ specifier, runtime: true })),
  ]
}
