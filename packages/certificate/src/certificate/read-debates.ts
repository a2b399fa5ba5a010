import { compareCodePoints } from '../beliefs/code-point-order.ts'
import {
  BELIEF_READINGS,
  type BeliefReading,
  type Debate,
  type DebateRecord,
  type RoundSummary,
  type TurnCounts,
} from '../beliefs/debate.ts'
import { readObject } from '../beliefs/json-value.ts'
import { parseDebate, parseDebates, richerElicitation } from '../beliefs/parse-debate.ts'
import { argument, inside, refusal } from '../beliefs/place.ts'
import { summariseRounds } from '../beliefs/summarise-rounds.ts'
import { isRightAt } from '../beliefs/truth.ts'
import { CertificateError, quoted } from '../certificate-error.ts'
import { choice } from '../choice.ts'
import { CompactDebate, compactDebates } from './compact-debates.ts'
import type { Fingerprint } from './fingerprint.ts'

/** How a debate record becomes beliefs and predictions; the same for calibration and for every decision. */
export interface ResolvedReading {
  readonly elicitation: BeliefReading
  /** Breaks ties of predictions. */
  readonly seed: number
  /** Weight of each agent in the social probability; null if all are equal. */
  readonly weights: Readonly<Record<string, number>> | null
}

/** How to read debates. Defaults: the elicitation that the debates have, seed 0 and equal weights. */
export interface ReadingOptions {
  /** Default: `given` if a turn of any debate has beliefs, else `stated` if one has a confidence, else `vote`. */
  readonly beliefs?: BeliefReading
  readonly seed?: number
  readonly weights?: Readonly<Record<string, number>>
}

/** A debate with its rounds summarised. */
export interface ReadDebate {
  readonly record: DebateRecord
  readonly rounds: readonly RoundSummary[]
}

/** Debates read once, for use with several certificates. */
export interface ReadDebates {
  readonly reading: ResolvedReading
  readonly debates: readonly ReadDebate[]
}

/** Reads and summarises debates. `calibrate` and `replay` accept the result in place of the debates. */
export function readDebates(
  debates: readonly Debate[],
  options: ReadingOptions = {},
  where = 'readDebates',
): ReadDebates {
  if (!Array.isArray(debates)) throw new CertificateError(where, 'debates', 'an array of debates', debates)
  const reading = resolveReading(where, options, (found) => debates.reduce(richerElicitation, found))
  const records = parseDebates(debates, { elicitation: reading.elicitation, where })
  const share = nameSharer()
  return { reading, debates: records.map((record) => summarised(reading, record, share)) }
}

/** Reads debates one at a time, for example from a stream, so the rest of a file need not be in memory. */
export interface DebateReader {
  /** `place` names the debate in error messages, for example `line 17`. */
  add(debate: Debate, place: string): ReadDebate
  /** What `readDebates` would return for all debates added so far. */
  debates(): ReadDebates
}

/**
 * `isCompact` stores numbers in columns and no beliefs of single agents, in a fifth of the memory. Only a custom state
 * can need those beliefs.
 */
export function debateReader(
  options: ReadingOptions = {},
  where = 'debateReader',
  { isCompact = false }: { readonly isCompact?: boolean } = {},
): DebateReader {
  let reading = resolveReading(where, options, (found) => found)
  let debates: ReadDebate[] = []
  const share = nameSharer()
  let compact = isCompact ? compactDebates(reading) : null
  const placeOf = new Map<string, string>()
  const keep = (record: DebateRecord) =>
    compact ? compact.keep(summary(reading, record, share)) : summarised(reading, record, share)
  /** Reads the debates so far by a richer elicitation, which none of their turns has. */
  const readAs = (elicitation: BeliefReading) => {
    reading = Object.freeze({ ...reading, elicitation })
    compact = isCompact ? compactDebates(reading) : null
    debates = debates.map(({ record }) => keep(withoutAnswers(record)))
  }
  return {
    add(debate, place) {
      const elicitation = options.beliefs ?? richerElicitation(reading.elicitation, debate)
      const record = parseDebate(debate, { elicitation, where, place })
      const { id } = record
      const first = placeOf.get(id)
      if (first !== undefined) {
        throw new CertificateError(where, `${place}.id`, `a unique id: ${first} has the same`, id)
      }
      placeOf.set(id, place)
      if (elicitation !== reading.elicitation) readAs(elicitation)
      const read = keep(record)
      debates.push(read)
      return read
    },
    debates: () => ({ reading, debates: [...debates] }),
  }
}

