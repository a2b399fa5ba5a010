import type {
  DebateEnd,
  DebateRecord,
  RoundGrades,
  RoundRecord,
  RoundSummary,
  Truth,
  TurnCounts,
} from '../beliefs/debate.ts'
import { CertificateError } from '../certificate-error.ts'
import type { ReadDebate, ResolvedReading } from './read-debates.ts'

/** Stores debates as columns of numbers. A million of them as objects would take 6 GB. */
export interface CompactDebates {
  /** The same debate for its users, except that the beliefs of single agents are not stored. */
  keep(debate: ReadDebate): CompactDebate
}

export function compactDebates(reading: ResolvedReading): CompactDebates {
  const [share, shareSeats, shareCounts] = [nameSharer(), seatsSharer(), countsSharer()]
  const [shareTruth, shareAudits] = [valueSharer<Truth | null>(), valueSharer<RoundGrades | null>()]
  let sheet: Sheet = { reading, numbers: new Float64Array(0) }
  let used = 0
  return {
    keep({ record, rounds }) {
      const options = share(record.options)
      const agents = shareSeats(rounds.map((round) => share(round.agents)))
      const size = agents.reduce((sum, names) => sum + roundSize(names.length, options.length), 0)
      if (used + size > sheet.numbers.length) {
        sheet = { reading, numbers: new Float64Array(Math.max(size, SHEET)) }
        used = 0
      }
      const start = used
      for (const [at, round] of rounds.entries()) {
        used = writeRound(sheet.numbers, used, round, record.rounds[at]!.votes)
      }
      const group = record.group === null ? null : share([record.group])[0]!
      return new CompactDebate({
        sheet,
        start,
        agents,
        record: {
          ...record,
          options,
          group,
          truth: shareTruth(record.truth),
          audits: shareAudits(record.audits),
          turns: shareCounts(record.turns),
        },
      })
    },
  }
}

/** Numbers in a sheet: one megabyte. */
const SHEET = 2 ** 17
/** Fixed numbers of a round, which precede those of its options and agents. */
const FIXED = 14

interface Sheet {
  readonly reading: ResolvedReading
  readonly numbers: Float64Array
}

interface Kept {
  readonly sheet: Sheet
  readonly start: number
  readonly agents: Seats
  readonly record: DebateRecord
}

/** A view of the columns. It is a class so that a million instances share their getters. */
export class CompactDebate implements ReadDebate {
  readonly #sheet: Sheet
  readonly #start: number
  readonly #agents: Seats
  readonly #id: string
  readonly #questionOf: string | null
  readonly #group: string | null
  readonly #options: readonly string[]
  readonly #gold: number | null
  readonly #truth: Truth | null
  readonly #audits: RoundGrades | null
  readonly #isFailed: boolean
  readonly #turns: TurnCounts
  readonly #firstMissing: number | null
  readonly #ended: DebateEnd | null

  constructor({ sheet, start, agents, record }: Kept) {
    this.#sheet = sheet
    this.#start = start
    this.#agents = agents
    this.#id = record.id
    this.#questionOf = record.questionOf
    this.#group = record.group
    this.#options = record.options
    this.#gold = record.gold
    this.#truth = record.truth
    this.#audits = record.audits
    this.#isFailed = record.isFailed
    this.#turns = record.turns
    this.#firstMissing = record.firstMissing
    this.#ended = record.ended
  }

  get reading(): ResolvedReading {
    return this.#sheet.reading
  }

  get record(): DebateRecord {
    return new CompactRecord(
      {
        id: this.#id,
        questionOf: this.#questionOf,
        group: this.#group,
        options: this.#options,
        gold: this.#gold,
        truth: this.#truth,
        audits: this.#audits,
        isFailed: this.#isFailed,
        turns: this.#turns,
        firstMissing: this.#firstMissing,
        ended: this.#ended,
      },
      this,
    )
  }

  get rounds(): CompactRound[] {
    const options = this.#options.length
    let at = this.#start
    return this.#agents.map((names) => {
      const round = new CompactRound(this.#sheet.numbers, at, names, options)
      at += roundSize(names.length, options)
      return round
    })
  }
}

class CompactRecord implements DebateRecord {
  readonly id: string
  readonly questionOf: string | null
  readonly group: string | null
  readonly options: readonly string[]
  readonly gold: number | null
  readonly truth: Truth | null
  readonly audits: RoundGrades | null
  readonly isFailed: boolean
  readonly ended: DebateEnd | null
  readonly turns: TurnCounts
  readonly firstMissing: number | null
  readonly #debate: CompactDebate

  constructor(record: Omit<DebateRecord, 'rounds'>, debate: CompactDebate) {
    this.id = record.id
    this.questionOf = record.questionOf
    this.group = record.group
    this.options = record.options
    this.gold = record.gold
    this.truth = record.truth
    this.audits = record.audits
    this.isFailed = record.isFailed
    this.ended = record.ended
    this.turns = record.turns
    this.firstMissing = record.firstMissing
    this.#debate = debate
  }

