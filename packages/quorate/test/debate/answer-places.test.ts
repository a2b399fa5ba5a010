import { describe, expect, test } from 'vitest'
import { answerPlaces } from '../../src/debate/answer-places.ts'
import { logprobBeliefs } from '../../src/debate/logprob-beliefs.ts'
import { locateAnswer } from '../../src/debate/parse-answer.ts'
import type { ModelReply } from '../../src/model/model.ts'
import { CAPITALS } from './corpus/case.ts'

/** A reply of these tokens; `B 0.7 A 0.3` stands for a place with alternatives. */
function replyOf(tokens: readonly string[]): ModelReply {
  const logprobs = tokens.map((token) => {
    const [chosen = '', share = '1', other, rest = '0'] = token.split('|')
    const alternatives = [{ token: chosen, logprob: Math.log(Number(share)) }]
    return other === undefined ? alternatives : [...alternatives, { token: other, logprob: Math.log(Number(rest)) }]
  })
  const text = logprobs.map((place) => place[0]?.token ?? '').join('')
  return { text, finish: 'stop', usage: null, servedModel: null, logprobs, warnings: [] }
}

function beliefsOf(reply: ModelReply, shown: readonly string[] = []): readonly number[] | null {
  const located = locateAnswer(reply.text, { ...CAPITALS, shown })
  const { parsed } = located
  const answer = parsed.kind === 'answer' ? CAPITALS.options.findIndex(({ name }) => name === parsed.option) : null
  return logprobBeliefs(answerPlaces(reply, located), CAPITALS.options, answer)
}

describe('the places of an answer', () => {
  test('are all of a reply that is a name alone', () => {
    expect(beliefsOf(replyOf([' B|0.7|A|0.3']))?.[1]).toBeCloseTo(0.7, 12)
    expect(beliefsOf(replyOf(['Lon|0.7|Par|0.3', 'don']))).toBeNull()
  })

  test('are those of the answer, not of its name in a quotation after it', () => {
    const tokens = ['<answer>', 'B|0.6|A|0.4', '</answer>', '\n> ', 'bob said ', 'B|0.9|A|0.1', '.']
    expect(beliefsOf(replyOf(tokens))?.[1]).toBeCloseTo(0.6, 12)
  })

  test('are those of the answer, not of its name in a quotation before it', () => {
    const tokens = ['> ', 'B|0.9|A|0.1', '\n\n', 'Answer:', ' B|0.6| A|0.4']
    expect(beliefsOf(replyOf(tokens))?.[1]).toBeCloseTo(0.6, 12)
  })

  test('are those of the answer where others are quoted in words that were shown', () => {
    const bob = 'All maps agree on it. Answer: B'
    const tokens = ['Answer: ', 'B|0.6|A|0.4', '\n\nbob wrote: ', 'All maps agree on it.', ' Answer: ', 'B|0.9|A|0.1']
    expect(beliefsOf(replyOf(tokens), [bob])?.[1]).toBeCloseTo(0.6, 12)
  })

  test('are none where a reply begins with a quotation and gives no answer', () => {
    expect(beliefsOf(replyOf(['"', 'A|0.9|B|0.1', '" is what bob said.']))).toBeNull()
    expect(beliefsOf(replyOf(['> ', 'A|0.9|B|0.1', '\nI am not convinced.']))).toBeNull()
    expect(beliefsOf(replyOf(['<answer>', 'A|0.9|B|0.1', '</answer><answer>', 'B', '</answer>']))).toBeNull()
  })

  test('are the first where the word that was sampled is no option', () => {
    expect(beliefsOf(replyOf(['The|0.6|B|0.4']))?.[1]).toBe(1)
  })

  test('are found behind marks that a tokeniser puts for a space, and not where the tokens are another text', () => {
    const reply = replyOf(['Answer', ':', '▁B|0.6|▁A|0.4'])
    expect(beliefsOf({ ...reply, text: 'Answer: B' })?.[1]).toBeCloseTo(0.6, 12)
    expect(beliefsOf({ ...reply, text: 'So my answer: B' })).toBeNull()
  })
})
