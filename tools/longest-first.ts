import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { suiteOf } from './test-files.ts'

/** Files that take a minute by themselves. If one of them began last, the other cores would be idle until it ends. */
const LONGEST = ['tools/test/docs-commands.test.ts', 'tools/test/packaging.test.ts']

/** Files that take long for their size. They come first in their suite. */
const LONG = [
  'packages/certificate/test/planning/make-plan.test.ts',
  'packages/quorate/test/demo/run-demo.test.ts',
  'packages/quorate/test/run/postgres.test.ts',
  'packages/quorate/test/run/wrong-actions/wrong-actions.test.ts',
  'packages/quorate/test/chaos/',
  'packages/quorate/test/server/faults/',
  'packages/quorate/test/server/deciding/',
  'packages/quorate/test/workers/chaos.test.ts',
  'packages/quorate/test/workers/rate.test.ts',
  'experiments/test/audits/power.test.ts',
  'experiments/test/tables/quick-table.test.ts',
]

/**
 * Suites of one row take turns, so that some tests compute while others wait for processes, databases and browsers. The suites
 * of the first row have a process per file. Those of the other rows share processes, which end when a file of the first row
 * comes next. The last suites only compute, so all cores are busy to the end.
 */
const ORDER = [
  ['workers', 'validity', 'docs', 'tools', 'mocks', 'layers', 'real-model'],
  ['panel', 'end-to-end', 'browser', 'server', 'examples', 'runs', 'experiments', 'quorate'],
  ['web', 'certificate'],
]

/** Runs the longest files first, then row after row. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const [longest, others] = parted(sorted, ({ moduleId }) => LONGEST.some((name) => moduleId.endsWith(name)))
    const isListed = (file: TestSpecification) => ORDER.flat().includes(suiteOfFile(file))
    const [listed, unlisted] = parted(others, isListed)
    const ordered = ORDER.flatMap((row) => inTurns(row.map((suite) => filesOf(suite, listed))))
    return [...longest, ...ordered, ...unlisted]
  }
}

function suiteOfFile({ moduleId, project }: TestSpecification): string {
  return suiteOf(moduleId, project.name)
}

function filesOf(suite: string, files: readonly TestSpecification[]): readonly TestSpecification[] {
  const own = files.filter((file) => suiteOfFile(file) === suite)
  return parted(own, ({ moduleId }) => LONG.some((name) => moduleId.includes(name))).flat()
}

/** Merges lists so that each is spread evenly over the whole. */
export function inTurns<Item>(lists: readonly (readonly Item[])[]): readonly Item[] {
  return lists
    .flatMap((list) => list.map((item, place) => ({ item, at: (place + 0.5) / list.length })))
    .toSorted((left, right) => left.at - right.at)
    .map(({ item }) => item)
}

/** The items for which the predicate is true, then the others, each in their order. */
function parted<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): readonly [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))]
}
