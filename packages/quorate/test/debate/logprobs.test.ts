import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { logprobBeliefs } from '../../src/debate/elicit/logprobs.ts'

const named = (...names: readonly string[]) => names.map((name) => ({ name, text: name }))
const ABC = named('A', 'B', 'C')
const place = (...alternatives: readonly (readonly [string, number])[]) =>
  alternatives.map(([token, probability]) => ({ token, logprob: Math.log(probability) }))

describe('logprobBeliefs', () => {
  test('is the softmax over the option tokens, and 0 for an option that is not among them', () => {
    const beliefs = logprobBeliefs([place(['B', 0.6], ['A', 0.2], ['The', 0.1])], ABC, 1)
    expect(beliefs?.map((belief) => Number(belief.toFixed(12)))).toEqual([0.25, 0.75, 0])
  })

  test('adds up tokens that differ by space, case and decoration', () => {
    const beliefs = logprobBeliefs([place([' B', 0.3], ['▁b', 0.1], ['ĠB', 0.1], ['(B', 0.1], ['A.', 0.2])], ABC, 1)
    expect(beliefs?.[1]).toBeCloseTo(0.75, 12)
  })

  test('counts a chosen token once that is repeated among the alternatives', () => {
    expect(logprobBeliefs([place(['B', 0.5], ['B', 0.5], ['A', 0.5])], ABC, 1)).toEqual([0.5, 0.5, 0])
  })

  test('reads the place of the answer, not an article before it', () => {
    const reply = [place(['A', 0.9], ['B', 0.1]), place([' try', 1]), place([': ', 1]), place(['C', 0.7], ['A', 0.3])]
    expect(logprobBeliefs(reply, ABC, 2)?.[2]).toBeCloseTo(0.7, 12)
  })

  test('reads names of several tokens at their first token', () => {
    const reply = [place(['Lon', 0.6], ['Par', 0.4]), place(['don', 1])]
    expect(logprobBeliefs(reply, named('Paris', 'London'), 1)?.[0]).toBeCloseTo(0.4, 12)
  })

  test('is absent if a token is one name and begins another', () => {
    expect(logprobBeliefs([place(['1', 0.6], ['2', 0.4])], named('1', '2', '10'), 0)).toBeNull()
  })

  test('reads the first word without a readable answer, unless the options are only noise there', () => {
    expect(logprobBeliefs([place([' ', 1]), place(['The', 0.9], ['A', 0.06], ['B', 0.02])], ABC, null)).toEqual(
      [0.75, 0.25, 0].map((v) => expect.closeTo(v, 12)),
    )
    expect(logprobBeliefs([place(['The', 0.9], ['A', 0.001])], ABC, null)).toBeNull()
  })

  test('is absent if the reply continues from an option to another word or sentence, unless a name was cut off', () => {
    const artist = [place(['A', 0.6], ['B', 0.2]), place(['rt', 1]), place(['ist', 1])]
    expect(logprobBeliefs(artist, ABC, null)).toBeNull()
    const sentence = [place(['A', 0.6], ['B', 0.2]), place([' good', 1]), place([' question', 1])]
    expect(logprobBeliefs(sentence, ABC, null)).toBeNull()
    const cut = [place(['Lon', 0.6], ['Par', 0.2])]
    expect(logprobBeliefs(cut, named('Paris', 'London'), null)?.[1]).toBeCloseTo(0.75, 12)
  })

  test('is absent without log-probabilities, and if no token is an option', () => {
    expect(logprobBeliefs(null, ABC, 1)).toBeNull()
    expect(logprobBeliefs([], ABC, 1)).toBeNull()
    expect(logprobBeliefs([place(['B', Number.NaN])], ABC, 1)).toBeNull()
  })

  test('sums to 1 within 1e-9 for any log-probabilities', () => {
    const token = fc.constantFrom('A', ' A', 'b', 'B', 'C', 'x', '')
    const logprob = fc.oneof(fc.double(), fc.double({ min: -60, max: 0, noNaN: true }))
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.record({ token, logprob }), { maxLength: 8 }), { maxLength: 4 }),
        fc.constantFrom(null, 0, 1, 2),
        (places, answer) => {
          const beliefs = logprobBeliefs(places, ABC, answer)
          if (beliefs === null) return
          expect(Math.abs(beliefs.reduce((sum, belief) => sum + belief, 0) - 1)).toBeLessThan(1e-9)
          expect(beliefs.every((belief) => belief >= 0)).toBe(true)
        },
      ),
      { seed: 7 },
    )
  })
})

test('a token that is mostly punctuation is read in one pass', () => {
  const token = `${')'.repeat(1_000_000)}x`
  expect(logprobBeliefs([place([token, 0.5], ['A', 0.5])], ABC, null)).toEqual([1, 0, 0])
})
