import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Random, sha256 } from '@quorate/certificate'
import { type FakeProvider, type FakeProviderOptions, startFakeProvider } from '../fake-provider/fake-provider.ts'
import { FAULTS } from '../fake-provider/faults.ts'
import type { Chat } from '../fake-provider/formats.ts'
import { inForm } from '../fake-provider/in-form.ts'
import { replyTag, withoutTags } from '../fake-provider/reply-tag.ts'
import { PLANTED_KEY } from '../run/provider-folder.ts'
import { temporaryFolder } from '../store/temporary-folder.ts'

/** Keys for the three providers. */
export const CHAOS_KEYS = {
  ANTHROPIC_API_KEY: PLANTED_KEY,
  OPENAI_API_KEY: PLANTED_KEY,
  FAKE_KEY: PLANTED_KEY,
} as const

/** Three agents behind two API formats. Prices are in micro-dollars per million tokens, none of them a whole dollar. */
export const CHAOS_AGENTS = [
  { name: 'ann', model: 'anthropic/claude-haiku-4-5', apiKeyEnv: undefined, input: 1_250_000, output: 5_100_000 },
  { name: 'bob', model: 'openai-compatible/qwen3-32b', apiKeyEnv: 'FAKE_KEY', input: 150_000, output: 601_000 },
  { name: 'cy', model: 'openai/gpt-4.1-mini', apiKeyEnv: undefined, input: 402_000, output: 1_603_000 },
] as const

export const ROUNDS = 4

/** For a machine that is busy with other things: on two idle cores the longest takes about a minute. */
export const CHAOS_TIMEOUT_MS = 10 * 60_000

const OPTIONS = ['A', 'B', 'C', 'D'] as const

/** One request in ten fails, in any of the possible ways. Replies name the request that they answer. */
export function startChaos(options: FakeProviderOptions = {}): Promise<FakeProvider> {
  return startFakeProvider({
    ignoresSeed: true,
    seed: 20,
    faultRate: 0.1,
    faults: FAULTS,
    latencyMs: 10,
    answer: fallibleAnswer,
    ...options,
  })
}

export interface ChaosFolder {
  readonly questions: number
  /** Number of the first question. */
  readonly from?: number
  readonly concurrency?: number
  readonly folder?: string
  /** After this time without a reply a call is sent again. */
  readonly timeoutMs?: number
}

/** A folder with questions and a config whose agents are at this address. */
export function chaosFolder(url: string, setup: ChaosFolder): string {
  const { questions, from = 0, concurrency = 32, folder = temporaryFolder(), timeoutMs = 500 } = setup
  writeFileSync(join(folder, 'questions.jsonl'), questionLines(from, questions))
  const agents = CHAOS_AGENTS.map(({ name, model, apiKeyEnv }) => ({
    name,
    model,
    apiKeyEnv,
    baseURL: `${url}/v1`,
    maxOutputTokens: 64,
  }))
  const prices = Object.fromEntries(
    CHAOS_AGENTS.map(({ model, input, output }) => [
      model,
      { inputUsdPerMillion: input / 1e6, outputUsdPerMillion: output / 1e6 },
    ]),
  )
  const limits = { concurrency, timeoutMs, maxCostUsd: null }
  const config = { panel: { rounds: ROUNDS, agents }, budget: { beta: 0.2 }, limits, prices }
  writeFileSync(join(folder, 'quorate.config.json'), JSON.stringify(config))
  return folder
}

export function questionLines(from: number, count: number): string {
  const lines = Array.from({ length: count }, (_, index) => {
    const number = from + index
    return `${JSON.stringify({ id: `q${number}`, question: `Which letter has number ${number}?`, options: OPTIONS, gold: goldOf(number) })}\n`
  })
  return lines.join('')
}

/** Labelled debates of such a panel, to calibrate on. */
export function debateLines(count: number, random: Random): string {
  const turn = (agent: string, gold: string) => {
    const answer = random() < 0.2 ? OPTIONS[Math.floor(random() * OPTIONS.length)] : gold
    return { agent, answer, beliefs: null, conf: { verbal: (50 + Math.floor(random() * 50)) / 100 } }
  }
  const lines = Array.from({ length: count }, (_, number) => {
    const gold = goldOf(number)
    const rounds = Array.from({ length: ROUNDS }, () => CHAOS_AGENTS.map(({ name }) => turn(name, gold)))
    return `${JSON.stringify({ id: `labelled ${number}`, options: OPTIONS, gold, rounds })}\n`
  })
  return lines.join('')
}

function goldOf(number: number): string {
  return OPTIONS[number % OPTIONS.length] ?? 'A'
}

/**
 * A model that is right four times in five. Its reply follows from the prompt and repeats a digest of it, so no two places of a
 * debate have the same prompt.
 */
function fallibleAnswer(chat: Chat, serial: number): string {
  const number = Number(/number (\d+)\?/.exec(chat.text)?.[1] ?? 0)
  const digest = sha256(`${chat.model}\n${withoutTags(chat.text)}`)
  const draw = Number.parseInt(digest.slice(0, 8), 16)
  const letter = draw % 5 === 0 ? OPTIONS[draw % 4] : goldOf(number)
  const reasoning = `It follows from ${digest.slice(0, 12)}. ${replyTag(serial)}`
  return inForm(chat.text, { reasoning, answer: letter, confidence: 50 + (draw % 50) }, chat.isStructured)
}
