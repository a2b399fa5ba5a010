import { seededRandom, sha256 } from '@quorate/certificate'
import { AGENTS } from '../simulated/panel.ts'
import { recogniseQuestion } from '../simulated/questions/recognise-question.ts'
import { type SpokenTurn, simulateSpeech } from '../simulated/simulate-debate.ts'
import { recogniseTicket, TICKET_LABELS } from '../simulated/tickets.ts'
import { abortedError } from './aborted-error.ts'
import type { Message, Model, ModelReply } from './model.ts'
import { ModelError } from './model-error.ts'
import { ModelSetupError } from './model-setup-error.ts'
import {
  type AskedForm,
  inAskedForm,
  type PromptedQuestion,
  readAskedForm,
  readAskedQuestion,
} from './prompted-question.ts'

export interface SimulatedModelOptions {
  /** The agent: `ada`, `bob` or `cleo`. */
  readonly agent: string
  /** Agents with the same seed form a panel that hears each other. An integer in [0, 2^32). */
  readonly seed: number
  /** True: every call samples its answer from the agent's beliefs, by the seed of its settings. False: the likeliest answer. */
  readonly isSampled?: boolean
}

/** The longest debate that is simulated. */
const MOST_ROUNDS = 32
const CHARACTERS_PER_TOKEN = 4

/**
 * An agent of the demo's panel behind the interface of a real model. All agents of a question derive the same debate
 * from the seed and the text, and each gives its own part of it. So their answers over the rounds fit together although
 * each call sees only its messages. Log-probabilities, if requested, are the agent's beliefs. Tokens are counted as
 * four characters each, and nothing is charged.
 */
export function simulatedModel({ agent, seed, isSampled = false }: SimulatedModelOptions): Model {
  const id = `simulated/${agent}`
  if (!AGENTS.some(({ name }) => name === agent)) {
    throw new ModelSetupError(id, `unknown solver, not one of ${AGENTS.map(({ name }) => name).join(', ')}`)
  }
  return {
    id,
    provider: 'simulated',
    hosts: [],
    ...(isSampled ? { variant: 'drawn' } : {}),
    async call({ messages, settings, signal }) {
      if (signal.aborted) throw abortedError(id, signal, 'no')
      const question = readAskedQuestion(messages)
      const spoken = question === null ? null : spokenDebate(question, seed)
      if (spoken === null) throw notSimulated(id, question)
      const asked = messages.flatMap(({ role, content }) => (role === 'user' ? [content] : [])).join('\n')
      const round = Math.min(MOST_ROUNDS, roundAsked(asked))
      const debate = spoken(round)
      const place = { agent, round }
      const answer = isSampled
        ? sampledAnswer(debate, { ...place, seed: settings.seed ?? 0 })
        : (turnOf(debate, place)?.turn.answer ?? null)
      const isAlone = settings.topLogprobs !== null
      const text = replyText(debate, place, answer, isAlone, readAskedForm(messages))
      const logprobs = isAlone ? logprobsOf(text, debate, place, settings.topLogprobs ?? 0) : null
      return reply(agent, text, logprobs, messages)
    },
  }
}

/** What every agent says in every round. A `null` answer is an abstention. */
interface SpokenDebate {
  readonly rounds: readonly (readonly SpokenTurn[])[]
  readonly question: PromptedQuestion
  /** Options in the order of the beliefs. */
  readonly letters: readonly string[]
}

interface SimulatedPlace {
  readonly agent: string
  /** From 1. */
  readonly round: number
}

