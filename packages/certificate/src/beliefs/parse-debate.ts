import { choice } from '../choice.ts'
import { LIMITS } from '../limits.ts'
import {
  BELIEF_READINGS,
  type BeliefReading,
  type DebateEnd,
  type DebateRecord,
  type RoundRecord,
  type TurnCounts,
} from './debate.ts'
import { checkLength, ownField, readList, readName, readObject } from './json-value.ts'
import { argument, inside, type Place, pathTo, refusal } from './place.ts'
import { type OptionNames, readOptions } from './read-options.ts'
import { type CheckedTurn, readTurn } from './read-turn.ts'
import { tiedMaxima } from './tied-maxima.ts'
import { readTruth } from './truth.ts'

export interface ReadOptions {
  /** How replies become beliefs. By default `elicitationOf` chooses by what the debates contain. */
  readonly elicitation?: BeliefReading
  /** Name of the caller for error messages; the name of this function by default. */
  readonly where?: string
  /** Name of the debate in error messages, for example `debates[3]`; `debate` by default. */
  readonly place?: string
}

/**
 * Parses one debate from outside and checks it down to the last number. A CertificateError names the place of the first
 * fault. Nothing is checked again afterwards. Unknown fields are ignored.
 */
export function parseDebate(input: unknown, options: ReadOptions = {}): DebateRecord {
  const place = argument(options.where ?? 'parseDebate', options.place ?? 'debate')
  return debateAt(input, readElicitation(options, place.where) ?? elicitationOf(input), place)
}

/** Parses many debates, in order. No two may have the same id, since a question counted twice would count as two labels. */
export function parseDebates(inputs: readonly unknown[], options: ReadOptions = {}): DebateRecord[] {
  const place = argument(options.where ?? 'parseDebates', 'debates')
  const asked = readElicitation(options, place.where)
  if (!Array.isArray(inputs)) throw refusal(place, 'an array', inputs)
  const elicitation = asked ?? inputs.reduce(richerElicitation, 'vote')
  const rowOf = new Map<string, number>()
  // Array.from visits the holes of a sparse array; map would skip them.
  return Array.from(inputs, (input: unknown, row) => {
    const debate = debateAt(input, elicitation, inside(place, row))
    const first = rowOf.get(debate.id)
    if (first !== undefined) {
      throw refusal(
        inside(inside(place, row), 'id'),
        `a unique id: ${pathTo(inside(place, first))} has the same`,
        debate.id,
      )
    }
    rowOf.set(debate.id, row)
    return debate
  })
}

/**
 * The elicitation for a debate if none is chosen: `given` if a turn has beliefs, else `stated` if one has a stated
 * confidence, else `vote`. All turns are read by one elicitation, and turns that lack it are abstentions. The argument
 * may be any value.
 */
export function elicitationOf(debate: unknown): BeliefReading {
  let found: BeliefReading = 'vote'
  for (const round of listOf(fieldOf(debate, 'rounds'))) {
    for (const turn of listOf(round)) {
      if ((fieldOf(turn, 'beliefs') ?? null) !== null) return 'given'
      if ((fieldOf(fieldOf(turn, 'conf'), 'verbal') ?? null) !== null) found = 'stated'
    }
  }
  return found
}

/** The elicitation of this debate, if it is richer than the one found so far. */
export function richerElicitation(found: BeliefReading, debate: unknown): BeliefReading {
  if (found === 'given') return found
  const own = elicitationOf(debate)
  return own === 'vote' ? found : own
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? ownField(value, name) : undefined
}

const VERSION = 1

function readElicitation({ elicitation }: ReadOptions, where: string): BeliefReading | undefined {
  return elicitation === undefined ? undefined : choice(where, 'options.elicitation', elicitation, BELIEF_READINGS)
}

function debateAt(input: unknown, elicitation: BeliefReading, place: Place): DebateRecord {
  const debate = readObject(input, place)
  const version = ownField(debate, 'quorate')
  if (version !== undefined && version !== VERSION) {
    throw refusal(inside(place, 'quorate'), `${VERSION}, the only version of the format read here`, version)
  }
  const id = readName(ownField(debate, 'id'), inside(place, 'id'))
  const question = ownField(debate, 'question_of') ?? null
  const options = readOptions(ownField(debate, 'options'), inside(place, 'options'))
  const roundsPlace = inside(place, 'rounds')
  const rounds = readList(ownField(debate, 'rounds'), LIMITS.rounds, roundsPlace)
  const turns = rounds.reduce<number>((sum, round) => sum + (Array.isArray(round) ? round.length : 0), 0)
  if (turns * options.names.length > LIMITS.beliefs) {
    throw refusal(roundsPlace, `of at most ${LIMITS.beliefs} turns times options`, turns * options.names.length)
  }
  const counts = { answered: 0, missing: 0, renormalised: 0 }
  const isFailed = readFailure(ownField(debate, 'failure') ?? null, inside(place, 'failure'))
  return {
    id,
    questionOf: question === null ? null : readName(question, inside(place, 'question_of')),
    group: readGroup(ownField(debate, 'group') ?? null, inside(place, 'group')),
    options: options.names,
    ...readTruth(debate, options, rounds.length, place),
    isFailed,
    ended: readEnd(ownField(debate, 'ended') ?? null, isFailed, inside(place, 'ended')),
    ...readRounds(rounds, { options, elicitation, counts }, roundsPlace),
    turns: counts,
  }
}

