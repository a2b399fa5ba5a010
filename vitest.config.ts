import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { isFullLane } from './tools/lane.ts'
import { LongestFirst } from './tools/longest-first.ts'
import { SUITES } from './tools/suites.ts'

const MINUTE = 60_000
const QUORATE = 'packages/quorate/test'

/** Tests that start processes of their own. They are no part of `npm run check`. */
const PROCESSES = `${QUORATE}/**/*.process.test.ts`

/** Runs from questions to stored decisions: databases, killed processes, a fake provider. */
const PANEL = [
  `${QUORATE}/{chaos,demo,evaluation,fake-provider,page,panel,run,store/sqlite}/**/*.test.ts`,
  `${QUORATE}/store/postgres.test.ts`,
  `${QUORATE}/cli/ticket-job.test.ts`,
  PROCESSES,
]

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
    include: ['tools/test/{imports,count-tests,release-files,report-tests,run,site}.test.ts'],
    testTimeout: MINUTE,
    hookTimeout: MINUTE,
  },
  {
    ...SHARED,
    name: 'certificate',
    include: ['packages/certificate/test/**/*.test.ts'],
    exclude: ['**/*.validity.test.ts', ...MOCKS],
    testTimeout: MINUTE,
  },
  { name: 'mocks', include: MOCKS, testTimeout: MINUTE },
  {
    ...SHARED,
    name: 'quorate',
    include: [`${QUORATE}/**/*.test.ts`],
    exclude: [...PANEL, SERVER, REAL_MODEL, END_TO_END, WORKERS, EFFICIENCY],
    testTimeout: MINUTE,
    hookTimeout: MINUTE,
  },
  {
    name: 'panel',
    include: PANEL,
    exclude: [SERVER, WORKERS, EFFICIENCY],
    testTimeout: 3 * MINUTE,
    hookTimeout: 3 * MINUTE,
  },
  { name: 'efficiency', include: [EFFICIENCY], testTimeout: 3 * MINUTE, hookTimeout: 3 * MINUTE },
  {
    ...SHARED,
    name: 'web',
    include: ['apps/web/test/**/*.test.ts'],
    exclude: ['**/*.browser.test.ts'],
    testTimeout: MINUTE,
  },
  {
    ...SHARED,
    name: 'browser',
    include: ['apps/web/test/**/*.browser.test.ts'],
    globalSetup: 'apps/web/test/fixture/prepare.ts',
    testTimeout: 2 * MINUTE,
    hookTimeout: 2 * MINUTE,
  },
  {
    name: 'examples',
    include: ['packages/ai-sdk/test/**/*.test.ts', 'examples/**/*.test.ts'],
    // Mastra has 152 packages, which its test installs: a minute that only the long form takes.
    exclude: ['**/node_modules/**', ...(isFullLane ? [] : ['examples/mastra/**'])],
    testTimeout: 2 * MINUTE,
    hookTimeout: 2 * MINUTE,
  },
  { ...SHARED, name: 'server', include: [SERVER], testTimeout: 2 * MINUTE, hookTimeout: 2 * MINUTE },
  {
    ...SHARED,
    name: 'end-to-end',
    include: [END_TO_END],
    globalSetup: 'packages/quorate/test/end-to-end/prepare.ts',
    testTimeout: 3 * MINUTE,
    hookTimeout: 3 * MINUTE,
  },
  {
    name: 'workers',
    include: [WORKERS],
    testTimeout: 3 * MINUTE,
    hookTimeout: 2 * MINUTE,
  },
  { name: 'real-model', include: [REAL_MODEL], testTimeout: MINUTE, hookTimeout: 5 * MINUTE },
  { ...SHARED, name: 'experiments', include: ['experiments/test/**/*.test.ts'], testTimeout: 5 * MINUTE },
  { name: 'docs', include: ['tools/test/{docs,site.browser}.test.ts'], testTimeout: 5 * MINUTE, hookTimeout: MINUTE },
  { name: 'packaging', include: ['tools/test/packaging.test.ts'], testTimeout: 2 * MINUTE, hookTimeout: 3 * MINUTE },
  { name: 'validity', include: ['packages/certificate/test/**/*.validity.test.ts'], testTimeout: 10 * MINUTE },
]

export default defineConfig({
  // Workspaces are read from their sources: tests need no build.
  ssr: { resolve: { conditions: ['quorate-source'] } },
  test: {
    // Three more than there are cores: many tests wait for a process, a database or a browser.
    maxWorkers: availableParallelism() + 3,
    // Processes that tests start compile each module once, not each time: their start takes half of the processor time.
    env: { NODE_COMPILE_CACHE: resolve('node_modules/.cache/compile') },
    sequence: { sequencer: LongestFirst },
    projects: projects.map((test) => ({ extends: true, test: { ...test, ...ownTurn(test.name) } })),
  },
})

/** A suite that runs alone waits until all others have ended, and runs one file at a time. */
function ownTurn(project: string) {
  const turn = SUITES.filter(({ runsAlone }) => runsAlone !== undefined).findIndex(({ name }) => name === project)
  return turn < 0 ? {} : { maxWorkers: 1, sequence: { groupOrder: turn + 1 } }
}
