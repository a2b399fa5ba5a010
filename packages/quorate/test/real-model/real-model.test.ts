import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DebateTurn } from '../../src/debate/debate-record.ts'
import { instanceSeed } from '../../src/debate/take-turn.ts'
import type { LoggedReply } from './chat-server.ts'
import { findModel } from './find-model.ts'
import { type ModelProcess, startModelProcess } from './model-process.ts'
import { PANEL_SEED } from './panel-folder.ts'
import { type PanelRun, runPanel } from './panel-run.ts'

const OPTIONS = ['A', 'B', 'C', 'D'] as const
const [QUESTIONS, FRESH, AGENTS, ROUNDS] = [12, 6, 2, 2]
const TOP_LOGPROBS = 20

const found = findModel()
const folder = mkdtempSync(join(tmpdir(), 'quorate-real-model-'))
let server: ModelProcess | undefined

beforeAll(async () => {
  if (found.kind === 'found') server = await startModelProcess(found.folder, folder)
})
afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

if (found.kind === 'absent') process.stderr.write(`a real model skipped: ${found.reason}\n`)

describe.skipIf(found.kind === 'absent')('a real model under logprobs, one token a reply', () => {
  const panel = panelRun('logprobs', { ann: 1, bob: 1 })
  everyPanel(panel)

  test('every belief is the softmax of the logits that the server logged, over the tokens of the options', () => {
    for (const { turn, replies } of turnsWithReplies(panel())) {
      const last = replies.at(-1)
      if (turn.beliefs === null || last === undefined) continue
      const expected = softmaxOverOptions(last)
      for (const [index, option] of OPTIONS.entries()) {
        expect(turn.beliefs[option], JSON.stringify(last)).toBeCloseTo(expected[index] ?? Number.NaN, 12)
      }
    }
  })

  test('beliefs sum to 1, differ from turn to turn and hold more than one option', () => {
    const all = turnsWithReplies(panel()).flatMap(({ turn }) => (turn.beliefs === null ? [] : [turn.beliefs]))
    // A turn has none where both its replies begin with a blank.
    expect(all.length).toBeGreaterThan(0.8 * QUESTIONS * AGENTS * ROUNDS)
    for (const beliefs of all) {
      const shares = Object.values(beliefs)
      expect(shares.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9)
    }
    const mixed = all.filter((beliefs) => Object.values(beliefs).filter((share) => share > 0).length > 1)
    expect(mixed.length).toBeGreaterThan(0.9 * all.length)
    expect(new Set(all.map((beliefs) => JSON.stringify(beliefs))).size).toBeGreaterThan(0.9 * all.length)
  })

  test('an answer is the word that the model drew, else the likeliest option', () => {
    for (const { turn, replies } of turnsWithReplies(panel())) {
      const drawn = OPTIONS.find((option) => option === replies.at(-1)?.text.trim().toUpperCase())
      if (drawn !== undefined) expect(turn.answer).toBe(drawn)
      else if (turn.beliefs === null) expect(turn.answer).toBeNull()
      else expect(turn.beliefs[turn.answer ?? '']).toBe(Math.max(...Object.values(turn.beliefs)))
    }
  })
})

describe.skipIf(found.kind === 'absent')('a real model under vote, up to 24 tokens a reply', () => {
  const panel = panelRun('vote', { ann: 1, bob: 24 })
  everyPanel(panel)

  test('the agent that says one word mostly votes, and with that word', () => {
    const own = turnsWithReplies(panel()).filter(({ turn }) => turn.agent === 'ann')
    const voted = own.filter(({ turn }) => turn.answer !== null)
    expect(voted.length).toBeGreaterThan(own.length / 2)
    for (const { turn, replies } of voted) expect(replies.at(-1)?.text.trim()).toBe(turn.answer)
  })

  test('the agent that rambles is asked once more, and then abstains where no answer can be read', () => {
    const own = turnsWithReplies(panel()).filter(({ turn }) => turn.agent === 'bob')
    const abstained = own.filter(({ turn }) => turn.answer === null)
    expect(abstained.length).toBeGreaterThan(0)
    for (const { replies } of abstained) expect(replies).toHaveLength(2)
    for (const { turn } of own) expect(turn.beliefs).toBeNull()
  })
})

