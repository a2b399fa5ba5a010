import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { isFullLane } from './lane.ts'

/** The environment variable in which tools/test.ts passes the names of its suites, separated by commas. */
export const SUITES_VARIABLE = 'QUORATE_TEST_SUITES'

/** The suites that tools/test.ts runs; undefined if vitest was started by hand. */
export const askedSuites: readonly string[] | undefined = process.env[SUITES_VARIABLE]?.split(',')

/** The vitest project of all suites that share processes. */
export const SHARED = 'shared'

/** The test files of a suite. */
export interface TestFiles {
  readonly include: readonly string[]
  readonly exclude?: readonly string[]
  readonly globalSetup?: string
  /** Absent: the files of all such suites share processes, which load each module once. */
  readonly processes?: 'one for each file'
}

const QUORATE = 'packages/quorate/test'

/** Tests that start processes of their own. They are no part of `npm run check`. */
const PROCESSES = `${QUORATE}/**/*.process.test.ts`

/** The command line or a database is killed, stopped or full. */
const PANEL = [
  `${QUORATE}/{chaos,fake-provider,store/sqlite}/**/*.test.ts`,
  `${QUORATE}/store/postgres.test.ts`,
  `${QUORATE}/run/kill.test.ts`,
  PROCESSES,
]

/** From questions to stored decisions and reports, in the process of the tests. */
const RUNS = [`${QUORATE}/{demo,evaluation,page,panel,run}/**/*.test.ts`, `${QUORATE}/cli/ticket-job.test.ts`]

/** A language model in a process of its own; its weights are installed once. */
const REAL_MODEL = `${QUORATE}/real-model/**/*.test.ts`

/** What runs behind `quorate serve`: requests, the review queue, the monitor. */
const SERVER = `${QUORATE}/{server,review,monitor}/**/*.test.ts`

/** Many workers on one PostgreSQL: limits, take-overs, kills. */
const WORKERS = `${QUORATE}/workers/**/*.test.ts`

/** Imports tests of other files. A process that has loaded these files before would not run their tests again. */
const RUNS_ON_POSTGRES = `${QUORATE}/run/postgres.test.ts`

/** The real server, command line and app in a real browser. */
const END_TO_END = `${QUORATE}/end-to-end/**/*.test.ts`

const EFFICIENCY = `${QUORATE}/efficiency/**/*.test.ts`

/** Tests that replace a module. They need a process for each file. */
const MOCKS = '**/*.mock.test.ts'

const OWN_PROCESSES = { processes: 'one for each file' } as const

/** The test files of each suite of tools/suites.ts that has no commands. */
export const TEST_FILES: Readonly<Record<string, TestFiles>> = {
  layers: { ...OWN_PROCESSES, include: ['tools/test/layers.test.ts'] },
  tools: {
    ...OWN_PROCESSES,
    include: ['tools/test/{imports,count-tests,longest-first,release-files,report-tests,run,site}.test.ts'],
  },
  certificate: {
    include: ['packages/certificate/test/**/*.test.ts'],
    exclude: ['**/*.validity.test.ts', MOCKS],
  },
  mocks: { ...OWN_PROCESSES, include: [MOCKS] },
  quorate: {
    include: [`${QUORATE}/**/*.test.ts`],
    exclude: [...PANEL, ...RUNS, SERVER, REAL_MODEL, END_TO_END, WORKERS, EFFICIENCY],
  },
  panel: { include: PANEL, exclude: [SERVER, WORKERS, EFFICIENCY] },
  runs: { include: RUNS, exclude: [...PANEL, RUNS_ON_POSTGRES] },
  efficiency: { ...OWN_PROCESSES, include: [EFFICIENCY] },
  web: { include: ['apps/web/test/**/*.test.ts'], exclude: ['**/*.browser.test.ts'] },
  browser: { include: ['apps/web/test/**/*.browser.test.ts'], globalSetup: 'apps/web/test/fixture/prepare.ts' },
  examples: {
    include: ['packages/ai-sdk/test/**/*.test.ts', 'examples/**/*.test.ts'],
    // Mastra has 152 packages, which its test installs: a minute that only the long form takes.
    exclude: isFullLane ? [] : ['examples/mastra/**'],
  },
  server: { include: [SERVER] },
  'end-to-end': { include: [END_TO_END], globalSetup: 'packages/quorate/test/end-to-end/prepare.ts' },
  // A worker checks the lease of its process before every request, also after it has stopped.
  workers: { ...OWN_PROCESSES, include: [WORKERS, RUNS_ON_POSTGRES] },
  'real-model': { ...OWN_PROCESSES, include: [REAL_MODEL] },
  experiments: { include: ['experiments/test/**/*.test.ts'] },
  docs: { ...OWN_PROCESSES, include: ['tools/test/{docs,docs-commands,site.browser}.test.ts'] },
  packaging: { ...OWN_PROCESSES, include: ['tools/test/packaging.test.ts'] },
  validity: { ...OWN_PROCESSES, include: ['packages/certificate/test/**/*.validity.test.ts'] },
}

const ROOT = resolve(import.meta.dirname, '..')
const INSTALLED = '**/node_modules/**'

/** The test files of a suite, as paths from the root of the repository. */
export function filesOf(suite: string): readonly string[] {
  const { include = [], exclude = [] } = TEST_FILES[suite] ?? {}
  return globSync([...include], { cwd: ROOT, exclude: [INSTALLED, ...exclude] }).toSorted()
}

const suiteByFile: ReadonlyMap<string, string> = new Map(
  (askedSuites ?? []).flatMap((suite) => filesOf(suite).map((file) => [resolve(ROOT, file), suite])),
)

/** The suite of a test file, which is also the name of its project unless it shares processes with other suites. */
export function suiteOf(file: string, project: string): string {
  return suiteByFile.get(file) ?? project
}
