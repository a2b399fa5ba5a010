import { expect, test } from 'vitest'
import { createPanel, openStore, type PanelOptions } from '../../src/index.ts'
import { askedQuestion } from '../../src/review/reviewed-question.ts'
import { answerLines } from '../../src/run/exchange/answer-lines.ts'

const AGENTS = ['ada', 'bob', 'cleo']
const numbersIn = (text: string) => /What is (\d+) \+ (\d+)/u.exec(text)?.slice(1).map(Number) ?? [0, 0]

/** Three adders; one writes decimals, and on hard questions (left above 9,000) all differ. */
function answer(agent: number) {
  return async ({ messages }: { readonly messages: readonly { readonly content: string }[] }) => {
    const [left = 0, right = 0] = numbersIn(messages[0]?.content ?? '')
    if (left > 9000) return String(left + right + agent)
    return agent === 1 ? `${left + right}.0` : String(left + right)
  }
}

test('open answers are calibrated by their text, returned as given, reviewed by class, and exported as given', async () => {
  const store = await openStore('sqlite::memory:')
  const options = {
    store,
    config: {
      answers: { kind: 'number' },
      panel: { rounds: 1, beliefs: 'vote', agents: AGENTS.map((name) => ({ name, model: `function/${name}` })) },
      budget: { beta: 0.1 },
      review: { spotCheckRate: 0 },
      prices: Object.fromEntries(
        AGENTS.map((name) => [`function/${name}`, { inputUsdPerMillion: 0, outputUsdPerMillion: 0 }]),
      ),
    },
    models: Object.fromEntries(AGENTS.map((name, at) => [name, answer(at)])),
  } satisfies PanelOptions
  const labelled = Array.from({ length: 120 }, (_, at) => ({
    id: `l${at}`,
    question: `What is ${at} + 5?`,
    gold: `${at + 5}`,
  }))
  const first = await createPanel(options)
  const { runId } = await first.run(labelled, { kind: 'debate' })
  const certificate = await first.calibrate(runId)
  await first.close()
  expect(certificate.canAct).toBe(true)

  const panel = await createPanel({ ...options, certificate })
  const easy = await panel.decide({ id: 'easy', question: 'What is 4711 + 289?' })
  expect(easy).toMatchObject({ kind: 'act', answer: '1', answerText: '5000' })
  const hard = await panel.decide({ id: 'hard', question: 'What is 9001 + 1?' })
  expect(hard.kind).toBe('defer')
  const item = await askedQuestion(store, { runId: hard.runId, questionId: 'hard' })
  expect(item.options).toEqual([])
  expect(item.classes).toEqual([
    { name: '1', texts: ['9002'] },
    { name: '2', texts: ['9003'] },
    { name: '3', texts: ['9004'] },
  ])
  const lines = []
  for await (const line of answerLines(store, { format: 'jsonl', run: null })) lines.push(JSON.parse(line))
  expect(lines.map(({ id, answer: given }) => [id, given])).toEqual([
    ['easy', '5000'],
    ['hard', null],
  ])
  await panel.close()
  // An answer that is not a number is refused with its field.
  const strict = await createPanel(options)
  await expect(strict.run([{ id: 'x', question: 'What is 1 + 1?', gold: 'two' }], { kind: 'debate' })).rejects.toThrow(
    /gold must be a number, got "two"/u,
  )
  await strict.close()
  await store.close()
})
