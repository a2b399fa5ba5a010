import { describe, expect, test } from 'vitest'
import type { Elicitation } from '../../src/beliefs/debate.ts'
import { readDebate } from '../../src/beliefs/read-debate.ts'

const OPTIONS = ['A', 'B', 'C', 'D']

function held(turn: object, elicitation?: Elicitation, options: readonly string[] = OPTIONS) {
  const input = { id: 'q', options, rounds: [[{ agent: 'x', answer: null, ...turn }]] }
  const round = readDebate(input, elicitation === undefined ? {} : { elicitation }).rounds[0]!
  return { beliefs: [...round.beliefs], vote: round.votes[0] }
}

const uniform = [0.25, 0.25, 0.25, 0.25]
const given = { A: 0.5, B: 0.25, C: 0.25 }
const everything = { answer: 'B', beliefs: given, conf: { verbal: 0.7 }, samples: ['D', 'D', 'C', null, 'D'] }

describe('each elicitation', () => {
  test('vote puts everything on the answer', () => {
    expect(held(everything, 'vote')).toEqual({ beliefs: [0, 1, 0, 0], vote: 1 })
  })

  test('stated puts c on the answer and spreads the rest evenly', () => {
    const rest = (1 - 0.7) / 3
    expect(held(everything, 'stated')).toEqual({ beliefs: [rest, 0.7, rest, rest], vote: 1 })
    expect(held({ answer: 'A', conf: { verbal: 0 } }, 'stated')).toEqual({ beliefs: [0, 1 / 3, 1 / 3, 1 / 3], vote: 0 })
  })

  test('stated leaves the only option everything, whatever was said', () => {
    expect(held({ answer: 'A', conf: { verbal: 0.2 } }, 'stated', ['A'])).toEqual({ beliefs: [1], vote: 0 })
  })

  test('samples gives relative frequencies over those that could be read; the vote stays the answer', () => {
    expect(held(everything, 'samples')).toEqual({ beliefs: [0, 0, 0.25, 0.75], vote: 1 })
  })

  test('given takes the beliefs as they are; the vote stays the answer', () => {
    expect(held(everything, 'given')).toEqual({ beliefs: [0.5, 0.25, 0.25, 0], vote: 1 })
  })

  test('given is the default', () => {
    expect(held(everything)).toEqual(held(everything, 'given'))
  })
})

describe('what a turn lacks falls back', () => {
  test('given and samples to stated, then to vote', () => {
    const { answer, conf } = everything
    for (const elicitation of ['given', 'samples'] as const) {
      expect(held({ answer, conf }, elicitation)).toEqual(held({ answer, conf }, 'stated'))
      expect(held({ answer }, elicitation)).toEqual(held({ answer }, 'vote'))
    }
  })

  test('stated to vote when nothing was stated', () => {
    for (const conf of [null, {}, { verbal: null }]) {
      expect(held({ answer: 'C', conf }, 'stated')).toEqual({ beliefs: [0, 0, 1, 0], vote: 2 })
    }
  })

  test('given does not read samples, nor samples the given beliefs', () => {
    expect(held({ answer: 'B', samples: ['A'] }, 'given')).toEqual({ beliefs: [0, 1, 0, 0], vote: 1 })
    expect(held({ answer: 'B', beliefs: given }, 'samples')).toEqual({ beliefs: [0, 1, 0, 0], vote: 1 })
  })
})

describe('without an answer', () => {
  test('an agent abstains: uniform beliefs, no vote, even with a stated confidence in nothing', () => {
    for (const elicitation of ['given', 'samples', 'stated', 'vote'] as const) {
      expect(held({ conf: { verbal: 0.9 } }, elicitation)).toEqual({ beliefs: uniform, vote: -1 })
    }
    expect(held({}, 'vote', ['A'])).toEqual({ beliefs: [1], vote: -1 })
  })

  test('given beliefs are no abstention: the agent votes for their maximum', () => {
    expect(held({ beliefs: given })).toEqual({ beliefs: [0.5, 0.25, 0.25, 0], vote: 0 })
    expect(held({ beliefs: { A: 1 } }, 'given', ['A'])).toEqual({ beliefs: [1], vote: 0 })
  })

  test('samples are no abstention either', () => {
    expect(held({ samples: ['C', 'A', 'C', null] }, 'samples')).toEqual({ beliefs: [1 / 3, 0, 2 / 3, 0], vote: 2 })
  })

  test('a tied maximum is no vote, but the beliefs stand', () => {
    expect(held({ beliefs: { A: 0.5, D: 0.5 } })).toEqual({ beliefs: [0.5, 0, 0, 0.5], vote: -1 })
    expect(held({ samples: ['C', 'A'] }, 'samples')).toEqual({ beliefs: [0.5, 0, 0.5, 0], vote: -1 })
    const { vote } = held({ beliefs: { A: 0.1 + 0.2, B: 0.3, C: 0.2, D: 0.2 } })
    expect(vote, 'equal on paper, unequal in the last bit').toBe(-1)
  })

  test('elicitations that read the answer alone see an abstention, whatever else was given', () => {
    expect(held({ beliefs: given }, 'vote')).toEqual({ beliefs: uniform, vote: -1 })
    expect(held({ beliefs: given, conf: { verbal: 0.9 } }, 'stated')).toEqual({ beliefs: uniform, vote: -1 })
  })
})

test('samples of which none could be read are an abstention', () => {
  expect(held({ samples: [null, null] }, 'samples')).toEqual({ beliefs: uniform, vote: -1 })
  expect(held({ answer: 'A', samples: [null] }, 'samples')).toEqual({ beliefs: uniform, vote: -1 })
})