/** What holds for any elicitation. */
function everyPanel(panel: () => PanelRun): void {
  test('every command ends well, and the config talks to the local server only', () => {
    const { results } = panel()
    const { calibrate, decide, ...others } = results
    // Twelve labels make a certificate that cannot act.
    expect([calibrate.code, decide.code]).toEqual([20, 20])
    for (const [name, { code, errors }] of Object.entries(others)) expect(code, `${name}: ${errors}`).toBe(0)
    expect(results.validate.json['hosts']).toEqual([new URL(server?.url ?? '').host])
    expect(results.debate.json['statuses']).toMatchObject({ done: QUESTIONS, pending: 0 })
  })

  test('every reply of the server is stored once, word for word, with its true counts of tokens', () => {
    const { calls, replies } = panel()
    const stored = calls.map(({ state, inputTokens, outputTokens, reply }) => ({
      state,
      inputTokens,
      outputTokens,
      text: reply.text,
      finish: reply.finish,
      servedModel: reply.servedModel,
      warnings: reply.warnings,
    }))
    const made = replies.map(({ text, finish, promptTokens, completionTokens, request }) => ({
      state: 'answered',
      inputTokens: promptTokens,
      outputTokens: completionTokens,
      text,
      finish,
      servedModel: request.model,
      warnings: [],
    }))
    expect(calls.length).toBeGreaterThanOrEqual(QUESTIONS * AGENTS * ROUNDS)
    expect(sorted(stored)).toEqual(sorted(made))
    for (const { completionTokens, request } of replies)
      expect(completionTokens).toBeLessThanOrEqual(request.max_tokens)
  })

  test('the second round repeats what both agents said in the first', () => {
    for (const { turn, round, replies, before } of turnsWithReplies(panel())) {
      if (round === 1) continue
      const asked = replies[0]?.request.messages[0]?.content ?? ''
      for (const { agent, text } of before) {
        const own = agent === turn.agent ? ' own="yes"' : ''
        expect(asked).toContain(`agent="${agent}"${own}>\n${text}\n`)
      }
    }
  })

  test('twelve labels are too few for a model that guesses: every question is deferred, and nobody is asked', () => {
    const { decisions, results } = panel()
    expect(results.calibrate.json['debates']).toBe(QUESTIONS)
    expect(decisions).toHaveLength(FRESH)
    for (const decision of decisions)
      expect(decision).toMatchObject({ kind: 'defer', reason: 'too-few-labels', path: [] })
  })

  test('with simulated labels under which the panel is right it is asked, and acts on real replies', () => {
    const { simulated, repliesForSimulated } = panel()
    expect(repliesForSimulated).toBeGreaterThanOrEqual(FRESH * AGENTS)
    expect(simulated).toHaveLength(FRESH)
    const acted = simulated.filter(({ kind }) => kind === 'act')
    expect(acted.length).toBeGreaterThan(0)
    for (const { answer, bound, round, path } of acted) {
      expect(OPTIONS).toContain(answer)
      expect(bound).toBeGreaterThanOrEqual(path[round - 1]?.threshold ?? Number.NaN)
    }
  })
}

function panelRun(beliefs: 'logprobs' | 'vote', maxOutputTokens: Readonly<Record<string, number>>): () => PanelRun {
  let panel: PanelRun | undefined
  beforeAll(async () => {
    if (server === undefined) throw new Error('the server did not start')
    panel = await runPanel(server, join(folder, beliefs), { beliefs, maxOutputTokens })
  })
  return () => {
    if (panel === undefined) throw new Error('the panel was not run')
    return panel
  }
}

interface TurnWithReplies {
  readonly turn: DebateTurn
  readonly round: number
  /** One, or two with a reminder, in their order. */
  readonly replies: readonly LoggedReply[]
  /** What was said in the round before. */
  readonly before: readonly DebateTurn[]
}

/** By the seed, which every place has of its own. */
function turnsWithReplies({ debates, replies }: PanelRun): readonly TurnWithReplies[] {
  const turns = debates.flatMap(({ id, rounds }) =>
    rounds.flatMap((given, index) =>
      given.map((turn) => {
        const seed = instanceSeed(PANEL_SEED, { questionId: id, agent: turn.agent, round: index + 1, repeat: 0 })
        const own = replies.filter(({ request }) => request.seed === seed)
        return { turn, round: index + 1, replies: own, before: rounds[index - 1] ?? [] }
      }),
    ),
  )
  expect(turns).toHaveLength(QUESTIONS * AGENTS * ROUNDS)
  expect(turns.flatMap((turn) => turn.replies)).toHaveLength(replies.length)
  return turns
}

/** From the logits alone: of the twenty largest and the one drawn those that are an option's letter, in any case. */
function softmaxOverOptions({ firstLogits, text }: LoggedReply): readonly number[] {
  const top = firstLogits.filter(({ token }, index) => index < TOP_LOGPROBS || token === text)
  const weights = OPTIONS.map((option) =>
    top
      .filter(({ token }) => token.trim().toUpperCase() === option)
      .reduce((sum, { logit }) => sum + Math.exp(logit - (top[0]?.logit ?? 0)), 0),
  )
  const total = weights.reduce((a, b) => a + b, 0)
  return weights.map((weight) => weight / total)
}

function sorted(values: readonly object[]): readonly string[] {
  return values.map((value) => JSON.stringify(value)).sort()
}
