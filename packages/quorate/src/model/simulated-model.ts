import { seededRandom, sha256 } from '@quorate/certificate'
import { AGENTS } from '../simulated/panel.ts'
import { recogniseQuestion } from '../simulated/questions/recognise-question.ts'
import { type SpokenTurn, simulateSpeech } from '../simulated/simulate-debate.ts'
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
  /** Every call draws its answer from the agent's beliefs, by the seed of its settings; else the likeliest is given. */
  readonly isDrawn?: boolean
}

/** Longest debate that is played. */
const MOST_ROUNDS = 32
const CHARACTERS_PER_TOKEN = 4

/**
 * An agent of the demo's panel behind the interface of a real one. All agents of a question derive the same debate from
 * the seed and its text, and each says its own part of it: what they say over the rounds fits together although each
 * call sees only its messages. Log-probabilities, where they are asked for, are the agent's beliefs. Tokens are counted as
 * four characters each; nothing is charged.
 */
export function simulatedModel({ agent, seed, isDrawn = false }: SimulatedModelOptions): Model {
  const id = `simulated/${agent}`
  if (!AGENTS.some(({ name }) => name === agent)) {
    throw new ModelSetupError(id, `there is no such solver; choose ${AGENTS.map(({ name }) => name).join(', ')}`)
  }
  return {
    id,
    provider: 'simulated',
    hosts: [],
    ...(isDrawn ? { variant: 'drawn' } : {}),
    async call({ messages, settings, signal }) {
      if (signal.aborted) throw abortedError(id, signal, 'no')
      const question = readAskedQuestion(messages)
      const spoken = question === null ? null : spokenDebate(question, seed)
      if (spoken === null) throw notSimulated(id, question)
      const heard = messages.flatMap(({ role, content }) => (role === 'user' ? [content] : [])).join('\n')
      const latest = Math.min(MOST_ROUNDS, 1 + lastRoundNamed(heard))
      const debate = spoken(latest)
      const round = isDrawn ? latest : roundAsked(heard, debate)
      const said = isDrawn ? drawnAnswer(debate, { agent, round, seed: settings.seed ?? 0 }) : undefined
      const text = replyText(debate, { agent, round, ...(said === undefined ? {} : { said }) })
      const logprobs =
        settings.topLogprobs === null ? null : logprobsOf(text, debate, { agent, round }, settings.topLogprobs)
      return reply(agent, { text, logprobs }, messages)
    },
  }
}

/** What every agent says in every round, as texts; `null` answers are abstentions. */
interface SpokenDebate {
  readonly rounds: readonly (readonly SpokenTurn[])[]
  readonly question: AskedQuestion
  /** Options in the order of the beliefs. */
  readonly letters: readonly string[]
}

interface Place {
  readonly agent: string
  /** From 1. */
  readonly round: number
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
  return (rounds) => ({
    question,
    letters,
    rounds: simulateSpeech(seededRandom(start), known.family, { letters, rounds }),
  })
}

/** 0 where none is. */
function lastRoundNamed(heard: string): number {
  return Math.max(0, ...[...heard.matchAll(/<reasoning>Round (\d{1,2})\. /g)].map(([, round]) => Number(round)))
}

/** One more than the latest round whose words stand in the prompt: from round 2 on it quotes the round before. */
function roundAsked(heard: string, debate: SpokenDebate): number {
  for (let round = debate.rounds.length - 1; round >= 1; round--) {
    const isHeard = debate.rounds[round - 1]?.some(
      ({ turn: { agent, answer } }) => answer !== null && heard.includes(replyText(debate, { agent, round })),
    )
    if (isHeard) return round + 1
  }
  return 1
}

