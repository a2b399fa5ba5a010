import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tools/longest-first.ts'
import { SUITES } from './tools/suites.ts'
import { askedSuites, filesOf, SHARED, TEST_FILES, type TestFiles } from './tools/test-files.ts'

const MINUTE = 60_000

/** Ends what hangs. Much longer than any test takes, so that no result depends on how busy the machine is. */
const HANGS = 10 * MINUTE

/** One project for each suite. `tools/test.ts` names its suites, and those that share processes are one project then. */
const projects = askedSuites === undefined ? Object.entries(TEST_FILES).map(ownProject) : projectsOf(askedSuites)

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

function ownProject([name, { include, exclude = [], globalSetup, processes }]: readonly [string, TestFiles]) {
  const files = { include: [...include], exclude: ['**/node_modules/**', ...exclude] }
  return { name, isolate: processes !== undefined, ...files, globalSetup: globalSetup ?? [] }
}

function projectsOf(suites: readonly string[]) {
  const asked = Object.entries(TEST_FILES).filter(([name]) => suites.includes(name))
  const shared = asked.filter(([, { processes }]) => processes === undefined)
  const own = asked.filter(([, { processes }]) => processes !== undefined).map(ownProject)
  if (shared.length === 0) return own
  const include = shared.flatMap(([name]) => filesOf(name))
  const globalSetup = shared.flatMap(([, { globalSetup }]) => globalSetup ?? [])
  return [...own, { name: SHARED, isolate: false, include, exclude: [], globalSetup }]
}

/** A suite that runs alone waits until all others have ended, and runs one file at a time. */
function ownTurn(project: string) {
  const turn = SUITES.filter(({ runsAlone }) => runsAlone !== undefined).findIndex(({ name }) => name === project)
  return turn < 0 ? {} : { maxWorkers: 1, sequence: { groupOrder: turn + 1 } }
}