  get rounds(): readonly RoundRecord[] {
    return this.#debate.rounds
  }
}

class CompactRound implements RoundSummary, RoundRecord {
  readonly agents: readonly string[]
  readonly #numbers: Float64Array
  readonly #at: number
  readonly #options: number

  constructor(numbers: Float64Array, at: number, agents: readonly string[], options: number) {
    this.agents = agents
    this.#numbers = numbers
    this.#at = at
    this.#options = options
  }

  get prediction(): number {
    return this.#numbers[this.#at]!
  }
  get p1(): number {
    return this.#numbers[this.#at + 1]!
  }
  get p2(): number {
    return this.#numbers[this.#at + 2]!
  }
  get margin(): number {
    return this.#numbers[this.#at + 3]!
  }
  get entropy(): number {
    return this.#numbers[this.#at + 4]!
  }
  get disagreement(): number {
    return this.#numbers[this.#at + 5]!
  }
  get abstentions(): number {
    return this.#numbers[this.#at + 6]!
  }
  get supportPath(): number {
    return this.#numbers[this.#at + 7]!
  }
  get stability(): number {
    return this.#numbers[this.#at + 8]!
  }
  get hasChanged(): boolean {
    return this.#numbers[this.#at + 9] === 1
  }
  get isTied(): boolean {
    return this.#numbers[this.#at + 10] === 1
  }
  get hasNews(): boolean {
    return this.#numbers[this.#at + 11] === 1
  }
  get hasEverChanged(): boolean {
    return this.#numbers[this.#at + 12] === 1
  }
  get optionsVoted(): number {
    return this.#numbers[this.#at + 13]!
  }
  get social(): Float64Array {
    return this.#part(0, this.#options)
  }
  get agentSupport(): Float64Array {
    return this.#part(this.#options, this.agents.length)
  }
  get votes(): Int16Array {
    return Int16Array.from(this.#part(this.#options + this.agents.length, this.agents.length))
  }
  get beliefs(): Float64Array {
    throw new CertificateError(
      'debateReader',
      'beliefs of single agents',
      'asked of debates that are read whole: not with `compact`',
      'a debate whose beliefs were not kept',
    )
  }

  #part(from: number, length: number): Float64Array {
    const start = this.#at + FIXED + from
    return this.#numbers.subarray(start, start + length)
  }
}

function roundSize(agents: number, options: number): number {
  return FIXED + options + 2 * agents
}

/** Writes a round and returns the position after it. */
function writeRound(numbers: Float64Array, at: number, round: RoundSummary, votes: Int16Array): number {
  const { prediction, p1, p2, margin, entropy, disagreement, abstentions, supportPath, stability } = round
  numbers.set([prediction, p1, p2, margin, entropy, disagreement, abstentions, supportPath, stability], at)
  const { hasChanged, isTied, hasNews, hasEverChanged, optionsVoted } = round
  numbers.set([Number(hasChanged), Number(isTied), Number(hasNews), Number(hasEverChanged), optionsVoted], at + 9)
  const from = at + FIXED
  const { social, agentSupport } = round
  numbers.set(social, from)
  numbers.set(agentSupport, from + social.length)
  numbers.set(votes, from + social.length + agentSupport.length)
  return at + roundSize(agentSupport.length, social.length)
}

/** Shares one array among equal lists of names. Most debates have the same agents, and many the same options. */
function nameSharer(): (names: readonly string[]) => readonly string[] {
  const known = new Map<string, readonly string[]>()
  return (names) => {
    const key = JSON.stringify(names)
    const shared = known.get(key)
    if (shared !== undefined) return shared
    // With free text as options, every debate may have its own list.
    if (known.size >= MOST_SHARED) known.clear()
    known.set(key, names)
    return names
  }
}

const MOST_SHARED = 4096

/** The same for counts of turns, which are equal in most debates. */
function countsSharer(): (counts: TurnCounts) => TurnCounts {
  const known = new Map<string, TurnCounts>()
  return (counts) => {
    const key = `${counts.answered} ${counts.missing} ${counts.renormalised}`
    const shared = known.get(key) ?? counts
    known.set(key, shared)
    return shared
  }
}

/** The same for truths and audits, since a few rounds have few combinations of right and wrong. */
function valueSharer<Value>(): (value: Value) => Value {
  const known = new Map<string, Value>()
  return (value) => {
    const key = JSON.stringify(value)
    const shared = known.get(key)
    if (shared !== undefined) return shared
    if (known.size >= MOST_SHARED) known.clear()
    known.set(key, value)
    return value
  }
}

type Seats = readonly (readonly string[])[]

/**
 * The same for the agents of all rounds, whose lists of names are already shared. Compares only with the last debate of
 * as many rounds.
 */
function seatsSharer(): (seats: Seats) => Seats {
  const last: Seats[] = []
  return (seats) => {
    const known = last[seats.length]
    if (known?.every((names, round) => names === seats[round])) return known
    last[seats.length] = seats
    return seats
  }
}
