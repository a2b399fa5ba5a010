/**
 * The lanes of `npm run check`, `npm test` and `npm run test:full`. Each lane also runs the suites of the lanes before
 * it.
 */
export const LANES = ['check', 'test', 'full'] as const
export type Lane = (typeof LANES)[number]

/** A part of the tests: commands that succeed or fail as one test, or the files of `TEST_FILES`. */
export interface Suite {
  readonly name: string
  /** The first lane that runs it. */
  readonly lane: Lane
  readonly commands?: readonly (readonly string[])[]
  /** Why no other test may run at the same time; absent if others may. */
  readonly runsAlone?: 'loads the machine'
}

const BIOME = 'node_modules/@biomejs/biome/bin/biome'
const TSC = 'node_modules/typescript/bin/tsc'
/** Several checkers repeat each other's work: on two cores they take twice as long. */
const ONE_CHECKER = ['--checkers', '1']
const FROM_SOURCES = '--conditions=quorate-source'

export const SUITES: readonly Suite[] = [
  { name: 'format', lane: 'check', commands: [[BIOME, 'check', '--linter-enabled=false']] },
  { name: 'lint', lane: 'check', commands: [[BIOME, 'lint', '--error-on-warnings']] },
  // The second command proves that the certificate needs neither the types of Node nor those of the DOM.
  {
    name: 'types',
    lane: 'check',
    commands: [
      [TSC, ...ONE_CHECKER],
      [TSC, '-p', 'packages/certificate', '--noEmit'],
      [TSC, '-p', 'apps/web', '--noEmit', ...ONE_CHECKER],
    ],
  },
  { name: 'layers', lane: 'check' },
  { name: 'certificate', lane: 'check' },
  { name: 'mocks', lane: 'check' },
  { name: 'quorate', lane: 'check' },
  { name: 'web', lane: 'check' },
  { name: 'tools', lane: 'test' },
  { name: 'runs', lane: 'test' },
  { name: 'panel', lane: 'test' },
  { name: 'server', lane: 'test' },
  { name: 'examples', lane: 'test' },
  { name: 'browser', lane: 'test' },
  { name: 'end-to-end', lane: 'test' },
  { name: 'experiments', lane: 'test' },
  { name: 'validity', lane: 'test' },
  { name: 'workers', lane: 'test' },
  { name: 'docs', lane: 'test' },
  { name: 'packaging', lane: 'test' },
  // Downloads 100 MB and calls a language model of 30 MB to measure how often replies are unreadable.
  { name: 'real-model', lane: 'full' },
  { name: 'efficiency', lane: 'full', runsAlone: 'loads the machine' },
  // Measures every number of experiments/RESULTS.md and RECORDED.md again, without the cache.
  { name: 'results', lane: 'full', commands: [[FROM_SOURCES, 'experiments/src/reproduce/main.ts', '--check']] },
  { name: 'soak', lane: 'full', commands: [[FROM_SOURCES, 'tools/soak.ts', '--quick']] },
]

export function suitesOf(lane: Lane): readonly Suite[] {
  return SUITES.filter((suite) => LANES.indexOf(suite.lane) <= LANES.indexOf(lane))
}
