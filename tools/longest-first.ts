import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take a minute by themselves. One that began last would be waited for with idle cores. */
const LONGEST = ['tools/test/docs.test.ts', 'tools/test/packaging.test.ts']

/** The order of vitest, which is project after project, with the longest files before all others. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLongest = ({ moduleId }: TestSpecification) => LONGEST.some((name) => moduleId.endsWith(name))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))]
  }
}
