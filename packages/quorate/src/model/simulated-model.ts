import { type AgentTurn, seededRandom, sha256 } from '@quorate/certificate'
import { AGENTS } from '../simulated/panel.ts'
import { recogniseQuestion } from '../simulated/questions/recognise-question.ts'
import { simulateRounds } from '../simulated/simulate-debate.ts'
import { abortedError } from './aborted-error.ts'
import { type AskedQuestion, readAskedQuestion } from './asked-question.ts'
import type { Message, Model, ModelReply } from './model.ts'
import { ModelError } from './model-error.ts'
import { ModelSetupError } from './model-setup-error.ts'

export interface SimulatedModelOptions {
  /** Which fallible solver: `ada`, `bob` or `cleo`. */
  readonly agent: string
  /** Agents with one seed are one panel: they hear each other. An integer in [0, 2^32). */
  readonly seed: number
}

/** Longest debate that is played. */
const MOST_ROUNDS = 32
const CHARACTERS_PER_TOKEN = 4

/**
 * An agent of the demo's panel behind the interface of a real one. All agents of a question derive the same debate from
 * the seed and its text, and each says its own part of it: what they say over the rounds fits together although each
 * call sees only its messages. Tokens are counted as four characters each; nothing is charged.
 */
export function simulatedModel({ agent, seed }: SimulatedModelOptions): Model {
  const id = `simulated/${agent}`
  if (!AGENTS.some(({ name }) => name === agent)) {
    throw new ModelSetupError(id, `there is no such solver; choose ${AGENTS.map(({ name }) => name).join(', ')}`)
  }
  return {
    id,
    provider: 'simulated',
    hosts: [],
    async call({ messages, signal }) {
      if (signal.aborted) throw abortedError(id, signal, 'no')
      const question = readAskedQuestion(messages)
      const spoken = question === null ? null : spokenDebate(question, seed)
      if (spoken === null) throw notSimulated(id, question)
      const heard = messages.flatMap(({ role, content }) => (role === 'user' ? [content] : [])).join('\n')
      const debate = spoken(Math.min(MOST_ROUNDS, 1 + lastRoundNamed(heard)))
      return reply(agent, replyText(debate, agent, roundAsked(heard, debate)), messages)
    },
  }
}

/** What every agent says in every round, as texts; `null` answers are abstentions. */
interface SpokenDebate {
  readonly rounds: readonly (readonly AgentTurn[])[]
  readonly question: AskedQuestion
}

/** The debate on a question, to any number of rounds: more rounds change nothing about the earlier ones. */
function spokenDebate(question: AskedQuestion, seed: number): ((rounds: number) => SpokenDebate) | null {
  const known = recogniseQuestion(question.text)
  if (known === null) return null
  const nameOf = (text: string) => question.options.find((option) => option.text === text)?.name
  const [right, lure] = [nameOf(known.question.right), nameOf(known.question.lure)]
  if (right === undefined || lure === undefined || question.options.length !== 4) return null
  const others = question.options.map(({ name }) => name).filter((name) => name !== right && name !== lure)
  const letters = [right, lure, ...others]
  const start = Number.parseInt(sha256(`${seed}\n${question.text}`).slice(0, 8), 16)
  return (rounds) => ({ question, rounds: simulateRounds(seededRandom(start), known.family, { letters, rounds }) })
}

/** 0 where none is. */
function lastRoundNamed(heard: string): number {
  return Math.max(0, ...[...heard.matchAll(/<reasoning>Round (\d{1,2})\. /g)].map(([, round]) => Number(round)))
}

/** One more than the latest round whose words stand in the prompt: from round 2 on it quotes the round before. */
function roundAsked(heard: string, debate: SpokenDebate): number {
  for (let round = debate.rounds.length - 1; round >= 1; round--) {
    const isHeard = debate.rounds[round - 1]?.some(
      ({ agent, answer }) => answer !== null && heard.includes(replyText(debate, agent, round)),
    )
    if (isHeard) return round + 1
  }
  return 1
}

function replyText(debate: SpokenDebate, agent: string, round: number): string {
  const turn = turnOf(debate, agent, round)
  if (turn === undefined || turn.answer === null)
    return 'I lost the thread here and cannot settle on one of the options.'
  const textOf = (name: string) => debate.question.options.find((option) => option.name === name)?.text ?? name
  const before = turnOf(debate, agent, round - 1)?.answer ?? null
  const confidence = turn.conf?.verbal ?? 0.5
  return [
    `<reasoning>Round ${round}. ${reasoning(round, textOf(turn.answer), before === null ? null : textOf(before))}</reasoning>`,
    `<answer>${turn.answer}</answer>`,
    `<confidence>${Math.round(100 * confidence)}</confidence>`,
  ].join('\n')
}

function turnOf({ rounds }: SpokenDebate, agent: string, round: number): AgentTurn | undefined {
  return rounds[round - 1]?.find((turn) => turn.agent === agent)
}

function reasoning(round: number, result: string, before: string | null): string {
  if (round === 1) return `Working through the question on my own, I arrive at ${result}.`
  if (before === null) return `With the other answers before me, I arrive at ${result}.`
  if (before === result) return `I went through it again beside the other answers and stay with ${result}.`
  return `The other answers made me look again: it is ${result}, not ${before}.`
}

function reply(agent: string, text: string, messages: readonly Message[]): ModelReply {
  const asked = messages.reduce((sum, { content }) => sum + content.length, 0)
  const usage = {
    inputTokens: Math.ceil(asked / CHARACTERS_PER_TOKEN),
    outputTokens: Math.ceil(text.length / CHARACTERS_PER_TOKEN),
  }
  return { text, finish: 'stop', usage, servedModel: agent, logprobs: null, warnings: [] }
}

function notSimulated(id: string, question: AskedQuestion | null): ModelError {
  const reason = question === null ? 'the prompt has no <question>' : 'this question was not drawn by the simulator'
  const message = `${id}: ${reason}; simulated agents answer only the demo's questions`
  return new ModelError('request', message, { charged: 'no' })
}
