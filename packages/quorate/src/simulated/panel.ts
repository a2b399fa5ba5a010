import type { Family } from './questions/draw-question.ts'

/** One fallible agent. Leanings are log-odds throughout. */
export interface SimulatedAgent {
  readonly name: string
  /** How much of the evidence for an option reaches this agent. */
  readonly skill: number
  /** Standard deviation of what it misreads in a question. */
  readonly noise: number
  /** Below 1 it states more confidence than it has, above 1 less. */
  readonly temperature: number
  /** Chance that a turn has no readable answer. */
  readonly abstains: number
}

// The numbers below were chosen by hand, from what the profiles do on seeds 2, 3, 5, 7, 11, 13, 17 and 19, so that the
// demo has a bit of everything to show. They illustrate the method. They are not evidence for it.

export const ROUNDS = 4

/** Strong and candid; middling and sure of itself; weaker and cautious. */
export const AGENTS: readonly SimulatedAgent[] = Object.freeze([
  { name: 'ada', skill: 1.1, noise: 0.9, temperature: 1, abstains: 0.01 },
  { name: 'bob', skill: 1, noise: 1.1, temperature: 0.7, abstains: 0.02 },
  { name: 'cleo', skill: 0.9, noise: 1.1, temperature: 1.2, abstains: 0.03 },
])

/** Chance that a question of the family is a trap, where the usual mistake looks about as good as the answer. */
export const TRAPS: Readonly<Record<Family, number>> = Object.freeze({
  arithmetic: 0.48,
  calendar: 0.56,
  counting: 0.52,
  ordering: 0.38,
  puzzles: 0.9,
  units: 0.44,
})

/** The evidence for an option, sampled for each question: mean and standard deviation. */
export const APPEAL = Object.freeze({
  /** The right option of a plain question, over the others. */
  plain: { mean: 5.2, spread: 1.6 },
  /** The right option of a trap. */
  trap: { mean: 1.6, spread: 0.7 },
  /** The lure of a trap, over its right option. */
  lead: { mean: -0.15, spread: 1.1 },
  /** The same in families whose lure nearly everybody falls for. */
  strongLead: { mean: 3, spread: 1 },
})

export const STRONGLY_LURING: readonly Family[] = Object.freeze(['puzzles'])

/** How the panel moves from one round to the next. */
export const TALK = Object.freeze({
  /** Share of the way to what the panel said in the round before. */
  pull: 0.45,
  /** Standard deviation of new misreadings. */
  noise: 0.35,
  /** Chance that an agent finds a proof in round 1, on its own. */
  insightAlone: 0.18,
  /** Chance that an agent finds a proof in each later round. */
  insightInTalk: 0.03,
  /** Chance that a proof supports the right option and not the lure. */
  soundness: 0.98,
  /** What a proof adds to the leaning towards its option. */
  proof: 6,
  /** Chance that an agent accepts a proof that another found in the round before. */
  acceptance: 0.9,
  /** Chance that an agent argues the other side for one round. */
  contrary: 0.06,
  /** The confidence that it then states. */
  contraryConfidence: 0.7,
})
