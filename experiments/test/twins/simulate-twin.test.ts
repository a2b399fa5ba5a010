import { readDebates } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { PARAMETERS } from '../../src/twins/parameters.ts'
import { simulateTwin } from '../../src/twins/simulate-twin.ts'
import { TARGETS, TWIN_NAMES } from '../../src/twins/targets.ts'

describe.each(TWIN_NAMES)('%s', (name) => {
  const target = TARGETS[name]
  const debates = simulateTwin(name, { seed: 5, beliefs: 'soft', count: 500 })

  test('three agents debate for four rounds over as many options as the benchmark has', () => {
    const { debates: read } = readDebates(debates)
    const shapes = read.map(({ record, rounds }) => [
      record.options.length,
      ...rounds.map(({ agents }) => agents.length),
    ])
    expect(new Set(shapes.map((shape) => String(shape.slice(1))))).toEqual(new Set(['3,3,3,3']))
    for (const [row, { group }] of debates.entries()) {
      const own = target.subgroups.find(({ name: subgroup }) => subgroup === group)?.options
      const allowed = own?.map(([options]) => options) ?? [target.options]
      expect(allowed).toContain(shapes[row]![0])
    }
    expect(debates[0]!.id).toBe(`twin-${name}-00001`)
  })

  test('a seed gives the same debates again, a smaller count gives the first of them, and another seed gives others', () => {
    expect(simulateTwin(name, { seed: 5, beliefs: 'soft', count: 40 })).toEqual(debates.slice(0, 40))
    const other = simulateTwin(name, { seed: 6, beliefs: 'soft', count: 40 })
    expect(other.map(({ rounds }) => rounds)).not.toEqual(debates.slice(0, 40).map(({ rounds }) => rounds))
  })

  test('votes are the same debates without the confidences', () => {
    const bare = debates.map((debate) => ({
      ...debate,
      rounds: debate.rounds.map((round) => round.map(({ agent, answer }) => ({ agent, answer }))),
    }))
    expect(simulateTwin(name, { seed: 5, beliefs: 'vote', count: 500 })).toEqual(bare)
  })

  test('confidences are stated in steps, never below chance and not all alike', () => {
    const steps = PARAMETERS[name].statedSteps
    for (const { options, rounds } of debates) {
      for (const { conf } of rounds.flat()) {
        const stated = conf!.verbal!
        expect(stated).toBeGreaterThanOrEqual(1 / Object.keys(options).length)
        expect(stated).toBeLessThanOrEqual(1)
        expect(stated).toBe(Math.round(stated * steps) / steps)
      }
    }
    const all = debates.flatMap(({ rounds }) => rounds.flat().map(({ conf }) => conf!.verbal!))
    expect(new Set(all).size).toBeGreaterThan(8)
  })

  test('the right option may be any letter, and no letter more often than another', () => {
    const drawn = simulateTwin(name, { seed: 8, beliefs: 'vote', count: 2000 })
    for (const optionCount of new Set(drawn.map(({ options }) => Object.keys(options).length))) {
      const golds = drawn.filter(({ options }) => Object.keys(options).length === optionCount).map(({ gold }) => gold)
      for (let letter = 0; letter < optionCount; letter++) {
        const share = golds.filter((gold) => gold === String.fromCharCode(65 + letter)).length / golds.length
        const chance = 1 / optionCount
        expect(Math.abs(share - chance)).toBeLessThan(5 * Math.sqrt((chance * (1 - chance)) / golds.length))
      }
    }
  })
})

test('a twin has as many debates as its benchmark, and the shares of its subgroups', () => {
  for (const name of ['bbh', 'musr', 'gpqa', 'arc'] as const) {
    const { size, subgroups } = TARGETS[name]
    const groups = simulateTwin(name, { seed: 9, beliefs: 'vote' }).map(({ group }) => group)
    expect(groups).toHaveLength(size)
    if (subgroups.length === 0) expect(new Set(groups)).toEqual(new Set([null]))
    for (const subgroup of subgroups) {
      const share = groups.filter((group) => group === subgroup.name).length / size
      expect(Math.abs(share - subgroup.size / size)).toBeLessThan(5 * Math.sqrt(0.16 / size))
    }
  }
})

test('numbers of options are given for every question of a subgroup', () => {
  const given = Object.values(TARGETS).flatMap(({ subgroups }) => subgroups.filter(({ options }) => options))
  expect(given).toHaveLength(13)
  for (const { size, options } of given) {
    expect(options!.reduce((sum, [, questions]) => sum + questions, 0)).toBe(size)
  }
  expect(Math.max(...given.flatMap(({ options }) => options!.map(([count]) => count)))).toBe(18)
})

test('the subgroups of a benchmark add up to it', () => {
  for (const { size, subgroups } of Object.values(TARGETS)) {
    if (subgroups.length > 0) expect(subgroups.reduce((sum, group) => sum + group.size, 0)).toBe(size)
  }
})
