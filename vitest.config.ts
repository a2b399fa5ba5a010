import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { isFullLane } from './tools/lane.ts'
import { LongestFirst } from './tools/longest-first.ts'
import { SUITES } from './tools/suites.ts'

const MINUTE = 60_000

/** Ends what hangs. Much longer than any test takes, so that no result depends on how busy the machine is. */
const HANGS = 10 * MINUTE
const QUORATE = 'packages/quorate/test'

/** Tests that start processes of their own. They are no part of `npm run check`. */
const PROCESSES = `${QUORATE}/**/*.process.test.ts`

/** The command line or a database is killed, stopped or full. */
const PANEL = [
  `${QUORATE}/{chaos,fake-provider,store/sqlite}/**/*.test.ts`,
  `${QUORATE}/store/postgres.test.ts`,
  `${QUORATE}/run/{kill,postgres}.test.ts`,
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

/** The real server, command line and app in a real browser. */
const END_TO_END = `${QUORATE}/end-to-end/**/*.test.ts`

const EFFICIENCY = `${QUORATE}/efficiency/**/*.test.ts`

/** Tests that replace a module. They need a process for each file. */
const MOCKS = ['**/*.mock.test.ts']

/** The files of a project share a process, which loads each module once: a fifth less processor time. */
const SHARED = { isolate: false }

/** One project for each suite of tools/suites.ts that has no commands. */
const projects = [
  { name: 'layers', include: ['tools/test/layers.test.ts'] },
  {
    name: 'tools',
    include: ['tools/test/{imports,count-tests,longest-first,release-files,report-tests,run,site}.test.ts'],
  },
  {
    ...SHARED,
    name: 'certificate',
    include: ['packages/certificate/test/**/*.test.ts'],
    exclude: ['**/*.validity.test.ts', ...MOCKS],
  },
  { name: 'mocks', include: MOCKS },
  {
    ...SHARED,
    name: 'quorate',
    include: [`${QUORATE}/**/*.test.ts`],
    exclude: [...PANEL, ...RUNS, SERVER, REAL_MODEL, END_TO_END, WORKERS, EFFICIENCY],
  },
  {
    ...SHARED,
    name: 'panel',
    include: PANEL,
    exclude: [SERVER, WORKERS, EFFICIENCY],
  },
  { ...SHARED, name: 'runs', include: RUNS, exclude: PANEL },
  { name: 'efficiency', include: [EFFICIENCY] },
  {
    ...SHARED,
    name: 'web',
    include: ['apps/web/test/**/*.test.ts'],
    exclude: ['**/*.browser.test.ts'],
  },
  {
    ...SHARED,
    name: 'browser',
    include: ['apps/web/test/**/*.browser.test.ts'],
    globalSetup: 'apps/web/test/fixture/prepare.ts',
  },
  {
    ...SHARED,
    name: 'examples',
    include: ['packages/ai-sdk/test/**/*.test.ts', 'examples/**/*.test.ts'],
    // Mastra has 152 packages, which its test installs: a minute that only the long form takes.
    exclude: ['**/node_modules/**', ...(isFullLane ? [] : ['examples/mastra/**'])],
  },
  { ...SHARED, name: 'server', include: [SERVER] },
  {
    ...SHARED,
    name: 'end-to-end',
    include: [END_TO_END],
    globalSetup: 'packages/quorate/test/end-to-end/prepare.ts',
  },
  // A process for each file: a worker checks the lease of its process before every request, also after it has stopped.
  {
    name: 'workers',
    include: [WORKERS],
  },
  { name: 'real-model', include: [REAL_MODEL] },
  { ...SHARED, name: 'experiments', include: ['experiments/test/**/*.test.ts'] },
  { name: 'docs', include: ['tools/test/{docs,docs-commands,site.browser}.test.ts'] },
  { name: 'packaging', include: ['tools/test/packaging.test.ts'] },
  { name: 'validity', include: ['packages/certificate/test/**/*.validity.test.ts'] },
]

export default defineConfig({
  // Workspaces are read from their sources: tests need no build.
  ssr: { resolve: { conditions: ['quorate-source'] } },
  test: {
    // Two more than there are cores: many tests wait for a process, a database or a browser. More would cost processor time.
    maxWorkers: availableParallelism() + 2,
    // Processes that tests start compile each module once, not each time: their start takes half of the processor time.
    env: { NODE_COMPILE_CACHE: resolve('node_modules/.cache/compile') },
    sequence: { sequencer: LongestFirst },
    testTimeout: HANGS,
    hookTimeout: HANGS,
    teardownTimeout: HANGS,
    expect: { poll: { timeout: HANGS / 2 } },
    projects: projects.map((test) => ({ extends: true, test: { ...test, ...ownTurn(test.name) } })),
  },
})

/** A suite that runs alone waits until all others have ended, and runs one file at a time. */
function ownTurn(project: string) {
  const turn = SUITES.filter(({ runsAlone }) => runsAlone !== undefined).findIndex(({ name }) => name === project)
  return turn < 0 ? {} : { maxWorkers: 1, sequence: { groupOrder: turn + 1 } }
}
