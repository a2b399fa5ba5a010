/**
 * A debate as people exchange it: one line of a JSONL file, or the same object built in code.
 * Unknown fields are ignored here; a store keeps them.
 */
export interface Debate {
  readonly id: string
  /** Key of the question of which this debate is a run. Debates with the same key count as one question. Default: the id. */
  readonly question_of?: string | null
  readonly group?: string | null
  /** Names in order, or name to text; then the order is by code point of the names. */
  readonly options: readonly string[] | Readonly<Record<string, string>>
  /**
   * Name of the one right option. To calibrate, one of `gold`, `correct`, `grades` and a `verdict` without an option is
   * needed; to decide, none.
   */
  readonly gold?: string | null
  /**
   * `cannot-tell` or `bad-question`: a person looked and named no option. The debate is labelled, and no answer of it is right.
   * Any other word means nothing here.
   */
  readonly verdict?: string | null
  /** Names of all right options, where several are right or none is (`[]`). A `gold` beside it must be among them. */
  readonly correct?: readonly string[] | null
  /**
   * Whether the panel's answer of each round is right, where no option can say it. Where there are grades, they alone
   * count: a round without one is not right, and neither is one that nobody could tell.
   */
  readonly grades?: readonly Grade[] | null
  /**
   * What a person said of the same answers, for debates that were drawn at random to check who graded them. It is
   * compared with `grades` and never takes their place.
   */
  readonly audits?: readonly Grade[] | null
  /**
   * An object when the debate broke off (an agent failed, the time ran out) and no decision ended it: `rounds` are those
   * before. Profiles other than `total` count the rounds that it lacks as wrong. `total` counts it as a deferral from there
   * on, as it is when a deployed debate breaks off.
   */
  readonly failure?: object | null
  /** Why a debate that did not break off has fewer rounds than others; see `DebateEnd`. */
  readonly ended?: DebateEnd | null
  readonly rounds: readonly (readonly AgentTurn[])[]
}

/**
 * `protocol`: the protocol itself ends a debate here, for example at consensus, independent of any policy. `total` counts it as a
 * deferral from there on, which is true only where the deployed protocol ends at the same point. `stopped`: a decision
 * ended it before its last round. What another policy would have done later is unknown, so `calibrate` refuses it.
 */
export type DebateEnd = 'protocol' | 'stopped'

/** A grade of the panel's answer of one round. */
export interface Grade {
  /** From 1. */
  readonly round: number
  /** Null: the grader could not tell, which never counts as right. */
  readonly right: boolean | null
  /** Who graded, such as `person:ann`, `command:tests` or `model:NAME`; what a model grades needs `audits`. */
  readonly by?: string | null
  /** The option that was graded. Where the panel's answer is read to be another one, the grade is not about it. */
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
 * How an agent's words become a distribution: `given` reads `beliefs`, `samples` reads `samples`, `stated` reads the
 * answer with `conf.verbal`, `vote` reads the answer alone as certainty. A turn that lacks what is read is an abstention,
 * whatever else it has: a missing confidence says nothing, least of all that the agent was sure.
 */
export const ELICITATIONS = ['given', 'samples', 'stated', 'vote'] as const
export type Elicitation = (typeof ELICITATIONS)[number]

/** A debate after it was read: checked, option names replaced by their index, beliefs as numbers. */
export interface DebateRecord {
  readonly id: string
  /** Key of the question that this debate is a run of; null: the id. */
  readonly questionOf: string | null
  readonly group: string | null
  readonly options: readonly string[]
  /** Index of the one right option, null when it is not known or there is no such one. Ask `isRightAt` what is right. */
  readonly gold: number | null
  /** What is right; null when unlabelled. */
  readonly truth: Truth | null
  /** Grades of a person for the same answers; null where nobody was asked. */
  readonly audits: RoundGrades | null
  /** Whether it broke off, so that later rounds may be missing. */
  readonly isFailed: boolean
  readonly turns: TurnCounts
  /** Share of the answered turns of round 1 that lack what the elicitation reads; null: nobody answered in it. */
  readonly firstMissing: number | null
  /** Why it ended early, where it did not break off. */
  readonly ended: DebateEnd | null
  readonly rounds: readonly RoundRecord[]
}

/** What is known to be right: some of the options, the panel's answers of some rounds, or nothing (`unjudged`). */
export type Truth =
  | { readonly kind: 'unjudged' }
  | { readonly kind: 'options'; readonly options: readonly number[] }
  | { readonly kind: 'grades'; readonly rounds: RoundGrades }

/** One for each round up to the last that has one. */
export type RoundGrades = readonly (RoundGrade | null)[]

export interface RoundGrade {
  readonly right: boolean | null
  /** Index of the option that was graded; null: the panel's answer, whichever it is. */
  readonly answer: number | null
  readonly by: string | null
}

/** How the turns of a debate were read. */
export interface TurnCounts {
  /** Turns that have an answer, or what the elicitation reads. */
  readonly answered: number
  /** Answered turns that lack what the elicitation reads: they are abstentions. */
  readonly missing: number
  /** Turns whose beliefs did not sum to 1 within 1e-6, but within .01, and were scaled. */
  readonly renormalised: number
}

export interface RoundRecord {
  readonly agents: readonly string[]
  /** Row j = distribution of agent j over the options. */
  readonly beliefs: Float64Array
  /** Option each agent voted for; -1 for an abstention, and for beliefs without an answer whose maximum is tied. */
  readonly votes: Int16Array
}

/** One round of a debate seen together with the rounds before it. */
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
  /** Of `social`, in nats. */
  readonly entropy: number
  /** Share of the agents that voted for another option; an abstention is no dissent. */
  readonly disagreement: number
  /** Share of the agents without a vote. */
  readonly abstentions: number
  /** Mean over the rounds so far of the social probability of the current prediction. */
  readonly supportPath: number
  /** Share of the rounds so far whose prediction is the current one. */
  readonly stability: number
  /** Whether the prediction differs from the round before; false in round 1. */
  readonly changed: boolean
  /** Whether two options or more share the largest social probability, so that a hash chose the prediction. */
  readonly isTied: boolean
  /** False when every agent, by name, believes exactly what it believed a round ago. */
  readonly hasNews: boolean
  /** Whether an earlier round settled another answer; a round that is tied or has no vote settles none. */
  readonly everChanged: boolean
  /** How many different options the agents voted for. */
  readonly optionsVoted: number
  /** Belief of each agent in the current prediction. */
  readonly agentSupport: Float64Array
}
