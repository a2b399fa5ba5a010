import { readDebate } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import type { AgentAnswer, AgentCall } from '../../src/debate/ask.ts'
import type { PanelPlan } from '../../src/debate/panel.ts'
import { runDebate } from '../../src/debate/run-debate.ts'
import { panelOf, QUESTION, replyOf, scriptedAsk } from './scripted-ask.ts'

async function turnOf(changes: Partial<PanelPlan>, script: (call: AgentCall) => AgentAnswer) {
  const { ask, calls } = scriptedAsk(script)
  const { debate } = await runDebate({
    question: QUESTION,
    panel: panelOf(['alice'], { rounds: 1, ...changes }),
    ask,
    seed: 3,
  })
  // Whatever is elicited, the certificate's door takes it.
  readDebate(JSON.parse(JSON.stringify(debate)))
  return { turn: debate.rounds[0]?.[0], calls }
}

describe('elicitation', () => {
  test('by vote keeps no confidence, even one that was stated', async () => {
    const { turn } = await turnOf({}, () => replyOf('<answer>B</answer><confidence>80</confidence>'))
    expect(turn).toMatchObject({ answer: 'B', beliefs: null })
    expect(turn?.conf).toBeUndefined()
  })

  test('stated keeps the confidence, null where it cannot be read', async () => {
    const { turn } = await turnOf({ elicitation: 'stated' }, () =>
      replyOf('<answer>B</answer><confidence>80%</confidence>'),
    )
    expect(turn).toMatchObject({ answer: 'B', conf: { verbal: 0.8 } })
    const { turn: vague, calls } = await turnOf({ elicitation: 'stated' }, () => replyOf('<answer>B</answer>'))
    expect(vague).toMatchObject({ answer: 'B', conf: { verbal: null } })
    expect(calls).toHaveLength(1)
  })

  test('by samples asks so many times at once and answers with the most frequent', async () => {
    const said = ['A', 'C', 'C']
    const { turn, calls } = await turnOf({ elicitation: 'samples', samples: 3 }, ({ repeat }) =>
      replyOf(`${repeat}: <answer>${said[repeat]}</answer>`),
    )
    expect(calls.map(({ repeat }) => repeat)).toEqual([0, 1, 2])
    expect(new Set(calls.map(({ settings }) => settings.seed)).size).toBe(3)
    expect(turn).toMatchObject({ answer: 'C', samples: ['A', 'C', 'C'], text: '1: <answer>C</answer>' })
    expect(turn?.usage).toEqual({ inputTokens: 30, outputTokens: 6 })
  })

  test('by samples reminds each repeat on its own, and a tie is no answer', async () => {
    const said = ['A', 'C', '?']
    const { turn, calls } = await turnOf({ elicitation: 'samples', samples: 3 }, ({ repeat }) =>
      replyOf(said[repeat] ?? ''),
    )
    expect(calls.filter(({ isReminder }) => isReminder).map(({ repeat }) => repeat)).toEqual([2])
    expect(turn).toMatchObject({ answer: null, samples: ['A', 'C', null] })
  })

  test('by logprobs asks for them and turns them into beliefs by name', async () => {
    const logprobs = [
      [
        { token: ' B', logprob: Math.log(0.6) },
        { token: 'C', logprob: Math.log(0.2) },
      ],
    ]
    const { turn, calls } = await turnOf({ elicitation: 'logprobs' }, () =>
      replyOf(' B', { finish: 'length', logprobs }),
    )
    expect(calls[0]?.settings.topLogprobs).toBe(20)
    expect(turn?.answer).toBe('B')
    expect(turn?.beliefs).toEqual({ A: 0, B: expect.closeTo(0.75, 12), C: expect.closeTo(0.25, 12) })
  })

  test('by logprobs answers by the one maximum where the sampled word is no option, without a reminder', async () => {
    const logprobs = [
      [
        { token: 'The', logprob: Math.log(0.5) },
        { token: 'C', logprob: Math.log(0.3) },
        { token: 'A', logprob: Math.log(0.1) },
      ],
    ]
    const { turn, calls } = await turnOf({ elicitation: 'logprobs' }, () =>
      replyOf('The', { finish: 'length', logprobs }),
    )
    expect(calls).toHaveLength(1)
    expect(turn).toMatchObject({ answer: 'C' })
  })

  test('by logprobs is a vote where the provider gives none', async () => {
    const { turn } = await turnOf({ elicitation: 'logprobs' }, () => replyOf('B'))
    expect(turn).toMatchObject({ answer: 'B', beliefs: null })
  })
})
