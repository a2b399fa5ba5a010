import { hasLabel, isRightAt, readDebates } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import type { AgentCall } from '../../src/debate/ask.ts'
import { loadPrompts } from '../../src/debate/load-prompts.ts'
import { runDebate } from '../../src/debate/run-debate.ts'
import { membersOf, representatives } from '../../src/record/open-answers.ts'
import type { Question } from '../../src/record/question.ts'
import { answerOptions, answersSchema } from '../../src/record/task.ts'
import { panelOf, replyOf, scriptedAsk } from './scripted-ask.ts'

const answers = answersSchema.parse({ kind: 'number', absTol: 0.5, classes: 4 })
const panel = (names: readonly string[], changes = {}) =>
  panelOf(names, { answers, prompts: loadPrompts({}, undefined, true), ...changes })
const QUESTION: Question = {
  id: 'q1',
  question: 'How many legs have three spiders?',
  options: answerOptions(answers, { seed: 1, questionId: 'q1' }),
  gold: null,
  goldText: '24',
  group: null,
}

function marked({ messages }: AgentCall, answer: string, confidence?: number) {
  const code = /<answer-([\da-f]{8})>/u.exec(messages.at(-1)?.content ?? '')?.[1] ?? ''
  const more = confidence === undefined ? '' : `<confidence-${code}>${confidence}</confidence-${code}>`
  return replyOf(`<reasoning>It follows.</reasoning><answer-${code}>${answer}</answer-${code}>${more}`)
}

const SAID: Readonly<Record<string, readonly string[]>> = {
  ada: ['24', '24.2'],
  bob: ['18', '24'],
  cy: ['24.1', 'no idea'],
}

async function debated() {
  const { ask, calls } = scriptedAsk((call) => marked(call, SAID[call.agent]?.[call.round - 1] ?? ''))
  const outcome = await runDebate({ question: QUESTION, panel: panel(['ada', 'bob', 'cy']), ask, seed: 1 })
  if (outcome.kind !== 'complete') throw new Error(outcome.kind)
  return { debate: outcome.debate, calls }
}

describe('a debate of open answers', () => {
  test('puts answers into classes by first appearance and keeps their texts', async () => {
    const { debate } = await debated()
    expect(debate.rounds.map((turns) => turns.map(({ answer, answer_text }) => [answer, answer_text]))).toEqual([
      [
        ['1', '24'],
        ['2', '18'],
        ['1', '24.1'],
      ],
      [
        ['1', '24.2'],
        ['1', '24'],
        [null, null],
      ],
    ])
    expect(debate.options).toEqual(['1', '2', '3', '4', 'other'])
    expect([...representatives(debate.rounds)]).toEqual([
      ['1', '24'],
      ['2', '18'],
    ])
    expect(membersOf(debate.rounds).get('1')).toEqual(['24', '24.1', '24.2'])
  })

  test('is labelled by the right answer in words, which no prompt shows', async () => {
    const { debate, calls } = await debated()
    expect([debate.gold, debate.gold_text, debate.correct]).toEqual([null, '24', ['1']])
    expect(hasLabel(debate)).toBe(true)
    const { debates } = readDebates([debate])
    expect(debates.map((read) => [isRightAt(read, 1), isRightAt(read, 2)])).toEqual([[true, true]])
    const wrong = await runDebate({
      question: { ...QUESTION, goldText: '99' },
      panel: panel(['ada']),
      ask: scriptedAsk((call) => marked(call, '24')).ask,
      seed: 1,
    })
    expect(wrong.debate.correct).toEqual([])
    // No prompt shows a class, an option or the right answer.
    for (const { messages } of calls) {
      expect(messages[0]?.content).toContain('The answer is a number.')
      expect(messages[0]?.content).not.toMatch(/other|option/u)
    }
  })

  test('asks once more if a reply has no answer, and one class too many is an abstention', async () => {
    const { ask, calls } = scriptedAsk((call) =>
      marked(call, { a: '1', b: '2', c: '3', d: '4', e: '5' }[call.agent] ?? '', 70),
    )
    const outcome = await runDebate({
      question: QUESTION,
      panel: panel(['a', 'b', 'c', 'd', 'e'], { rounds: 1, elicitation: 'stated', answers: { ...answers, absTol: 0 } }),
      ask,
      seed: 1,
    })
    expect(outcome.debate.rounds[0]?.map(({ answer }) => answer)).toEqual(['1', '2', '3', '4', null])
    expect(calls).toHaveLength(5)
    const stubborn = scriptedAsk((call) => marked(call, 'many'))
    const given = await runDebate({
      question: QUESTION,
      panel: panel(['a'], { rounds: 1 }),
      ask: stubborn.ask,
      seed: 1,
    })
    expect([given.debate.rounds[0]?.[0]?.answer, stubborn.calls.length]).toEqual([null, 2])
  })

  test('reads a number without tags, and a text only between its tags', async () => {
    const bare = (replied: string, kind: object) =>
      runDebate({
        question: QUESTION,
        panel: panel(['a'], { rounds: 1, answers: answersSchema.parse(kind) }),
        ask: scriptedAsk(() => replyOf(replied)).ask,
        seed: 1,
      })
    expect((await bare('24', { kind: 'number' })).debate.rounds[0]?.[0]).toMatchObject({
      answer: '1',
      answer_text: '24',
    })
    expect((await bare('Paris', { kind: 'text' })).debate.rounds[0]?.[0]).toMatchObject({
      answer: null,
      answer_text: null,
    })
  })

  test('a later round cannot change the class of an earlier answer', async () => {
    const { debate } = await debated()
    const first = await runDebate({
      question: QUESTION,
      panel: panel(['ada', 'bob', 'cy'], { rounds: 1 }),
      ask: scriptedAsk((call) => marked(call, SAID[call.agent]?.[0] ?? '')).ask,
      seed: 1,
    })
    expect(first.debate.rounds[0]?.map(({ answer }) => answer)).toEqual(debate.rounds[0]?.map(({ answer }) => answer))
  })

  test.each(['samples', 'logprobs'] as const)('%s is refused', async (elicitation) => {
    const { ask } = scriptedAsk((call) => marked(call, '1'))
    await expect(runDebate({ question: QUESTION, panel: panel(['a'], { elicitation }), ask, seed: 1 })).rejects.toThrow(
      /panel\.elicitation must be vote or stated for open answers/u,
    )
  })
})
