/**
 * A debate as it is exchanged: one line of a JSONL file, or the same object built in code. Unknown fields are ignored
 * here, but a store keeps them.
 */
export interface Debate {
  readonly id: string
  /** Key of the question that this debate is a run of. Debates with the same key count as one question. Default: the id. */
  readonly question_of?: string | null
  readonly group?: string | null
  /** Names in order, or an object from name to text, which is then ordered by code point of the names. */
  readonly options: readonly string[] | Readonly<Record<string, string>>
  /**
   * Name of the one right option. Calibration needs one of `gold`, `correct`, `grades` or a `verdict` that names no
   * option. Deciding needs none of them.
   */
  readonly gold?: string | null
  /**
   * `cannot-tell` or `bad-question`: a person judged the question and named no option. The debate is labelled, and none
   * of its answers counts as right. Any other value is ignored here.
   */
  readonly verdict?: string | null
  /** Names of all right options, if several are right or none is (`[]`). If `gold` is also given, it must be among them. */
  readonly correct?: readonly string[] | null
  /**
   * Whether the panel's answer after each round is right, for questions whose options cannot express it. If there are
   * grades, only they count. A round without a grade is not right, and neither is one that the grader could not judge.
   */
  readonly grades?: readonly Grade[] | null
  /**
   * A person's grades of the same answers, for debates sampled at random to check the grader. They are compared with
   * `grades` and never replace them.
   */
  readonly audits?: readonly Grade[] | null
  /**
   * An object if the debate broke off (for example an agent failed, or the time ran out) and no decision ended it.
   * `rounds` then has the rounds before the failure. `total` counts the debate as a deferral from there on, just as a
   * deployed debate that breaks off is deferred. The other profiles count the missing rounds as wrong.
   */
  readonly failure?: object | null
  /** Why a debate that did not break off has fewer rounds than others; see `DebateEnd`. */
  readonly ended?: DebateEnd | null
  readonly rounds: readonly (readonly AgentTurn[])[]
}

/**
 * `protocol`: the protocol itself ends a debate here, for example at consensus, independently of any policy. `total`
 * counts it as a deferral from there on, which is valid only if the deployed protocol ends at the same point.
 * `stopped`: a decision ended the debate before its last round. What another policy would have done later is unknown,
 * so `calibrate` refuses it.
 */
export type DebateEnd = 'protocol' | 'stopped'

/** A grade of the panel's answer after one round. */
export interface Grade {
  /** From 1. */
  readonly round: number
  /** Null if the grader could not judge the answer. It then never counts as right. */
  readonly right: boolean | null
  /** The grader, such as `person:ann`, `command:tests` or `model:NAME`. Grades by a model need `audits`. */
  readonly by?: string | null
  /** The option that was graded. If the panel's answer turns out to be another option, the grade does not apply to it. */
  readonly answer?: string | null
}

/** One agent's turn in one round. */
export interface AgentTurn {
  readonly agent: string
  /** Name of an option; null when missing or unreadable. */
  readonly answer: string | null
  /** Probability by option name; a missing option is 0. A sum within .01 of 1 is scaled to 1. */
  readonly beliefs?: Readonly<Record<string, number>> | null
  /** `verbal`: the probability in [0, 1] that the model stated for its answer. */
  readonly conf?: { readonly verbal?: number | null } | null
  /** Answers of repeated calls, for beliefs by relative frequency. */
  readonly samples?: readonly (string | null)[] | null
}

/**
 * How an agent's reply becomes a distribution. `given` reads `beliefs`, `samples` reads `samples`, `stated` reads the
 * answer with `conf.verbal`, and `vote` reads the answer alone as certainty. A turn that lacks what is read is an
 * abstention, whatever else it has: a missing confidence is no evidence that the agent was sure.
 */
export const BELIEF_READINGS = ['given', 'samples', 'stated', 'vote'] as const
export type BeliefReading = (typeof BELIEF_READINGS)[number]

/** A debate after parsing: checked, option names replaced by their index, beliefs as numbers. */
export interface DebateRecord {
  readonly id: string
  /** Key of the question that this debate is a run of; null means the id. */
  readonly questionOf: string | null
  readonly group: string | null
  readonly options: readonly string[]
  /**
   * Index of the one right option; null if it is unknown or there is not exactly one. Use `isRightAt` to ask whether an
   * answer is right.
   */
  readonly gold: number | null
  /** What is right; null when unlabelled. */
  readonly truth: Truth | null
  /** A person's grades of the same answers; null if no person graded them. */
  readonly audits: RoundGrades | null
  /** Whether the debate broke off, so later rounds may be missing. */
  readonly isFailed: boolean
  readonly turns: TurnCounts
  /** Share of the answered turns of round 1 that lack what the elicitation reads; null if no agent answered in round 1. */
  readonly firstMissing: number | null
  /** Why it ended early, if it did not break off. */
  readonly ended: DebateEnd | null
  readonly rounds: readonly RoundRecord[]
}

/** What is known to be right: some of the options, the panel's answers after some rounds, or nothing (`unjudged`). */
export type Truth =
  | { readonly kind: 'unjudged' }
  | { readonly kind: 'options'; readonly options: readonly number[] }
  | { readonly kind: 'grades'; readonly rounds: RoundGrades }

/** One entry for each round up to the last that has a grade. */
export type RoundGrades = readonly (RoundGrade | null)[]

export interface RoundGrade {
  readonly right: boolean | null
  /** Index of the option that was graded; null means the panel's answer, whichever it is. */
  readonly answer: number | null
  readonly by: string | null
}

/** How the turns of a debate were read. */
export interface TurnCounts {
  /** Turns that have an answer or what the elicitation reads. */
  readonly answered: number
  /** Answered turns that lack what the elicitation reads. They count as abstentions. */
  readonly missing: number
  /** Turns whose beliefs summed to 1 within .01 but not within 1e-6, and were scaled. */
  readonly renormalised: number
}

export interface RoundRecord {
  readonly agents: readonly string[]
  /** Row j = distribution of agent j over the options. */
  readonly beliefs: Float64Array
  /** Option that each agent voted for; -1 for an abstention, and for beliefs without an answer whose maximum is tied. */
  readonly votes: Int16Array
}

/** One round of a debate, summarised together with the rounds before it. */
export interface RoundSummary {
  readonly agents: readonly string[]
  /** Mean belief over the agents. */
  readonly social: Float64Array
  /** Index of the panel's answer: the argmax of `social`, ties broken by a seeded hash. */
  readonly prediction: number
  /** Largest and second largest social probability, and their difference. */
  readonly p1: number
  readonly p2: number
  readonly margin: number
  /** Entropy of `social`, in nats. */
  readonly entropy: number
  /** Share of the agents that voted for another option. An abstention is not dissent. */
  readonly disagreement: number
  /** Share of the agents without a vote. */
  readonly abstentions: number
  /** Mean over the rounds so far of the social probability of the current prediction. */
  readonly supportPath: number
  /** Share of the rounds so far whose prediction is the current one. */
  readonly stability: number
  /** Whether the prediction differs from the round before; false in round 1. */
  readonly hasChanged: boolean
  /** Whether two or more options share the largest social probability, so that a hash chose the prediction. */
  readonly isTied: boolean
  /** False when every agent, by name, believes exactly what it believed a round ago. */
  readonly hasNews: boolean
  /** Whether an earlier round settled another answer. A round that is tied or has no vote settles none. */
  readonly hasEverChanged: boolean
  /** How many different options the agents voted for. */
  readonly optionsVoted: number
  /** Belief of each agent in the current prediction. */
  readonly agentSupport: Float64Array
}
