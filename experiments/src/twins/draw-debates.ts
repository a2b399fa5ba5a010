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
import { normalDraws } from './normal-draws.ts'
import { type Subgroup, TARGETS, type TwinName } from './targets.ts'

export interface TwinOptions extends Partial<Knobs> {
  /** An integer in [0, 2^32). */
  readonly seed: number
  readonly beliefs: 'soft' | 'vote'
  /** Debates; by default as many as the benchmark has. */
  readonly count?: number
}

export const TWIN_ROUNDS = 4

/** Debates of a benchmark's twin under any parameters: what a fit tries out. */
export function drawDebates(name: TwinName, parameters: TwinParameters, options: TwinOptions): Debate[] {
  const target = TARGETS[name]
  const { seed, beliefs, count = target.size } = options
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
    const place = drawGroup(target.subgroups, random)
    const group = target.subgroups[place]?.name ?? null
    const decline = knobs.drift * (index / Math.max(1, count - 1))
    const ease = parameters.clarityMean + (parameters.groupOffsets[place] ?? 0) - decline
    const question = { clarity: ease + parameters.claritySpread * normal(), optionCount: target.options }
    const letters = Array.from(permutation(target.options, random), (letter) => LETTERS[letter]!)
    const said = { gold: TRUTH, rounds: simulateRounds(question, parameters, { uniform: random, normal }) }
    const turn = {
      fate: drawFate(fates),
      optionCount: target.options,
      isShifted: shifted.has(group),
      drawAgreed: () => drawAgreed({ ease, optionCount: target.options }, parameters, agreements),
    }
    const id = `twin-${name}-${String(index + 1).padStart(5, '0')}`
    return { id, group, ...inLetters(applyKnobs(said, knobs, turn), letters, beliefs) }
  })
}

const LETTERS = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J'] as const
const FATE_STREAM = 0x7f4a7c15
const AGREEMENT_STREAM = 0x1b873593

function chanceFrom(seed: number): Chance {
  const uniform = seededRandom(seed)
  return { uniform, normal: normalDraws(uniform) }
}

/** Other questions of the same ease until one is agreed on from the first round to the last. */
function drawAgreed(
  { ease, optionCount }: { readonly ease: number; readonly optionCount: number },
  parameters: TwinParameters,
  chance: Chance,
): Statement[][] {
  while (true) {
    const clarity = ease + parameters.claritySpread * chance.normal()
    const rounds = simulateRounds({ clarity, optionCount }, parameters, chance)
    if (rounds.every((round) => isUnanimous(round))) return rounds
  }
}

function drawGroup(subgroups: readonly Subgroup[], random: Random): number {
  const total = subgroups.reduce((sum, { size }) => sum + size, 0)
  const lot = random() * total
  let passed = 0
  return subgroups.findIndex(({ size }) => {
    passed += size
    return lot < passed
  })
}

function simulateRounds(question: TwinQuestion, parameters: TwinParameters, chance: Chance): Statement[][] {
  let minds = firstMinds(question, parameters, chance)
  const rounds = [statementsOf(minds)]
  while (rounds.length < TWIN_ROUNDS) {
    minds = nextMinds(minds, parameters, chance)
    rounds.push(statementsOf(minds))
  }
  return rounds
}

/** Each agent answers what it believes most and states how much, to 5 %. */
function statementsOf({ beliefs, optionCount }: Minds): Statement[] {
  return AGENTS.map((_, row) => {
    let option = 0
    for (let other = 1; other < optionCount; other++) {
      if (beliefs[row * optionCount + other]! > beliefs[row * optionCount + option]!) option = other
    }
    return { option, confidence: stated(beliefs[row * optionCount + option]!, optionCount) }
  })
}

const STATED_STEPS = 20

/** Never below chance: rounded under it, an agent would believe in every option but its own answer. */
function stated(belief: number, optionCount: number): number {
  return Math.max(Math.round(belief * STATED_STEPS), Math.ceil(STATED_STEPS / optionCount)) / STATED_STEPS
}

function inLetters({ gold, rounds }: Spoken, letters: readonly string[], beliefs: TwinOptions['beliefs']) {
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
