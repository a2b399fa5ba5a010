import { type AgentTurn, type Debate, type Random, seededRandom } from '@quorate/certificate'
import { drawSupport } from './support-process.ts'
import { TRUTHS, type TruthName } from './truths.ts'

export interface SimulatedDebate {
  readonly debate: Debate
  /** P(the panel's answer is right | everything that was said). It is the same in every round, as the answer is. */
  readonly chance: number
}

const OPTIONS = ['A', 'B', 'C', 'D'] as const
const ROUNDS = 3
/** A majority of the panel always backs the leading option, so it is the answer in every round. */
const LOYAL_AGENTS = 5
const SWING_AGENTS = 4

/** Labelled debates by vote. The history is drawn first, then whether the leading option is right. */
export function simulateTruth(name: TruthName, count: number, seed: number): SimulatedDebate[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, (_, index) => simulateDebate(name, `simulated-${name}-${seed}-${index}`, random))
}

function simulateDebate(name: TruthName, id: string, random: Random): SimulatedDebate {
  const truth = TRUTHS[name]
  const history = drawSupport(truth.process, { rounds: ROUNDS, agents: SWING_AGENTS }, random)
  const chance = truth.chance(history.map((round) => round.filter(Boolean).length / SWING_AGENTS))
  const leader = Math.floor(random() * OPTIONS.length)
  const rival = () => OPTIONS[(leader + 1 + Math.floor(random() * (OPTIONS.length - 1))) % OPTIONS.length]!
  const rounds = history.map((round): AgentTurn[] =>
    Array.from({ length: LOYAL_AGENTS + SWING_AGENTS }, (_, agent) => ({
      agent: `agent-${agent + 1}`,
      answer: agent < LOYAL_AGENTS || round[agent - LOYAL_AGENTS] ? OPTIONS[leader]! : rival(),
    })),
  )
  const gold = random() < chance ? OPTIONS[leader]! : rival()
  return { debate: { id, options: OPTIONS, gold, rounds }, chance }
}
