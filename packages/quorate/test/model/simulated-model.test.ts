import { describe, expect, test } from 'vitest'
import type { Message } from '../../src/model/model.ts'
import { simulatedModel } from '../../src/model/simulated-model.ts'
import { AGENTS, ROUNDS } from '../../src/simulated/panel.ts'
import type { SimulatedDebate } from '../../src/simulated/simulate-debate.ts'
import { simulatePanel } from '../../src/simulated/simulate-panel.ts'
import { modelErrorFrom, requestOf } from './requests.ts'

const SEED = 11
const COUNT = 1500
const questions = simulatePanel({ seed: 20260103, count: COUNT })
const models = AGENTS.map(({ name }) => simulatedModel({ agent: name, seed: SEED }))

/** The question as the prompts of a debate show it. */
function prompt({ question, options }: SimulatedDebate, received: readonly string[] = []): string {
  const lines = Object.entries(options).map(([name, text]) => `${name}: ${text}`)
  const given = received.map((text) => `<response-1f2e3d4c>\n${text}\n</response-1f2e3d4c>`)
  return `Choose.\n<question>${question}\n\n${lines.join('\n')}</question>\n${given.join('\n')}\nReturn: <answer-1f2e3d4d>...<confidence-1f2e3d4d>`
}

/** Asks all agents round by round. Each prompt quotes the previous round. */
async function play(question: SimulatedDebate, rounds = ROUNDS): Promise<string[][]> {
  const played: string[][] = []
  for (let round = 1; round <= rounds; round++) {
    const text = prompt(question, played.at(-1))
    played.push(await Promise.all(models.map(async (model) => (await model.call(requestOf(text))).text)))
  }
  return played
}

const answerOf = (text: string) => /<answer-1f2e3d4d>(\w)<\/answer-1f2e3d4d>/.exec(text)?.[1] ?? null
const debates = await Promise.all(questions.map(async (question) => ({ question, rounds: await play(question) })))

