import type { AgentTurn, Random } from '@quorate/certificate'
import { shuffled } from './draws.ts'
import { beliefOf, firstMinds, type Mind, nextMinds } from './minds.ts'
import { ROUNDS, TALK } from './panel.ts'
import { drawQuestion, type Family } from './questions/draw-question.ts'

/** A debate in the interchange format, with the text of its question. */
export interface SimulatedDebate {
  readonly quorate: 1
  readonly id: string
  readonly group: Family
  readonly question: string
  readonly options: Readonly<Record<string, string>>
  readonly gold: string
  readonly rounds: readonly (readonly AgentTurn[])[]
}

const LETTERS = ['A', 'B', 'C', 'D'] as const

/** One question and what the panel says about it in each round. */
export function simulateDebate(random: Random, id: string, family: Family): SimulatedDebate {
  const { question, right, lure, others } = drawQuestion(random, family)
  const letters = shuffled(random, LETTERS)
  const texts = [right, lure, ...others].map((text, index) => [letters[index] ?? '', text] as const)
  return {
    quorate: 1,
    id,
    group: family,
    question,
    options: Object.fromEntries(texts.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    gold: letters[0] ?? '',
    rounds: simulateRounds(random, family, { letters, rounds: ROUNDS }),
  }
}

/** What the panel says in each round; `letters` are the names of the right option, the lure and the other two. */
export function simulateRounds(
  random: Random,
  family: Family,
  { letters, rounds: count }: { readonly letters: readonly string[]; readonly rounds: number },
): AgentTurn[][] {
  return simulateSpeech(random, family, { letters, rounds: count }).map((turns) => turns.map(({ turn }) => turn))
}

/** A turn and the beliefs behind it, in the order of the letters. An abstention has beliefs too. */
export interface SpokenTurn {
  readonly turn: AgentTurn
  readonly belief: readonly number[]
}

export function simulateSpeech(
  random: Random,
  family: Family,
  { letters, rounds: count }: { readonly letters: readonly string[]; readonly rounds: number },
): SpokenTurn[][] {
  const own = (mind: Mind): SpokenTurn => ({ turn: turnOf(random, mind, letters), belief: beliefOf(mind) })
  let minds = firstMinds(random, family)
  const rounds = [minds.map(own)]
  while (rounds.length < count) {
    minds = nextMinds(random, minds)
    rounds.push(minds.map((mind) => (random() < TALK.contrary ? contrary(mind, letters) : own(mind))))
  }
  return rounds
}

function contrary(mind: Mind, letters: readonly string[]): SpokenTurn {
  const turn = contraryTurn(mind, letters)
  const rest = (1 - TALK.contraryConfidence) / (letters.length - 1)
  return { turn, belief: letters.map((letter) => (letter === turn.answer ? TALK.contraryConfidence : rest)) }
}

function turnOf(random: Random, mind: Mind, letters: readonly string[]): AgentTurn {
  if (random() < mind.agent.abstains) return { agent: mind.agent.name, answer: null, beliefs: null }
  const belief = beliefOf(mind)
  const most = Math.max(...belief)
  return stated(mind, letters[belief.indexOf(most)] ?? null, most)
}

/** For one round the agent argues for the lure, or for the right answer if it believed the lure. */
function contraryTurn(mind: Mind, letters: readonly string[]): AgentTurn {
  const [right = 0, lure = 0] = beliefOf(mind)
  return stated(mind, letters[right > lure ? 1 : 0] ?? null, TALK.contraryConfidence)
}

function stated({ agent }: Mind, answer: string | null, confidence: number): AgentTurn {
  return { agent: agent.name, answer, beliefs: null, conf: { verbal: Math.round(confidence * 20) / 20 } }
}
