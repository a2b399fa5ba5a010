import type { Random } from '@quorate/certificate'

/**
 * How the agents of a twin think, round by round. Leanings are log-odds in units of one agent's misreading of a
 * question. An agent believes the softmax of its leanings over its temperature.
 */
export interface TwinParameters {
  /**
   * Mean and standard deviation over questions of the clarity: the evidence for the truth over the lure. If it is far
   * below zero, the lure convinces everyone, as the truth does if it is far above.
   */
  readonly clarityMean: number
  readonly claritySpread: number
  /** How far the other options are below the middle between truth and lure. */
  readonly plainGap: number
  /**
   * Probability that an agent, in its first reading, takes some wrong option for the truth and the truth for that
   * option.
   */
  readonly slip: number
  /** Share of the way that an agent moves each round towards the log of the social belief. */
  readonly pull: number
  /** Extra weight on the social belief beyond what an agent gave up, since hearing agreement makes it surer. */
  readonly boost: number
  /** Drift of every agent towards the truth in each round of debate. */
  readonly insight: number
  /** Standard deviation of new misreadings in each round of debate. */
  readonly talkNoise: number
  /** A higher temperature gives a lower stated confidence at the same leanings. */
  readonly temperature: number
  /**
   * Standard deviation over questions of the log of the panel's tone, a factor on the temperature of all its agents:
   * how sure a panel sounds, whatever is true. At 0, confidence reveals everything that the agents know.
   */
  readonly toneSpread: number
  /**
   * Stated confidences are multiples of one over this. The agents are the same on every benchmark, and so is this
   * number.
   */
  readonly statedSteps: number
  /** Added to the clarity of a subgroup's questions, in the order of the targets; mean zero over questions. */
  readonly groupOffsets: readonly number[]
}

/** Factors by which the agents differ, the same in all twins: one reads better, one is surer. */
export const AGENTS = [
  { name: 'agent-1', skill: 1.1, noise: 0.9, temperature: 1.1 },
  { name: 'agent-2', skill: 1, noise: 1, temperature: 1 },
  { name: 'agent-3', skill: 0.9, noise: 1.1, temperature: 0.9 },
] as const

/** Indices of the options in leanings and beliefs. All from the third on are plain. */
export const TRUTH = 0
export const LURE = 1

/** Leanings and beliefs of all agents in one round, row by row. */
export interface Minds {
  readonly leanings: Float64Array
  readonly beliefs: Float64Array
  readonly optionCount: number
  /** Includes the tone of this panel. */
  readonly temperature: number
}

export interface TwinQuestion {
  readonly clarity: number
  readonly optionCount: number
  /** A factor on the temperature; above 1 the panel sounds less sure. */
  readonly tone: number
}

/** Uniform numbers in [0, 1) and standard normal ones. */
export interface Chance {
  readonly uniform: Random
  readonly normal: () => number
}

/** Round 1: each agent reads the question alone, through its own noise. */
export function firstMinds(question: TwinQuestion, parameters: TwinParameters, { uniform, normal }: Chance): Minds {
  const { optionCount, clarity, tone } = question
  const appeal = new Float64Array(optionCount).fill(-parameters.plainGap)
  appeal[TRUTH] = clarity / 2
  appeal[LURE] = -clarity / 2
  const leanings = new Float64Array(AGENTS.length * optionCount)
  for (const [row, { skill, noise }] of AGENTS.entries()) {
    const isSlip = uniform() < parameters.slip
    const mistaken = 1 + Math.floor(uniform() * (optionCount - 1))
    for (let option = 0; option < optionCount; option++) {
      const read = isSlip && option === TRUTH ? mistaken : isSlip && option === mistaken ? TRUTH : option
      leanings[row * optionCount + option] = skill * appeal[read]! + noise * normal()
    }
  }
  return mindsWith(leanings, optionCount, tone * parameters.temperature)
}

/** Every later round moves towards what the panel said, right or wrong, a little towards the truth, and adds new noise. */
export function nextMinds(minds: Minds, parameters: TwinParameters, { normal }: Chance): Minds {
  const { leanings, optionCount, temperature } = minds
  const { pull, boost, insight, talkNoise } = parameters
  const heard = logSocialBelief(minds)
  const next = leanings.map((leaning, place) => {
    const option = place % optionCount
    const drift = option === TRUTH ? insight : 0
    return (1 - pull) * leaning + (pull + boost) * temperature * heard[option]! + drift + talkNoise * normal()
  })
  return mindsWith(next, optionCount, temperature)
}

/** Adds the beliefs: for each agent the softmax of its leanings over its temperature. */
function mindsWith(leanings: Float64Array, optionCount: number, temperature: number): Minds {
  const beliefs = new Float64Array(leanings.length)
  for (const [row, agent] of AGENTS.entries()) {
    const own = leanings.subarray(row * optionCount, (row + 1) * optionCount)
    const most = largest(own)
    let total = 0
    for (let option = 0; option < optionCount; option++) {
      const weight = Math.exp((own[option]! - most) / (temperature * agent.temperature))
      beliefs[row * optionCount + option] = weight
      total += weight
    }
    for (let option = 0; option < optionCount; option++) beliefs[row * optionCount + option]! /= total
  }
  return { leanings, beliefs, optionCount, temperature }
}

/** Keeps the logarithm finite if every agent rules an option out. */
const LEAST_BELIEF = 1e-6

/** Log of the mean belief relative to its largest, so that leanings stay log-odds against the leading option. */
function logSocialBelief({ beliefs, optionCount }: Minds): Float64Array {
  const logs = new Float64Array(optionCount)
  for (let option = 0; option < optionCount; option++) {
    let sum = 0
    for (let row = 0; row < AGENTS.length; row++) sum += beliefs[row * optionCount + option]!
    logs[option] = Math.log(Math.max(LEAST_BELIEF, sum / AGENTS.length))
  }
  const most = largest(logs)
  return logs.map((log) => log - most)
}

function largest(values: Float64Array): number {
  let most = -Infinity
  for (const value of values) if (value > most) most = value
  return most
}
