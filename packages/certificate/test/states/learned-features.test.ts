import { describe, expect, test } from 'vitest'
import { parseDebate } from '../../src/beliefs/parse-debate.ts'
import { summariseRounds } from '../../src/beliefs/summarise-rounds.ts'
import { learnedFeatureNames, learnedFeatures } from '../../src/states/learned-features.ts'
import { learnedLayout } from '../../src/states/learned-layout.ts'

const given = (agent: string, answer: string | null, verbal: number | null = null) => ({
  agent,
  answer,
  conf: { verbal },
})
const prefixOf = (...rounds: readonly (readonly object[])[]) =>
  summariseRounds(parseDebate({ id: 'q', options: ['A', 'B'], rounds }))

const twoRounds = prefixOf(
  [given('y', 'A', 0.6), given('x', 'A', 0.9), given('z', null)],
  [given('z', null), given('x', 'B', 0.9), given('y', 'B', 0.8)],
)

describe('learnedLayout', () => {
  const xy = prefixOf([given('x', 'A'), given('y', 'A')])
  const yx = prefixOf([given('y', 'A'), given('x', 'B')])
  const xz = prefixOf([given('x', 'A'), given('z', 'A')])
  const xyz = prefixOf([given('x', 'A'), given('y', 'A'), given('z', 'A')])

  test('names the agents by code point when every row has the same, in whatever order', () => {
    expect(learnedLayout([yx, xy], [null, null])).toEqual({ agents: ['x', 'y'], groups: [] })
    const strange = prefixOf([given('\u{1F600}', 'A'), given('__proto__', 'A'), given('\uFF21', 'A')])
    expect(learnedLayout([strange], [null]).agents).toEqual(['__proto__', '\uFF21', '\u{1F600}'])
  })

  test('names none when a row has another agent, one more or one fewer', () => {
    for (const other of [xz, xyz]) {
      expect(learnedLayout([xy, other], [null, null]).agents).toBeNull()
      expect(learnedLayout([other, xy], [null, null]).agents).toBeNull()
    }
  })

  test('looks at the last round only: a growing panel has a layout for each round', () => {
    const grown = prefixOf([given('x', 'A')], [given('x', 'A'), given('y', 'A')])
    const otherwise = prefixOf([given('y', 'A')], [given('x', 'A'), given('y', 'A')])
    expect(learnedLayout([grown, otherwise], [null, null]).agents).toEqual(['x', 'y'])
  })

  test('has each group once, by code point, and none for rows without', () => {
    const groups = ['law', null, '__proto__', 'law', '\u{1F600}', '\uFF21', 'Law']
    const rows = groups.map(() => xy)
    expect(learnedLayout(rows, groups).groups).toEqual(['Law', '__proto__', 'law', '\uFF21', '\u{1F600}'])
  })

  test('is the same after a journey through JSON', () => {
    const layout = learnedLayout([xy, yx], ['__proto__', null])
    expect(JSON.parse(JSON.stringify(layout))).toEqual(layout)
  })

  test('refuses no rows, unequal lengths, and groups that do not match the rows', () => {
    expect(() => learnedLayout([], [])).toThrow('learnedLayout: rows must be one pilot row or more')
    expect(() => learnedLayout([[]], [null])).toThrow('learnedLayout: prefix must be one round or more')
    expect(() => learnedLayout([xy, twoRounds], [null, null])).toThrow(
      'learnedLayout: rows[1].length must be that of rows[0], 1, got 2',
    )
    expect(() => learnedLayout([xy], [])).toThrow('learnedLayout: groups.length must be the number of rows, 1, got 0')
  })
})