export function readDebate(reading: ResolvedReading, debate: Debate, where: string, place = 'debate'): ReadDebate {
  return summarised(reading, parseDebate(debate, { elicitation: reading.elicitation, where, place }), (names) => names)
}

/**
 * Whether the input comes from `readDebates`, whole or in part. Parsed JSON of the same shape does not count, since it
 * was never checked.
 */
export function isReadDebates(input: readonly Debate[] | ReadDebates): input is ReadDebates {
  if (typeof input !== 'object' || input === null || !('debates' in input)) return false
  const { debates, reading } = input
  return reading !== undefined && Array.isArray(debates) && debates.every((debate) => readingOf(debate) === reading)
}

/**
 * The key of each row's question. Rows with the same key are runs of one question. Two rows share a question if their
 * records name the same one (`question_of`, by default the id), or if `questionOf` maps their ids to the same key.
 */
export function questionKeys(
  debates: readonly ReadDebate[],
  questionOf?: (id: string) => string,
  where = 'questionKeys',
): readonly string[] {
  const named = debates.map(({ record }) => record.questionOf ?? record.id)
  if (questionOf === undefined) return named
  const asked = debates.map(({ record }) => {
    const question: unknown = questionOf(record.id)
    if (typeof question === 'string') return question
    throw new CertificateError(where, 'questionOf', `a text for ${quoted(record.id)}`, question)
  })
  return debates.some(({ record }) => record.questionOf !== null) ? joined(asked, named) : asked
}

/**
 * Agents of a round (from 0), ordered by code point; null where debates differ. Debates that lack the round are
 * ignored.
 */
export function agentNames(debates: readonly ReadDebate[], round: number): readonly string[] | null {
  const first = debates.find(({ rounds }) => rounds.length > round)!.rounds[round]!.agents
  const names = new Set(first)
  const isSame = debates.every(({ rounds }) => {
    const agents = rounds[round]?.agents ?? first
    // Usually the order is the same, which is faster to check.
    if (agents === first) return true
    return agents.length === first.length && agents.every((name, seat) => name === first[seat] || names.has(name))
  })
  return isSame ? first.toSorted(compareCodePoints) : null
}

/**
 * One key for all rows that are linked, directly or through others, by an equal key in either list: the key of the
 * first row.
 */
function joined(asked: readonly string[], named: readonly string[]): readonly string[] {
  const parent = Uint32Array.from(asked.keys())
  const rootOf = (row: number): number => {
    let root = row
    while (parent[root] !== root) root = parent[root]!
    // Path compression: long chains are walked only once.
    for (let at = row; at !== root; ) {
      const next = parent[at]!
      parent[at] = root
      at = next
    }
    return root
  }
  for (const keys of [asked, named]) {
    const firstOf = new Map<string, number>()
    for (const [row, key] of keys.entries()) {
      const first = firstOf.get(key)
      if (first === undefined) firstOf.set(key, row)
      else {
        const [left, right] = [rootOf(first), rootOf(row)]
        parent[Math.max(left, right)] = Math.min(left, right)
      }
    }
  }
  return asked.map((_, row) => asked[rootOf(row)]!)
}

/** How the turns of all debates were read. */
export function turnCounts(debates: readonly ReadDebate[]): TurnCounts {
  const sum = { answered: 0, missing: 0, renormalised: 0 }
  for (const { record } of debates) {
    sum.answered += record.turns.answered
    sum.missing += record.turns.missing
    sum.renormalised += record.turns.renormalised
  }
  return sum
}

/** The debate read by an elicitation that none of its turns has: all agents abstain. */
function withoutAnswers(record: DebateRecord): DebateRecord {
  const { id, questionOf, group, options, gold, truth, audits, isFailed, ended, rounds, turns, firstMissing } = record
  const uniform = 1 / options.length
  // The fields are copied one by one because a record that reads from columns has no own `rounds` to spread.
  return {
    id,
    questionOf,
    group,
    options,
    gold,
    truth,
    audits,
    isFailed,
    ended,
    rounds: rounds.map(({ agents }) => ({
      agents,
      beliefs: new Float64Array(agents.length * options.length).fill(uniform),
      votes: new Int16Array(agents.length).fill(-1),
    })),
    turns: { answered: turns.answered, missing: turns.answered, renormalised: 0 },
    firstMissing: firstMissing === null ? null : 1,
  }
}

