import { describe, expect, test } from 'vitest'
import type { BeliefReading } from '../../src/beliefs/debate.ts'
import { parseDebate } from '../../src/beliefs/parse-debate.ts'

const OPTIONS = ['A', 'B', 'C', 'D']

function beliefsOf(turn: object, elicitation?: BeliefReading, options: readonly string[] = OPTIONS) {
  const input = { id: 'q', options, rounds: [[{ agent: 'x', answer: null, ...turn }]] }
  const round = parseDebate(input, elicitation === undefined ? {} : { elicitation }).rounds[0]!
  return { beliefs: [...round.beliefs], vote: round.votes[0] }
}

const uniform = [0.25, 0.25, 0.25, 0.25]
const given = { A: 0.5, B: 0.25, C: 0.25 }
const everything = { answer: 'B', beliefs: given, conf: { verbal: 0.7 }, samples: ['D', 'D', 'C', null, 'D'] }

describe('each elicitation', () => {
  test('vote puts everything on the answer', () => {
    expect(beliefsOf(everything, 'vote')).toEqual({ beliefs: [0, 1, 0, 0], vote: 1 })
  })

  test('stated puts c on the answer and spreads the rest evenly', () => {
    const rest = (1 - 0.7) / 3
    expect(beliefsOf(everything, 'stated')).toEqual({ beliefs: [rest, 0.7, rest, rest], vote: 1 })
    expect(beliefsOf({ answer: 'A', conf: { verbal: 0 } }, 'stated')).toEqual({
      beliefs: [0, 1 / 3, 1 / 3, 1 / 3],
      vote: 0,
    })
  })

  test('stated leaves the only option everything, whatever was said', () => {
    expect(beliefsOf({ answer: 'A', conf: { verbal: 0.2 } }, 'stated', ['A'])).toEqual({ beliefs: [1], vote: 0 })
  })

  test('samples gives relative frequencies over those that could be read; the vote stays the answer', () => {
    expect(beliefsOf(everything, 'samples')).toEqual({ beliefs: [0, 0, 0.25, 0.75], vote: 1 })
  })

  test('given takes the beliefs as they are; the vote stays the answer', () => {
    expect(beliefsOf(everything, 'given')).toEqual({ beliefs: [0.5, 0.25, 0.25, 0], vote: 1 })
  })

  test('the default is what the turns have: beliefs, else a stated confidence, else the answer', () => {
    const { answer, conf, samples } = everything
    expect(beliefsOf(everything)).toEqual(beliefsOf(everything, 'given'))
    expect(beliefsOf({ answer, conf, samples })).toEqual(beliefsOf(everything, 'stated'))
    expect(beliefsOf({ answer, samples })).toEqual(beliefsOf(everything, 'vote'))
  })
})

describe('what a turn lacks is an abstention', () => {
  const silent = { beliefs: uniform, vote: -1 }

  test('stated: an answer without a confidence is no certainty, whatever else the turn has', () => {
    for (const conf of [undefined, null, {}, { verbal: null }]) {
      expect(beliefsOf({ answer: 'C', conf }, 'stated')).toEqual(silent)
      expect(beliefsOf({ answer: 'C', conf, beliefs: given, samples: ['C'] }, 'stated')).toEqual(silent)
    }
  })

  test('given and samples: neither reads the other, a confidence or the answer', () => {
    const { answer, conf } = everything
    expect(beliefsOf({ answer, conf, samples: ['A'] }, 'given')).toEqual(silent)
    expect(beliefsOf({ answer, conf, beliefs: given }, 'samples')).toEqual(silent)
    expect(beliefsOf({ answer }, 'given')).toEqual(silent)
    expect(beliefsOf({ answer }, 'samples')).toEqual(silent)
  })

  test('and is counted, unlike an empty turn', () => {
    const counts = (turn: object, elicitation: BeliefReading) => {
      const input = { id: 'q', options: OPTIONS, rounds: [[{ agent: 'x', answer: null, ...turn }]] }
      return parseDebate(input, { elicitation }).turns
    }
    expect(counts({ answer: 'A' }, 'stated')).toEqual({ answered: 1, missing: 1, renormalised: 0 })
    expect(counts({ answer: 'A', conf: { verbal: 0 } }, 'stated')).toEqual({ answered: 1, missing: 0, renormalised: 0 })
    expect(counts({ conf: { verbal: 0.9 } }, 'stated')).toEqual({ answered: 0, missing: 0, renormalised: 0 })
    expect(counts({ answer: 'A' }, 'vote')).toEqual({ answered: 1, missing: 0, renormalised: 0 })
    expect(counts({ answer: 'A' }, 'given')).toEqual({ answered: 1, missing: 1, renormalised: 0 })
    expect(counts({ beliefs: { A: 0.99 } }, 'given')).toEqual({ answered: 1, missing: 0, renormalised: 1 })
    expect(counts({ answer: 'A', beliefs: { A: 0.99 } }, 'vote')).toEqual({ answered: 1, missing: 0, renormalised: 0 })
  })
})

describe('without an answer', () => {
  test('an agent abstains: uniform beliefs, no vote, even with a stated confidence in nothing', () => {
    for (const elicitation of ['given', 'samples', 'stated', 'vote'] as const) {
      expect(beliefsOf({ conf: { verbal: 0.9 } }, elicitation)).toEqual({ beliefs: uniform, vote: -1 })
    }
    expect(beliefsOf({}, 'vote', ['A'])).toEqual({ beliefs: [1], vote: -1 })
  })

  test('given beliefs are no abstention: the agent votes for their maximum', () => {
    expect(beliefsOf({ beliefs: given })).toEqual({ beliefs: [0.5, 0.25, 0.25, 0], vote: 0 })
    expect(beliefsOf({ beliefs: { A: 1 } }, 'given', ['A'])).toEqual({ beliefs: [1], vote: 0 })
  })

  test('samples are no abstention either', () => {
    expect(beliefsOf({ samples: ['C', 'A', 'C', null] }, 'samples')).toEqual({ beliefs: [1 / 3, 0, 2 / 3, 0], vote: 2 })
  })

  test('a tied maximum is no vote, but the beliefs stand', () => {
    expect(beliefsOf({ beliefs: { A: 0.5, D: 0.5 } })).toEqual({ beliefs: [0.5, 0, 0, 0.5], vote: -1 })
    expect(beliefsOf({ samples: ['C', 'A'] }, 'samples')).toEqual({ beliefs: [0.5, 0, 0.5, 0], vote: -1 })
    const { vote } = beliefsOf({ beliefs: { A: 0.1 + 0.2, B: 0.3, C: 0.2, D: 0.2 } })
    expect(vote, 'equal on paper, unequal in the last bit').toBe(-1)
  })

  test('elicitations that read the answer alone see an abstention, whatever else was given', () => {
    expect(beliefsOf({ beliefs: given }, 'vote')).toEqual({ beliefs: uniform, vote: -1 })
    expect(beliefsOf({ beliefs: given, conf: { verbal: 0.9 } }, 'stated')).toEqual({ beliefs: uniform, vote: -1 })
  })
})

test('samples of which none could be read are an abstention', () => {
  expect(beliefsOf({ samples: [null, null] }, 'samples')).toEqual({ beliefs: uniform, vote: -1 })
  expect(beliefsOf({ answer: 'A', samples: [null] }, 'samples')).toEqual({ beliefs: uniform, vote: -1 })
})