function readGroup(value: unknown, place: Place): string | null {
  if (value !== null && typeof value !== 'string') throw refusal(place, 'null or a string', value)
  if (value !== null) checkLength(value, place)
  return value
}

/** The content of a failure is only for people. Here it matters only whether there is one. */
function readFailure(value: unknown, place: Place): boolean {
  return value !== null && readObject(value, place) !== null
}

function readEnd(value: unknown, isFailed: boolean, place: Place): DebateEnd | null {
  if (value === null) return null
  if (value !== 'protocol' && value !== 'stopped') throw refusal(place, 'null, "protocol" or "stopped"', value)
  if (isFailed) throw refusal(place, 'null beside a failure: a failed debate has no end', value)
  return value
}

interface RoundContext {
  readonly options: OptionNames
  readonly elicitation: BeliefReading
  /** Incremented turn by turn. */
  readonly counts: { -readonly [Name in keyof TurnCounts]: number }
}

function readRounds(rounds: ArrayLike<unknown>, context: RoundContext, place: Place) {
  let firstMissing: number | null = null
  const read = Array.from(rounds, (round, index) => {
    const record = readRound(round, context, inside(place, index))
    const { answered, missing } = context.counts
    if (index === 0 && answered > 0) firstMissing = missing / answered
    return record
  })
  return { rounds: read, firstMissing }
}

function readRound(value: unknown, { options, elicitation, counts }: RoundContext, place: Place): RoundRecord {
  const turns = readList(value, LIMITS.agents, place)
  const optionCount = options.names.length
  const beliefs = new Float64Array(turns.length * optionCount)
  const votes = new Int16Array(turns.length)
  const rowOf = new Map<string, number>()
  for (const [row, item] of turns.entries()) {
    const turn = readTurn(item, options, inside(place, row))
    const first = rowOf.get(turn.agent)
    if (first !== undefined) {
      const expected = `a unique name: ${pathTo(inside(place, first))} has the same`
      throw refusal(inside(inside(place, row), 'agent'), expected, turn.agent)
    }
    rowOf.set(turn.agent, row)
    const own = agentBeliefs(turn, optionCount, elicitation)
    beliefs.set(own.beliefs, row * optionCount)
    votes[row] = own.vote
    if (turn.answer !== null || own.vote >= 0) counts.answered++
    if (own.isMissing) counts.missing++
    if (elicitation === 'given' && turn.isRenormalised) counts.renormalised++
  }
  return { agents: [...rowOf.keys()], beliefs, votes }
}

interface AgentBeliefs {
  /** Probability of each option; sums to 1. */
  readonly beliefs: Float64Array
  /** Index of the option voted for, -1 for an abstention. */
  readonly vote: number
  /** Whether the turn has an answer but lacks what the elicitation reads. */
  readonly isMissing: boolean
}

/**
 * Beliefs of an agent, by the one elicitation that the whole panel is read by. A turn without it is an abstention:
 * uniform beliefs and no vote, which is not dissent. Nothing replaces a missing value, since a certificate was
 * calibrated on agents that were all read the same way. If a vote replaced a missing confidence, the agent would count
 * as certain.
 *
 * The vote is the agent's answer. If only beliefs are known, the vote is their unique maximum; a tied maximum is no
 * vote.
 */
function agentBeliefs(turn: CheckedTurn, optionCount: number, elicitation: BeliefReading): AgentBeliefs {
  const { answer, given, stated, sampled } = turn
  const missing = () => abstention(optionCount, answer !== null)
  // A reading without a case does not compile.
  switch (elicitation) {
    case 'given':
      return given === null ? missing() : voting(answer, given)
    case 'samples':
      if (sampled === null) return missing()
      return sampled.some((count) => count > 0) ? voting(answer, frequencies(sampled)) : abstention(optionCount, false)
    case 'stated':
      return answer === null || stated === null ? missing() : answering(answer, stated, optionCount)
    case 'vote':
      return answer === null ? missing() : answering(answer, 1, optionCount)
  }
}

function answering(answer: number, certainty: number, optionCount: number): AgentBeliefs {
  return { beliefs: around(answer, certainty, optionCount), vote: answer, isMissing: false }
}

function voting(answer: number | null, beliefs: Float64Array): AgentBeliefs {
  const [first = -1, second] = tiedMaxima(beliefs)
  return { beliefs, vote: answer ?? (second === undefined ? first : -1), isMissing: false }
}

function abstention(optionCount: number, isMissing: boolean): AgentBeliefs {
  return { beliefs: new Float64Array(optionCount).fill(1 / optionCount), vote: -1, isMissing }
}

function frequencies(counts: Float64Array): Float64Array {
  const total = counts.reduce((sum, count) => sum + count, 0)
  return counts.map((count) => count / total)
}

/**
 * The stated probability on the answer, and the rest spread evenly. A vote is certainty. A single option has
 * probability 1.
 */
function around(answer: number, stated: number, optionCount: number): Float64Array {
  const beliefs = new Float64Array(optionCount)
  if (optionCount > 1) beliefs.fill((1 - stated) / (optionCount - 1))
  beliefs[answer] = optionCount > 1 ? stated : 1
  return beliefs
}
