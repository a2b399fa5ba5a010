import { defineConfig } from 'vitest/config'

const MINUTE = 60_000

/** Questions to stored decisions: databases, processes that are killed, a provider of our own. */
const PANEL =
  'packages/quorate/test/{chaos,config,debate,efficiency,fake-provider,model,questions,run,store,traffic}/**/*.test.ts'

/** A language model in a process of its own; its weights are installed once. */
const REAL_MODEL = 'packages/quorate/test/real-model/**/*.test.ts'

/** What runs behind `quorate serve`: requests, the review queue, the monitor. */
const SERVER = 'packages/quorate/test/{server,review,monitor}/**/*.test.ts'

/** Many workers on one PostgreSQL: limits, take-overs, kills. */
const WORKERS = 'packages/quorate/test/workers/**/*.test.ts'

/** The real server, command line and app in a real browser. */
const END_TO_END = 'packages/quorate/test/end-to-end/**/*.test.ts'

/** One project per suite of `npm test`. */
const projects = [
  { name: 'layers', include: ['tools/test/layers.test.ts'] },
  { name: 'tools', include: ['tools/test/{imports,count-tests,report-tests,run}.test.ts'], testTimeout: MINUTE },
  {
    name: 'certificate',
    include: ['packages/certificate/test/**/*.test.ts'],
    exclude: ['**/*.validity.test.ts'],
    testTimeout: MINUTE,
  },
  {
    name: 'quorate',
    include: ['packages/quorate/test/**/*.test.ts'],
    exclude: [PANEL, SERVER, REAL_MODEL, END_TO_END, WORKERS],
    testTimeout: MINUTE,
    hookTimeout: MINUTE,
  },
  { name: 'panel', include: [PANEL], testTimeout: 3 * MINUTE, hookTimeout: 3 * MINUTE },
  { name: 'web', include: ['apps/web/test/**/*.test.ts'], testTimeout: 2 * MINUTE, hookTimeout: 2 * MINUTE },
  { name: 'server', include: [SERVER], testTimeout: 2 * MINUTE, hookTimeout: 2 * MINUTE },
  {
    name: 'end-to-end',
    include: [END_TO_END],
    globalSetup: 'packages/quorate/test/end-to-end/prepare.ts',
    testTimeout: 3 * MINUTE,
    hookTimeout: 3 * MINUTE,
  },
  {
    name: 'workers',
    include: [WORKERS],
    // Rates are measured in them: nothing else may take the processor meanwhile.
    maxWorkers: 1,
    sequence: { groupOrder: 1 },
    testTimeout: 3 * MINUTE,
    hookTimeout: 2 * MINUTE,
  },
  { name: 'real-model', include: [REAL_MODEL], testTimeout: MINUTE, hookTimeout: 5 * MINUTE },
  { name: 'experiments', include: ['experiments/test/**/*.test.ts'], testTimeout: 5 * MINUTE },
  { name: 'docs', include: ['tools/test/docs.test.ts'], testTimeout: 5 * MINUTE },
  { name: 'packaging', include: ['tools/test/packaging.test.ts'], testTimeout: 2 * MINUTE, hookTimeout: 3 * MINUTE },
  { name: 'validity', include: ['packages/certificate/test/**/*.validity.test.ts'], testTimeout: 10 * MINUTE },
]

export default defineConfig({
  // Workspaces are read from their sources: tests need no build.
  ssr: { resolve: { conditions: ['quorate-source'] } },
  test: {
    maxWorkers: 2,
    projects: projects.map((test) => ({ extends: true, test })),
  },
})
