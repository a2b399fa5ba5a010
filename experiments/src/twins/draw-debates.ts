import { type AgentTurn, type Debate, permutation, type Random, seededRandom } from '@quorate/certificate'
import {
  applyKnobs,
  drawFate,
  isUnanimous,
  type Knobs,
  resolveKnobs,
  type Spoken,
  type Statement,
  shiftedGroups,
} from './knobs.ts'
import {
  AGENTS,
  type Chance,
  firstMinds,
  type Minds,
  nextMinds,
  TRUTH,
  type TwinParameters,
  type TwinQuestion,
} from './latent-model.ts'
import { type OptionCounts, TARGETS, type TwinName } from './targets.ts'

export interface TwinOptions extends Partial<Knobs> {
  /** An integer in [0, 2^32). */
  readonly seed: number
  readonly beliefs: 'soft' | 'vote'
  /** Number of debates; by default as many as the benchmark has. */
  readonly count?: number
}

export const TWIN_ROUNDS = 4

/** The answers to one question, before its options have letters. */
export interface SpokenQuestion extends Spoken {
  readonly group: string | null
  readonly optionCount: number
  /** The letter of each option. */
  readonly letters: readonly string[]
}

/** Debates of a benchmark's twin under any parameters. */
export function drawDebates(name: TwinName, parameters: TwinParameters, options: TwinOptions): Debate[] {
  return drawSpoken(name, parameters, options).map((spoken, index) => {
    const id = `twin-${name}-${String(index + 1).padStart(5, '0')}`
    return { id, group: spoken.group, ...inLetters(spoken, options.beliefs) }
  })
}

/** The same debates as the model makes them, which a fit tries out. */
export function drawSpoken(
  name: TwinName,
  parameters: TwinParameters,
  options: Omit<TwinOptions, 'beliefs'>,
): SpokenQuestion[] {
  const target = TARGETS[name]
  const { seed, count = target.size } = options
  if (!(Number.isInteger(count) && count >= 1)) {
    throw new RangeError(`simulateTwin: count: expected an integer of at least 1, got ${count}`)
  }
  const knobs = resolveKnobs(options, target)
  const random = seededRandom(seed)
  const normal = normalDraws(random)
  const fates = seededRandom((seed ^ FATE_STREAM) >>> 0)
  const agreements = chanceFrom((seed ^ AGREEMENT_STREAM) >>> 0)
  const shifted = new Set<string | null>(shiftedGroups(target))
  return Array.from({ length: count }, (_, index) => {
    const place = drawPlace(
      target.subgroups.map(({ size }) => size),
      random,
    )
    const group = target.subgroups[place]?.name ?? null
    const optionCount = drawOptionCount(target.subgroups[place]?.options ?? target.options, random)
    const decline = knobs.drift * (index / Math.max(1, count - 1))
    const ease = parameters.clarityMean + (parameters.groupOffsets[place] ?? 0) - decline
    const question = drawQuestion({ ease, optionCount }, parameters, normal)
    const letters = Array.from(permutation(optionCount, random), (letter) => LETTERS[letter]!)
    const said = { gold: TRUTH, rounds: simulateRounds(question, parameters, { uniform: random, normal }) }
    const turn = {
      fate: drawFate(fates),
      optionCount,
      isShifted: shifted.has(group),
      drawAgreed: () => drawAgreed({ ease, optionCount }, parameters, agreements),
    }
    return { group, optionCount, letters, ...applyKnobs(said, knobs, turn) }
  })
}

const LETTERS = Array.from({ length: 18 }, (_, place) => String.fromCharCode('A'.charCodeAt(0) + place))
const FATE_STREAM = 0x7f4a7c15
const AGREEMENT_STREAM = 0x1b873593

function chanceFrom(seed: number): Chance {
  const uniform = seededRandom(seed)
  return { uniform, normal: normalDraws(uniform) }
}

/**
 * A source of standard normal numbers (Box and Muller 1958). Two numbers always cost two uniform ones. The same seed
 * thus gives each question the same random numbers under any parameters, which makes fits comparable.
 */
function normalDraws(random: Random): () => number {
  let kept: number | null = null
  return () => {
    if (kept !== null) {
      const second = kept
      kept = null
      return second
    }
    const radius = Math.sqrt(-2 * Math.log(1 - random()))
    const angle = 2 * Math.PI * random()
    kept = radius * Math.sin(angle)
    return radius * Math.cos(angle)
  }
}

interface Difficulty {
  readonly ease: number
  readonly optionCount: number
}

function drawQuestion({ ease, optionCount }: Difficulty, parameters: TwinParameters, normal: () => number) {
  const clarity = ease + parameters.claritySpread * normal()
  return { clarity, optionCount, tone: Math.exp(parameters.toneSpread * normal()) }
}

/** Draws other questions of the same ease until the panel agrees on one from the first round to the last. */
function drawAgreed(difficulty: Difficulty, parameters: TwinParameters, chance: Chance): Statement[][] {
  while (true) {
    const rounds = simulateRounds(drawQuestion(difficulty, parameters, chance.normal), parameters, chance)
    if (rounds.every((round) => isUnanimous(round))) return rounds
  }
}

function drawOptionCount(options: number | OptionCounts, random: Random): number {
  if (typeof options === 'number') return options
  const place = drawPlace(
    options.map(([, questions]) => questions),
    random,
  )
  return options[place]![0]
}

/** Draws an index with probability proportional to its weight; -1 without weights. */
function drawPlace(weights: readonly number[], random: Random): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const lot = random() * total
  let passed = 0
  return weights.findIndex((weight) => {
    passed += weight
    return lot < passed
  })
}

function simulateRounds(question: TwinQuestion, parameters: TwinParameters, chance: Chance): Statement[][] {
  let minds = firstMinds(question, parameters, chance)
  const rounds = [statementsOf(minds, parameters)]
  while (rounds.length < TWIN_ROUNDS) {
    minds = nextMinds(minds, parameters, chance)
    rounds.push(statementsOf(minds, parameters))
  }
  return rounds
}

/** Each agent answers what it believes most, and states how much in steps. */
function statementsOf({ beliefs, optionCount }: Minds, { statedSteps }: TwinParameters): Statement[] {
  return AGENTS.map((_, row) => {
    let option = 0
    for (let other = 1; other < optionCount; other++) {
      if (beliefs[row * optionCount + other]! > beliefs[row * optionCount + option]!) option = other
    }
    return { option, confidence: stated(beliefs[row * optionCount + option]!, optionCount, statedSteps) }
  })
}

/** Never below chance: rounded below it, an agent would believe in every option but its own answer. */
function stated(belief: number, optionCount: number, steps: number): number {
  return Math.max(Math.round(belief * steps), Math.ceil(steps / optionCount)) / steps
}

function inLetters({ gold, rounds, letters }: SpokenQuestion, beliefs: TwinOptions['beliefs']) {
  const turnOf = ({ option, confidence }: Statement, row: number): AgentTurn => {
    const vote = { agent: AGENTS[row]!.name, answer: letters[option]! }
    return beliefs === 'vote' ? vote : { ...vote, conf: { verbal: confidence } }
  }
  return {
    options: LETTERS.slice(0, letters.length),
    gold: letters[gold]!,
    rounds: rounds.map((round) => round.map(turnOf)),
  }
}
