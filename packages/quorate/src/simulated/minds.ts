import type { Random } from '@quorate/certificate'
import { normalDraw } from './draws.ts'
import { AGENTS, APPEAL, type SimulatedAgent, STRONGLY_LURING, TALK, TRAPS } from './panel.ts'
import type { Family } from './questions/draw-question.ts'

/** What one agent thinks in one round. Options: the right one first, then the lure, then the other two. */
export interface Mind {
  readonly agent: SimulatedAgent
  /** Log-odds of the options. */
  readonly leanings: readonly number[]
  /** The option that this agent's proof supports; null if it has none. */
  readonly proof: number | null
}

/**
 * Round 1: every agent reads the question alone, through its own noise. In a trap the usual mistake looks about as good
 * as the answer, so the agents split.
 */
export function firstMinds(random: Random, family: Family): Mind[] {
  const appeal = drawAppeal(random, family)
  return AGENTS.map((agent) => ({
    agent,
    leanings: appeal.map((value) => agent.skill * value + agent.noise * normalDraw(random)),
    proof: findProof(random, TALK.insightAlone),
  }))
}

/**
 * Every later round: the agents move towards what the panel said, right or wrong, which makes late agreement weaker evidence
 * than early agreement. From time to time an agent finds a proof, and most of the others accept it a round later.
 */
export function nextMinds(random: Random, minds: readonly Mind[]): Mind[] {
  const mean = meanBelief(minds)
  const shown = minds.find(({ proof }) => proof !== null)?.proof ?? null
  return minds.map(({ agent, leanings, proof }) => ({
    agent,
    leanings: leanings.map(
      (value, option) =>
        (1 - TALK.pull) * value + TALK.pull * Math.log(mean[option] ?? 0) + TALK.noise * normalDraw(random),
    ),
    proof: proof ?? (shown !== null && random() < TALK.acceptance ? shown : findProof(random, TALK.insightInTalk)),
  }))
}

/** Probabilities of the options as the agent would state them. */
export function beliefOf({ agent, leanings, proof }: Mind): number[] {
  const tilted = leanings.map((value, option) => (value + (option === proof ? TALK.proof : 0)) / agent.temperature)
  const most = Math.max(...tilted)
  const weights = tilted.map((value) => Math.exp(value - most))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / total)
}

/** The evidence for each option, before any agent misreads it. */
function drawAppeal(random: Random, family: Family): readonly number[] {
  const draw = ({ mean, spread }: { mean: number; spread: number }) => mean + spread * normalDraw(random)
  if (random() >= TRAPS[family]) return [draw(APPEAL.plain), 0, 0, 0]
  const truth = draw(APPEAL.trap)
  return [truth, truth + draw(STRONGLY_LURING.includes(family) ? APPEAL.strongLead : APPEAL.lead), 0, 0]
}

function findProof(random: Random, chance: number): number | null {
  if (random() >= chance) return null
  return random() < TALK.soundness ? 0 : 1
}

function meanBelief(minds: readonly Mind[]): number[] {
  const beliefs = minds.map(beliefOf)
  return (beliefs[0] ?? []).map((_, option) => {
    const total = beliefs.reduce((sum, belief) => sum + (belief[option] ?? 0), 0)
    return total / beliefs.length
  })
}