/** What a place says in the debate, or `said` in place of its answer; null is an abstention. */
function replyText(debate: SpokenDebate, place: Place & { readonly said?: string | null }): string {
  const { agent, round } = place
  const turn = turnOf(debate, place)?.turn
  const answer = place.said === undefined ? (turn?.answer ?? null) : place.said
  if (answer === null) return 'I lost the thread here and cannot settle on one of the options.'
  const textOf = (name: string) => debate.question.options.find((option) => option.name === name)?.text ?? name
  const before = turnOf(debate, { agent, round: round - 1 })?.turn.answer ?? null
  const confidence = turn?.conf?.verbal ?? 0.5
  return [
    `<reasoning>Round ${round}. ${reasoning(round, textOf(answer), before === null ? null : textOf(before))}</reasoning>`,
    `<answer>${answer}</answer>`,
    `<confidence>${Math.round(100 * confidence)}</confidence>`,
  ].join('\n')
}

function turnOf({ rounds }: SpokenDebate, { agent, round }: Place): SpokenTurn | undefined {
  return rounds[round - 1]?.find(({ turn }) => turn.agent === agent)
}

/** One answer of several to the same question: the same seed draws the same one. */
function drawnAnswer(debate: SpokenDebate, { agent, round, seed }: Place & { readonly seed: number }): string | null {
  const { letters, question } = debate
  const random = seededRandom(Number.parseInt(sha256(`${seed}\n${agent}\n${round}\n${question.text}`).slice(0, 8), 16))
  const { abstains = 0 } = AGENTS.find(({ name }) => name === agent) ?? {}
  if (random() < abstains) return null
  let left = random()
  const { belief = [] } = turnOf(debate, { agent, round }) ?? {}
  const index = belief.findIndex((share) => {
    left -= share
    return left < 0
  })
  // Rounding may leave a crumb beyond the last share.
  return letters[index < 0 ? letters.length - 1 : index] ?? null
}

/** Three tokens: what stands before the answer, the answer with its alternatives, what stands after it. */
function logprobsOf(text: string, debate: SpokenDebate, place: Place, top: number): ModelReply['logprobs'] {
  const [, before, answer, after] = /^([\s\S]*<answer>)([A-Z])(<\/answer>[\s\S]*)$/.exec(text) ?? []
  if (before === undefined || answer === undefined || after === undefined) return [[{ token: text, logprob: 0 }]]
  const { belief = [] } = turnOf(debate, place) ?? {}
  const all = debate.letters.map((token, index) => ({ token, logprob: Math.log(belief[index] ?? 0) }))
  const chosen = all.filter(({ token }) => token === answer)
  const others = all.filter(({ token }) => token !== answer).sort((a, b) => b.logprob - a.logprob)
  const alternatives = [...chosen, ...others].slice(0, Math.max(1, top))
  return [[{ token: before, logprob: 0 }], alternatives, [{ token: after, logprob: 0 }]]
}

function reasoning(round: number, result: string, before: string | null): string {
  if (round === 1) return `Working through the question on my own, I arrive at ${result}.`
  if (before === null) return `With the other answers before me, I arrive at ${result}.`
  if (before === result) return `I went through it again beside the other answers and stay with ${result}.`
  return `The other answers made me look again: it is ${result}, not ${before}.`
}

function reply(
  agent: string,
  { text, logprobs }: Pick<ModelReply, 'text' | 'logprobs'>,
  messages: readonly Message[],
): ModelReply {
  const asked = messages.reduce((sum, { content }) => sum + content.length, 0)
  const usage = {
    inputTokens: Math.ceil(asked / CHARACTERS_PER_TOKEN),
    outputTokens: Math.ceil(text.length / CHARACTERS_PER_TOKEN),
  }
  return { text, finish: 'stop', usage, servedModel: agent, logprobs, warnings: [] }
}

function notSimulated(id: string, question: AskedQuestion | null): ModelError {
  const reason = question === null ? 'the prompt has no <question>' : 'this question was not drawn by the simulator'
  const message = `${id}: ${reason}; simulated agents answer only the demo's questions`
  return new ModelError('request', message, { charged: 'no' })
}
