import { expect, test } from 'vitest'
import { FIT_EFFORT, fitTwin } from '../../../src/twins/fit/fit-twin.ts'
import { MIDDLE, offsetCount, parametersAt, SHARED_COORDINATES } from '../../../src/twins/fit/search-space.ts'
import { PARAMETERS } from '../../../src/twins/parameters.ts'
import { TARGETS, TWIN_NAMES } from '../../../src/twins/targets.ts'

test('a fit is the same every time', () => {
  const effort = { ...FIT_EFFORT, tries: 2, starts: 1, searchCount: 40, refineCount: 40, polishCount: 40 }
  expect(fitTwin('musr', effort)).toEqual(fitTwin('musr', effort))
})

test('the offsets of the subgroups have mean zero over questions, so that the clarity is that of all questions', () => {
  for (const name of TWIN_NAMES) {
    const { size, subgroups } = TARGETS[name]
    const { groupOffsets } = PARAMETERS[name]
    expect(groupOffsets).toHaveLength(offsetCount(TARGETS[name]))
    const mean = groupOffsets.reduce((sum, offset, place) => sum + (offset * subgroups[place]!.size) / size, 0)
    expect(Math.abs(mean)).toBeLessThan(1e-3)
  }
})

test('the middle of the cube is the middle of every range', () => {
  const { pull, insight, groupOffsets } = parametersAt(new Array(SHARED_COORDINATES).fill(MIDDLE), TARGETS.arc)
  expect({ pull, insight, groupOffsets }).toEqual({ pull: 0.5, insight: 0.25, groupOffsets: [] })
})
