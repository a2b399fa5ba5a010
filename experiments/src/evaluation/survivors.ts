import { clopperPearsonInterval, type ReadDebate, type ReadDebates } from '@quorate/certificate'

export interface Share {
  readonly right: number
  readonly count: number
  readonly accuracy: number
  /** 95 % Clopper-Pearson. */
  readonly low: number
  readonly high: number
}

export interface SurvivorRound {
  readonly round: number
  /** Debates at the paper's state (1, 1), however they got there: what its neighbourhoods count. */
  readonly unanimous: Share
  /** Those that were not there in any earlier round: all that a rule which acts on unanimity still sees. */
  readonly firstUnanimous: Share
}

/**
 * Debates that agree late are worse than those that agreed at once, and the paper's state (p1, margin) cannot
 * distinguish them. Unanimous means that every agent answers and all agree; an abstention keeps p1 below 1.
 */
export function survivorEffect({ debates }: ReadDebates): SurvivorRound[] {
  return debates[0]!.rounds.map((_, at) => {
    const there = debates.filter((debate) => isUnanimous(debate, at))
    const fresh = there.filter((debate) => !debate.rounds.slice(0, at).some((_, before) => isUnanimous(debate, before)))
    return { round: at + 1, unanimous: shareRight(there, at), firstUnanimous: shareRight(fresh, at) }
  })
}

function isUnanimous({ rounds }: ReadDebate, at: number): boolean {
  const { abstentions, disagreement } = rounds[at]!
  return abstentions === 0 && disagreement === 0
}

function shareRight(debates: readonly ReadDebate[], at: number): Share {
  const right = debates.filter(({ record, rounds }) => rounds[at]!.prediction === record.gold).length
  const { lower, upper } = clopperPearsonInterval(right, debates.length, 0.95)
  return { right, count: debates.length, accuracy: right / debates.length, low: lower, high: upper }
}
