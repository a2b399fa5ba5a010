/**
 * Debates in which everything that the k-NN certificates assume is true: whatever was said before, the answer of round t is
 * right with a chance that is a smooth known function of the paper's state of round t.
 *
 * Two options are contested. The chance that the first of them is right is a bounded martingale over the rounds. The panel
 * answers the likelier one, with a p1 that reveals the chance; nothing else does. The right option is drawn only after the
 * last round, with the last chances. By the martingale property, P(the answer of round t is right | all that was said up to
 * t) is the chance at t. Labels of different rounds are dependent, and no history contains more than the state. Which agents
 * dissent, and thus the margin, is pure chance.
 */
import { type AgentTurn, type Debate, type Random, seededRandom } from '@quorate/certificate'

export interface SufficientDebate {
  readonly debate: Debate
  /** P(the panel's answer after each round is right | all that was said up to it) = `sufficientChance` of its p1. */
  readonly chances: readonly number[]
}

export interface SufficientOptions {
  readonly seed: number
  readonly count: number
}

/**
 * Chance of the panel's answer at a state. It rises smoothly from .50 at p1 = .42 to .99 at 1, and the margin adds
 * nothing.
 */
export function sufficientChance(p1: number): number {
  return CONTESTED - STEEPNESS * (1 - p1) ** 1.5
}

export function sufficientTwin({ seed, count }: SufficientOptions): SufficientDebate[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, (_, index) =>
    drawDebate(`sufficient-${String(index + 1).padStart(5, '0')}`, random),
  )
}

const OPTIONS = ['A', 'B', 'C', 'D'] as const
const ROUNDS = 4
/** Chance that one of the two contested options is right. */
const CONTESTED = 0.99
const STEEPNESS = 1.1

function drawDebate(id: string, random: Random): SufficientDebate {
  const path = drawPath(random)
  const first = Math.floor(random() * OPTIONS.length)
  const optionAt = (place: number) => OPTIONS[(first + place) % OPTIONS.length]!
  const rounds = path.map((chance) => {
    const isFirst = chance > CONTESTED / 2
    const contest = { leader: optionAt(isFirst ? 0 : 1), rival: optionAt(isFirst ? 1 : 0) }
    return drawTurns(contest, statedAt(Math.max(chance, CONTESTED - chance)), random)
  })
  const lot = random()
  const last = path.at(-1)!
  const gold = lot < last ? 0 : lot < CONTESTED ? 1 : 2
  const chances = path.map((chance) => Math.max(chance, CONTESTED - chance))
  return { debate: { id, options: OPTIONS, gold: optionAt(gold), rounds }, chances }
}

/** Share of the way to the nearer end that the chance may move in one round. */
const LARGEST_MOVE = 0.9

/**
 * Chance of the first contested option after each round. The steps are symmetric around 0 and cannot leave [0,
 * CONTESTED].
 */
function drawPath(random: Random): number[] {
  const path = [CONTESTED * random() ** 0.25]
  while (path.length < ROUNDS) {
    const chance = path.at(-1)!
    path.push(chance + (2 * random() - 1) * LARGEST_MOVE * Math.min(chance, CONTESTED - chance))
  }
  return path
}

/** The p1 at which `sufficientChance` is the chance. */
function statedAt(chance: number): number {
  return 1 - ((CONTESTED - chance) / STEEPNESS) ** (1 / 1.5)
}

interface Contest {
  readonly leader: string
  readonly rival: string
}

/** Three agents whose mean belief in the leader is p1: all for it, or one of them for the rival if p1 allows it. */
function drawTurns({ leader, rival }: Contest, p1: number, random: Random): AgentTurn[] {
  const dissent = 0.5 + 0.25 * random()
  const isSplit = random() < DISSENT_SHARE && p1 < MOST_SPLIT
  const left = isSplit ? (1 - dissent) / (OPTIONS.length - 1) : p1
  const shared = (3 * p1 - left) / 2
  return [
    { agent: 'agent-1', answer: leader, conf: { verbal: shared } },
    { agent: 'agent-2', answer: leader, conf: { verbal: shared } },
    { agent: 'agent-3', answer: isSplit ? rival : leader, conf: { verbal: isSplit ? dissent : p1 } },
  ]
}

const DISSENT_SHARE = 0.6
/** Above this p1 no agent can dissent, since two certain agents of three and the dissenter's rest may not reach it. */
const MOST_SPLIT = 0.66
