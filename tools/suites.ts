/** A part of the tests: commands that each succeed or fail as a whole, or tests that vitest counts. */
export type Suite = (
  | { readonly kind: 'commands'; readonly commands: readonly (readonly string[])[] }
  | { readonly kind: 'vitest' }
) & {
  readonly name: string
  /** True: it takes so long that only `npm run test:full` runs it, before a release. */
  readonly isSlow?: boolean
}

const BIOME = 'node_modules/@biomejs/biome/bin/biome'
const TSC = 'node_modules/typescript/bin/tsc'

/** In the order in which they run: what fails fast first. A vitest suite is a project of vitest.config.ts. */
export const SUITES: readonly Suite[] = [
  { kind: 'commands', name: 'format', commands: [[BIOME, 'check', '--linter-enabled=false']] },
  { kind: 'commands', name: 'lint', commands: [[BIOME, 'lint', '--error-on-warnings']] },
  // The second run proves that the certificate needs neither Node's types nor the DOM's.
  {
    kind: 'commands',
    name: 'types',
    commands: [[TSC], [TSC, '-p', 'packages/certificate', '--noEmit'], [TSC, '-p', 'apps/web', '--noEmit']],
  },
  { kind: 'vitest', name: 'layers' },
  { kind: 'vitest', name: 'tools' },
  { kind: 'vitest', name: 'certificate' },
  { kind: 'vitest', name: 'quorate' },
  { kind: 'vitest', name: 'panel' },
  { kind: 'vitest', name: 'server' },
  { kind: 'vitest', name: 'web' },
  { kind: 'vitest', name: 'end-to-end' },
  { kind: 'vitest', name: 'workers' },
  { kind: 'vitest', name: 'real-model' },
  { kind: 'vitest', name: 'experiments' },
  // Every number of experiments/RESULTS.md, measured again without the cache.
  {
    kind: 'commands',
    name: 'results',
    isSlow: true,
    commands: [['--conditions=quorate-source', 'experiments/src/reproduce/main.ts', '--check']],
  },
  { kind: 'vitest', name: 'docs' },
  { kind: 'vitest', name: 'packaging' },
  { kind: 'vitest', name: 'validity' },
]
