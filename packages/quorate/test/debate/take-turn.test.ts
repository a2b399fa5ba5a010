import { parseDebate } from '@quorate/certificate'
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
  // The certificate's reader accepts every elicited turn.
  parseDebate(JSON.parse(JSON.stringify(debate)))
  return { turn: debate.rounds[0]?.[0], calls }
}

/** A reply in the tags that a call asks for. */
function marked({ messages }: AgentCall, answer: string, confidence: string | null = null): AgentAnswer {
  const code = /<answer-([0-9a-f]{8})>/u.exec(messages[0]?.content ?? '')?.[1]
  const stated = confidence === null ? '' : `<confidence-${code}>${confidence}</confidence-${code}>`
  return replyOf(`<answer-${code}>${answer}</answer-${code}>${stated}`)
}

describe('elicitation', () => {
  test('by vote keeps no confidence, even one that was stated', async () => {
    const { turn } = await turnOf({}, (call) => marked(call, 'B', '80'))
    expect(turn).toMatchObject({ answer: 'B', beliefs: null })
    expect(turn?.conf).toBeUndefined()
  })

  test('stated keeps the confidence', async () => {
    const { turn, calls } = await turnOf({ elicitation: 'stated' }, (call) => marked(call, 'B', '80%'))
    expect(turn).toMatchObject({ answer: 'B', conf: { verbal: 0.8 } })
    expect(calls).toHaveLength(1)
  })

  test('stated reminds of a confidence that is missing, and keeps the answer without one after that', async () => {
    const mute = await turnOf({ elicitation: 'stated' }, (call) => marked(call, 'B'))
    expect(mute.turn).toMatchObject({ answer: 'B', conf: { verbal: null } })
    expect(mute.calls.map(({ isReminder }) => isReminder)).toEqual([false, true])
    const reminded = await turnOf({ elicitation: 'stated' }, (call) =>
      marked(call, 'B', call.isReminder ? '80' : 'quite sure'),
    )
    expect(reminded.turn).toMatchObject({ answer: 'B', conf: { verbal: 0.8 } })
  })

  test('sends a schema to a model with structured output, and reads only what follows it', async () => {
    const agents = [{ name: 'alice', model: 'openai/gpt-4.1-mini', temperature: 0.7, maxOutputTokens: 99 }]
    const { turn, calls } = await turnOf({ elicitation: 'stated', agents }, ({ isReminder }) =>
      replyOf(isReminder ? '{"reasoning":"Tiber.","answer":"C","confidence":70}' : '<answer>B</answer>'),
    )
    expect(calls).toHaveLength(2)
    for (const { settings, messages } of calls) {
      expect(settings.schema).toMatchObject({ properties: { answer: { enum: ['A', 'B', 'C'] } } })
      expect(messages.at(-1)?.content).toContain('JSON object')
    }
    expect(turn).toMatchObject({ answer: 'C', conf: { verbal: 0.7 } })
  })

  test.each(['vote', 'stated', 'samples', 'logprobs'] as const)(
    'by %s sends no schema to a model without structured output',
    async (elicitation) => {
      const { calls } = await turnOf({ elicitation }, (call) => marked(call, 'B', '80'))
      expect(calls[0]?.settings.schema).toBeNull()
    },
  )

  test('by samples asks so many times at once and answers with the most frequent', async () => {
    const given = ['A', 'C', 'C']
    const { turn, calls } = await turnOf({ elicitation: 'samples', samples: 3 }, (call) =>
      marked(call, given[call.repeat] ?? ''),
    )
    expect(calls.map(({ repeat }) => repeat)).toEqual([0, 1, 2])
    expect(new Set(calls.map(({ settings }) => settings.seed)).size).toBe(3)
    expect(turn).toMatchObject({ answer: 'C', samples: ['A', 'C', 'C'], text: expect.stringMatching(/>C</u) })
    expect(turn?.usage).toEqual({ inputTokens: 30, outputTokens: 6 })
  })

  test('by samples reminds each repeat on its own, and a tie is no answer', async () => {
    const given = ['A', 'C', '?']
    const { turn, calls } = await turnOf({ elicitation: 'samples', samples: 3 }, ({ repeat }) =>
      replyOf(given[repeat] ?? ''),
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

  test('by logprobs answers with the likeliest option if the sampled word is no option, without a reminder', async () => {
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

  test('by logprobs is a vote if the provider returns none', async () => {
    const { turn } = await turnOf({ elicitation: 'logprobs' }, () => replyOf('B'))
    expect(turn).toMatchObject({ answer: 'B', beliefs: null })
  })
})