describe('simulated agents behind the interface of models', () => {
  test('give the same reply again, and another one under another seed', async () => {
    const [first] = questions
    if (first === undefined) throw new Error('no question')
    expect(await play(first)).toEqual(await play(first))
    const texts = questions.slice(0, 20).map((question) => requestOf(prompt(question)))
    const [one, other] = [simulatedModel({ agent: 'ada', seed: 1 }), simulatedModel({ agent: 'ada', seed: 2 })]
    const given = async (model: typeof one) => Promise.all(texts.map(async (text) => (await model.call(text)).text))
    expect(await given(one)).not.toEqual(await given(other))
  })

  test('know their round from the replies that they see, also beyond the usual four', async () => {
    for (const question of questions.slice(0, 30)) {
      const rounds = await play(question, 7)
      for (const [index, texts] of rounds.entries()) {
        for (const text of texts.filter((given) => answerOf(given) !== null))
          expect(text).toContain(`Round ${index + 1}.`)
      }
      expect(rounds.slice(0, ROUNDS)).toEqual(await play(question))
    }
  })

  test('answer, abstain, agree and are right as often as the panel that is simulated directly', () => {
    const drawn = simulatePanel({ seed: 20260104, count: COUNT })
    const direct = drawn.map(({ gold, rounds }) => ({
      gold,
      rounds: rounds.map((turns) => turns.map(({ answer }) => answer)),
    }))
    const asked = debates.map(({ question, rounds }) => ({
      gold: question.gold,
      rounds: rounds.map((texts) => texts.map(answerOf)),
    }))
    for (const round of [0, ROUNDS - 1]) {
      for (const measure of [rightShare, unanimousShare, abstainedShare]) {
        // Twice 1,500 debates: four standard errors of a difference of shares near one half are 0.073.
        expect(Math.abs(measure(direct, round) - measure(asked, round))).toBeLessThan(0.05)
      }
    }
    expect(unanimousShare(asked, ROUNDS - 1)).toBeGreaterThan(unanimousShare(asked, 0) + 0.05)
  })

  test('abstain in words that no parser takes for an answer, again when reminded', async () => {
    const found = debates.find(({ rounds }) => answerOf(rounds[0]?.[2] ?? '') === null)
    const text = found?.rounds[0]?.[2] ?? ''
    expect(text).not.toMatch(/[<>]/)
    if (found === undefined) throw new Error('nobody abstained')
    const messages: Message[] = [
      { role: 'user', content: prompt(found.question) },
      { role: 'assistant', content: text },
      { role: 'user', content: 'Your answer could not be read.' },
    ]
    expect((await models[2]?.call({ ...requestOf(''), messages }))?.text).toBe(text)
  })

  test('sample an answer by its seed if asked to, each as often as they believe in it', async () => {
    const drawn = simulatedModel({ agent: 'ada', seed: SEED, isSampled: true })
    let changed = 0
    let asked = 0
    for (const question of questions.slice(0, 40)) {
      const text = prompt(question)
      const probable = await models[0]?.call(requestOf(text, { topLogprobs: 20, seed: 1 }))
      const [place = []] = probable?.logprobs ?? []
      if (place.length === 1) continue
      const seeds = Array.from({ length: 50 }, (_, seed) => seed)
      const texts = await Promise.all(seeds.map(async (seed) => (await drawn.call(requestOf(text, { seed }))).text))
      expect((await drawn.call(requestOf(text, { seed: 7 }))).text).toBe(texts[7])
      const mode = place[0]?.token
      if (mode === undefined) continue
      asked += seeds.length * (1 - Math.exp(place[0]?.logprob ?? 0))
      changed += texts.filter((given) => answerOf(given) !== mode && answerOf(given) !== null).length
    }
    // Expected are about `asked` answers that are not the likeliest one, of 2,000; ada abstains once in a hundred.
    expect(changed).toBeGreaterThan(0.8 * asked)
    expect(changed).toBeLessThan(1.2 * asked)
    expect(asked).toBeGreaterThan(100)
  })

  test('know their round also if every answer is sampled', async () => {
    const panel = AGENTS.map(({ name }) => simulatedModel({ agent: name, seed: SEED, isSampled: true }))
    const [question] = questions
    if (question === undefined) throw new Error('no question')
    let received: string[] = []
    for (let round = 1; round <= 4; round++) {
      const text = prompt(question, received)
      received = await Promise.all(
        panel.map(async (model) => (await model.call(requestOf(text, { seed: round }))).text),
      )
      for (const given of received.filter((one) => answerOf(one) !== null)) expect(given).toContain(`Round ${round}.`)
    }
  })

  test('give their beliefs as log-probabilities: the tokens spell the reply, the answer is the likeliest of its place', async () => {
    for (const { question } of debates.slice(0, 30)) {
      const reply = await models[1]?.call(requestOf(prompt(question), { topLogprobs: 3 }))
      const places = reply?.logprobs ?? []
      expect(places.map(([chosen]) => chosen?.token).join('')).toBe(reply?.text)
      const [alternatives = []] = places
      if (alternatives.length === 1) continue
      expect(alternatives).toHaveLength(3)
      expect(alternatives[0]?.token).toBe(reply?.text)
      const masses = alternatives.map(({ logprob }) => Math.exp(logprob))
      expect(Math.max(...masses)).toBe(masses[0])
      expect(masses.reduce((sum, mass) => sum + mass, 0)).toBeLessThanOrEqual(1 + 1e-12)
    }
  })

  test.each([
    ['Hello.', /no <question>/],
    [
      '<question>What is the capital of France?\n\nA: Paris\nB: Lyon</question>',
      /the simulator did not make this question/,
    ],
  ])('refuse what is not theirs: %s', async (text, message) => {
    const error = await modelErrorFrom(simulatedModel({ agent: 'ada', seed: 1 }).call(requestOf(text)))
    expect(error).toMatchObject({ kind: 'request', charged: 'no' })
    expect(error.message).toMatch(message)
  })
})

interface Played {
  readonly gold: string
  readonly rounds: readonly (readonly (string | null)[])[]
}

function rightShare(played: readonly Played[], round: number): number {
  return mean(played.map(({ gold, rounds }) => mean((rounds[round] ?? []).map((answer) => (answer === gold ? 1 : 0)))))
}

function unanimousShare(played: readonly Played[], round: number): number {
  return mean(played.map(({ rounds }) => (new Set(rounds[round]).size === 1 ? 1 : 0)))
}

function abstainedShare(played: readonly Played[], round: number): number {
  return mean(played.map(({ rounds }) => mean((rounds[round] ?? []).map((answer) => (answer === null ? 1 : 0)))))
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