/** The debate about a question, for any number of rounds. More rounds do not change the earlier ones. */
function spokenDebate(question: PromptedQuestion, seed: number): ((rounds: number) => SpokenDebate) | null {
  const known = recogniseQuestion(question.text)
  if (known === null) return spokenTicket(question, seed)
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

/** Tickets are as hard as questions of this family. */
const TICKET_FAMILY = 'ordering'

/** The debate about a sample ticket, if the prompt has the sample labels. */
function spokenTicket(question: PromptedQuestion, seed: number): ((rounds: number) => SpokenDebate) | null {
  const ticket = recogniseTicket(question.text)
  if (ticket === null || !TICKET_LABELS.every((name) => question.text.includes(name))) return null
  const { body, right, lure } = ticket
  const letters = [right, lure, ...TICKET_LABELS.filter((name) => name !== right && name !== lure)]
  const start = Number.parseInt(sha256(`${seed}\n${body}`).slice(0, 8), 16)
  return (rounds) => ({
    question,
    letters,
    rounds: simulateSpeech(seededRandom(start), TICKET_FAMILY, { letters, rounds }),
  })
}

/** The round that the prompt states, else one more than the latest round that it quotes. */
function roundAsked(asked: string): number {
  const stated = /^This is round (\d{1,2})\./m.exec(asked)?.[1]
  if (stated !== undefined) return Number(stated)
  return 1 + Math.max(0, ...[...asked.matchAll(/<reasoning>Round (\d{1,2})\. /g)].map(([, round]) => Number(round)))
}

/** `answer`: null for an abstention. `isAlone`: whether the reply is only the answer. */
function replyText(
  debate: SpokenDebate,
  { agent, round }: SimulatedPlace,
  answer: string | null,
  isAlone: boolean,
  form: AskedForm | null,
): string {
  if (answer === null) return 'I lost the thread here and cannot settle on one of the options.'
  if (isAlone) return answer
  const textOf = (name: string) => debate.question.options.find((option) => option.name === name)?.text ?? name
  const before = turnOf(debate, { agent, round: round - 1 })?.turn.answer ?? null
  const confidence = turnOf(debate, { agent, round })?.turn.conf?.verbal ?? 0.5
  const argued = reasoning(round, textOf(answer), before === null ? null : textOf(before))
  return [
    `<reasoning>Round ${round}. ${argued}</reasoning>`,
    inAskedForm(form, answer, String(Math.round(100 * confidence))),
  ].join('\n')
}

function turnOf({ rounds }: SpokenDebate, { agent, round }: SimulatedPlace): SpokenTurn | undefined {
  return rounds[round - 1]?.find(({ turn }) => turn.agent === agent)
}

/** One of several answers to the same question. The same seed gives the same answer. */
function sampledAnswer(
  debate: SpokenDebate,
  { agent, round, seed }: SimulatedPlace & { readonly seed: number },
): string | null {
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
  // Rounding may leave a small rest after the last share.
  return letters[index < 0 ? letters.length - 1 : index] ?? null
}

/** The log-probabilities of one token: the answer with its alternatives. */
function logprobsOf(text: string, debate: SpokenDebate, place: SimulatedPlace, top: number): ModelReply['logprobs'] {
  if (!debate.letters.includes(text)) return [[{ token: text, logprob: 0 }]]
  const { belief = [] } = turnOf(debate, place) ?? {}
  const all = debate.letters.map((token, index) => ({ token, logprob: Math.log(belief[index] ?? 0) }))
  const chosen = all.filter(({ token }) => token === text)
  const others = all.filter(({ token }) => token !== text).sort((a, b) => b.logprob - a.logprob)
  return [[...chosen, ...others].slice(0, Math.max(1, top))]
}

function reasoning(round: number, result: string, before: string | null): string {
  if (round === 1) return `Working through the question on my own, I arrive at ${result}.`
  if (before === null) return `With the other answers before me, I arrive at ${result}.`
  if (before === result) return `I went through it again beside the other answers and stay with ${result}.`
  return `The other answers made me look again: it is ${result}, not ${before}.`
}

function reply(
  agent: string,
  text: string,
  logprobs: ModelReply['logprobs'],
  messages: readonly Message[],
): ModelReply {
  const asked = messages.reduce((sum, { content }) => sum + content.length, 0)
  const usage = {
    inputTokens: Math.ceil(asked / CHARACTERS_PER_TOKEN),
    outputTokens: Math.ceil(text.length / CHARACTERS_PER_TOKEN),
  }
  return { text, finish: 'stop', usage, servedModel: agent, logprobs, warnings: [] }
}

function notSimulated(id: string, question: PromptedQuestion | null): ModelError {
  const reason = question === null ? 'the prompt has no <question>' : 'the simulator did not make this question'
  const message = `${id}: ${reason}. Simulated agents answer only the questions of the demo and the samples of quorate init`
  return new ModelError('request', message, { charged: 'no' })
}
