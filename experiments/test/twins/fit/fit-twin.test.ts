import { readDebates } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { roundsOfDebates } from '../../../src/twins/aggregates.ts'
import { drawDebates, drawSpoken } from '../../../src/twins/draw-debates.ts'
import { FIT_EFFORT, fitTwin } from '../../../src/twins/fit/fit-twin.ts'
import { roundsOfSpoken } from '../../../src/twins/fit/rounds-of-spoken.ts'
import { MIDDLE, offsetCount, parametersAt, pointOf, SHARED_COORDINATES } from '../../../src/twins/fit/search-space.ts'
import { PARAMETERS } from '../../../src/twins/parameters.ts'
import { TARGETS, TWIN_NAMES } from '../../../src/twins/targets.ts'

test('a fit is the same every time', () => {
  const effort = { ...FIT_EFFORT, tries: 2, starts: 1, searchCount: 40, refineCount: 40, polishCount: 40 }
  const traits = { statedSteps: 20, toneSpread: 1 }
  const start = { stored: PARAMETERS.musr, ...traits }
  const fit = fitTwin('musr', start, effort)
  expect(fit).toEqual(fitTwin('musr', start, effort))
  expect(fit.parameters).toMatchObject(traits)
})

test('turns are summarised as the package would, except for ties', () => {
  for (const name of ['bbh', 'mmlu-pro'] as const) {
    const options = { seed: 4, count: 400 }
    const spoken = roundsOfSpoken(drawSpoken(name, PARAMETERS[name], options))
    const { debates } = readDebates(drawDebates(name, PARAMETERS[name], { ...options, beliefs: 'soft' }))
    for (const [row, { group, rounds }] of roundsOfDebates(debates).entries()) {
      expect(spoken[row]!.group).toBe(group)
      for (const [at, { p1, margin, right, isUnanimous }] of rounds.entries()) {
        const said = spoken[row]!.rounds[at]!
        expect(said.p1).toBeCloseTo(p1, 9)
        expect(said.margin).toBeCloseTo(margin, 9)
        expect(said.isUnanimous).toBe(isUnanimous)
        if (margin > 1e-9) expect(said.right).toBe(right)
      }
    }
  }
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

test('the point of parameters is where they are found', () => {
  for (const name of TWIN_NAMES) {
    const { statedSteps, toneSpread } = PARAMETERS[name]
    const again = parametersAt(pointOf(PARAMETERS[name]), TARGETS[name], { statedSteps, toneSpread })
    for (const [place, offset] of again.groupOffsets.entries()) {
      expect(offset).toBeCloseTo(PARAMETERS[name].groupOffsets[place]!, 3)
    }
    expect({ ...again, groupOffsets: [] }).toEqual({ ...PARAMETERS[name], groupOffsets: [] })
  }
})

test('the middle of the cube is the middle of every range', () => {
  const { pull, insight, groupOffsets } = parametersAt(new Array(SHARED_COORDINATES).fill(MIDDLE), TARGETS.arc, {
    statedSteps: 100,
  })
  expect({ pull, insight, groupOffsets }).toEqual({ pull: 0.5, insight: 0.25, groupOffsets: [] })
})