/**
 * A debate together with how it was read. The reading is a private field because a map from debates took a tenth of the
 * time of a decision.
 */
class SummarisedDebate implements ReadDebate {
  readonly record: DebateRecord
  readonly rounds: readonly RoundSummary[]
  readonly #reading: ResolvedReading

  constructor({ record, rounds }: ReadDebate, reading: ResolvedReading) {
    this.record = record
    this.rounds = rounds
    this.#reading = reading
  }

  get reading(): ResolvedReading {
    return this.#reading
  }
}

function readingOf(debate: ReadDebate): ResolvedReading | undefined {
  return debate instanceof CompactDebate || debate instanceof SummarisedDebate ? debate.reading : undefined
}

/** `detect` finds the elicitation of the debates if the caller does not choose one. */
function resolveReading(
  where: string,
  { beliefs, seed = 0, weights = {} }: ReadingOptions,
  detect: (found: BeliefReading) => BeliefReading,
): ResolvedReading {
  const elicitation = choice(where, 'beliefs', beliefs ?? detect('vote'), BELIEF_READINGS)
  if (!(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32)) {
    throw new CertificateError(where, 'seed', 'an integer in [0, 2^32)', seed)
  }
  return Object.freeze({ elicitation, seed, weights: ownWeights(where, weights) })
}

/** A copy, which later changes to the caller's object do not affect. */
function ownWeights(where: string, weights: unknown): ResolvedReading['weights'] {
  const place = argument(where, 'weights')
  const named = Object.entries(readObject(weights, place)).map(([agent, weight]): [string, number] => {
    if (typeof weight === 'number' && weight >= 0 && weight < Infinity) return [agent, weight]
    throw refusal(inside(place, agent), 'a finite number of at least 0', weight)
  })
  return named.length === 0 ? null : Object.freeze(Object.fromEntries(named))
}

/**
 * Makes a check whether the agents of a round are the calibrated panel: exactly its agents, or a subset of them if
 * panels varied.
 */
export function panelCheck({
  agents,
  panels,
}: Pick<Fingerprint, 'agents' | 'panels'>): (debate: ReadDebate, round: number) => boolean {
  const known = agents?.map((names) => new Set(names)) ?? []
  const lastKnown: (readonly string[])[] = []
  return ({ rounds }, round) => {
    const names = rounds[round - 1]!.agents
    if (names === lastKnown[round]) return true
    const calibrated = known[round - 1] ?? new Set()
    const isCalibrated =
      names.every((name) => calibrated.has(name)) && (panels === 'varying' || names.length === calibrated.size)
    if (isCalibrated) lastKnown[round] = names
    return isCalibrated
  }
}

/** 1 where the panel's answer after a round is right. The debate must be labelled. */
export function labelsOf(debate: ReadDebate, where: string, place: string): number[] {
  if (debate.record.truth === null) {
    const expected = 'the right option, or `correct` or `grades` in its place: calibration needs labels'
    throw new CertificateError(where, `${place}.gold`, expected, null)
  }
  return debate.rounds.map((_, at) => Number(isRightAt(debate, at + 1)))
}

type ShareNames = (names: readonly string[], round: number) => readonly string[]

/** Shares one array of names among rounds with the same agents in the same order, so comparing them is one step. */
function nameSharer(): ShareNames {
  const last: (readonly string[])[] = []
  return (names, round) => {
    const known = last[round]
    if (known?.length === names.length && names.every((name, seat) => name === known[seat])) return known
    last[round] = names
    return names
  }
}

function summarised(reading: ResolvedReading, record: DebateRecord, share: ShareNames): ReadDebate {
  return new SummarisedDebate(summary(reading, record, share), reading)
}

function summary(reading: ResolvedReading, record: DebateRecord, share: ShareNames): ReadDebate {
  const { seed, weights } = reading
  const options = weights === null ? { seed } : { seed, weights: new Map(Object.entries(weights)) }
  const rounds = record.rounds.map((round, at) => ({ ...round, agents: share(round.agents, at) }))
  const shared = { ...record, rounds }
  return { record: shared, rounds: summariseRounds(shared, options) }
}