describe('learnedFeatures', () => {
  const named = { agents: ['x', 'y', 'z'], groups: ['law', 'physics'] }
  const unnamed = { agents: null, groups: [] }

  function byName(...[layout, prefix, group]: Parameters<typeof learnedFeatures>) {
    const features = learnedFeatures(layout, prefix, group)
    const names = learnedFeatureNames(layout)
    expect(features).toHaveLength(names.length)
    return names.map((name, index) => [name, features?.[index]])
  }

  test('by hand: round 2 after a change, agents by name', () => {
    // Beliefs in B: z .5, x .9, y .8; social B = 2.2 / 3; in round 1 it was (.4 + .1 + .5) / 3 = 1 / 3.
    expect(byName(named, twoRounds, 'physics')).toEqual([
      ['agent:x', 0.9],
      ['agent:y', 0.8],
      ['agent:z', 0.5],
      ['p1', 0.733333333333],
      ['margin', 0.466666666666],
      ['entropy', expect.closeTo(0.579915171418, 10)],
      ['disagreement', 0],
      ['support-path', 0.533333333333],
      ['previous-p1', 0.666666666667],
      ['changed', 1],
      ['abstentions', 1 / 3],
      ['group:law', 0],
      ['group:physics', 1],
    ])
  })

  test('by hand: round 1, agents without names as minimum, median and maximum', () => {
    // Beliefs in A: y .6, x .9, z .5.
    expect(byName(unnamed, twoRounds.slice(0, 1), 'law')).toEqual([
      ['support-min', 0.5],
      ['support-median', 0.6],
      ['support-max', 0.9],
      ['p1', 0.666666666667],
      ['margin', 0.333333333334],
      ['entropy', expect.closeTo(0.636514168295, 10)],
      ['disagreement', 0],
      ['support-path', 0.666666666667],
      ['previous-p1', 0],
      ['changed', 0],
      ['abstentions', 1 / 3],
    ])
  })

  test('the median of an even panel is halfway between the middle two', () => {
    const even = prefixOf([given('a', 'A', 0.6), given('b', 'A', 1), given('c', 'A', 0.7), given('d', 'A', 0.9)])
    expect([...(learnedFeatures(unnamed, even, null) ?? [])].slice(0, 3)).toEqual([0.6, 0.8, 1])
    const single = prefixOf([given('a', 'A', 0.6)])
    expect([...(learnedFeatures(unnamed, single, null) ?? [])].slice(0, 3)).toEqual([0.6, 0.6, 0.6])
  })

  test('disagreement reaches the features', () => {
    const split = prefixOf([given('x', 'A'), given('y', 'A'), given('z', 'B')])
    expect(byName(named, split, null)).toContainEqual(['disagreement', 1 / 3])
  })

  test('an unseen group and no group are all zeros', () => {
    for (const group of ['history', 'toString', null]) {
      expect([...(learnedFeatures(named, twoRounds, group) ?? [])].slice(-2)).toEqual([0, 0])
    }
  })

  test('the order of the agents does not matter', () => {
    const one = prefixOf([given('x', 'A', 0.9), given('y', 'B', 0.6), given('z', 'A', 0.7)])
    const other = prefixOf([given('z', 'A', 0.7), given('y', 'B', 0.6), given('x', 'A', 0.9)])
    expect(learnedFeatures(named, one, null)).toEqual(learnedFeatures(named, other, null))
    expect(learnedFeatures(unnamed, one, null)).toEqual(learnedFeatures(unnamed, other, null))
  })

  test('another panel than the named one has no features', () => {
    const rounds = [
      [given('x', 'A'), given('y', 'A')],
      [given('x', 'A'), given('y', 'A'), given('z', 'A'), given('w', 'A')],
      [given('x', 'A'), given('y', 'A'), given('w', 'A')],
    ]
    for (const round of rounds) expect(learnedFeatures(named, prefixOf(round), null)).toBeNull()
  })

  test('agents and groups may be named like a property of every object', () => {
    const layout = { agents: ['__proto__', 'constructor'], groups: ['__proto__'] }
    const prefix = prefixOf([given('constructor', 'A', 0.7), given('__proto__', 'A', 0.9)])
    const features = [...(learnedFeatures(layout, prefix, '__proto__') ?? [])]
    expect([features[0], features[1], features.at(-1)]).toEqual([0.9, 0.7, 1])
  })

  test('an empty prefix is refused', () => {
    expect(() => learnedFeatures(named, [], null)).toThrow('learnedFeatures: prefix must be one round or more')
  })
})
