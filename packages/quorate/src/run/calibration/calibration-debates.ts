import {
  type BeliefReading,
  CertificateError,
  type Debate,
  debateReader,
  hasLabel,
  type Profile,
  type ReadDebates,
} from '@quorate/certificate'
import { FileError } from '../../files/file-error.ts'
import { fileReading, refuseUnread } from '../../files/read-debate-file.ts'
import { withoutBeliefs } from '../../files/without-beliefs.ts'
import type { FileReading } from '../../text/left-out.ts'
import { countText } from '../../text/number-text.ts'
import { type Content, contentKey, contentOf } from './content-hash.ts'
import { collectServed, refuseMixture, type ServedDebates } from './served-models.ts'

/** The content of many questions, by the ids of their debates, in 128 bytes each. */
interface ContentColumns extends Iterable<Content> {
  set(id: string, content: Content): void
  /** Equal for debates of the same question; undefined for an id without content. */
  keyOf(id: string): string | undefined
}

const BYTES = 32
const DIGESTS = 4
const ROW = DIGESTS * BYTES
/** Rows per block. Blocks are added, so no block is ever copied to grow. */
const ROWS = 1024

/** A recorded debate from a file or the store, which is not checked yet. */
export interface RecordedDebate {
  readonly value: unknown
  /** Name of the place in errors, such as a line. */
  readonly place: string
}

export interface DebatesOfQuestions {
  readonly read: ReadDebates
  /** Debates of the same question share a key. */
  readonly questionOf: (id: string) => string
}

export interface CalibrationDebates extends DebatesOfQuestions {
  readonly rounds: number
  /** The content of each question whose text is known. */
  readonly contents: Iterable<Content>
  /** Which models answered, as far as the debates say. */
  readonly served: ServedDebates
  /** Debates that failed after their first round. They count, and their missing rounds count as wrong or as deferred. */
  readonly padded: number
  readonly dropped: {
    readonly unlabelled: number
    /** Debates that failed in their first round, and so are never acted on. */
    readonly failed: number
    /** Debates that stopped before their last round. Their later rounds are unknown. */
    readonly short: number
    /** Debates of a run that decided which were not sampled, so they are not a random sample of the population. */
    readonly unsampled: number
  }
  readonly reading: FileReading
}

export interface CalibrationOptions {
  readonly where: string
  /** How to read beliefs. Absent: as the debates have them, like `readDebateFile`. */
  readonly beliefs?: BeliefReading | undefined
  /** Rounds that a debate must have. Absent: as many as the first debate. */
  readonly rounds?: number
  /** Whether several models may have answered for one agent. */
  readonly mixedModels?: boolean
  /** If it is `total`, no debate may have been stopped by a decision. */
  readonly profile?: Profile
}

/** Labelled debates, ready for calibration. Unusable debates are dropped and counted. */
export async function calibrationDebates(
  debates: AsyncIterable<RecordedDebate>,
  { where, beliefs, rounds: wanted, mixedModels = false, profile }: CalibrationOptions,
): Promise<CalibrationDebates> {
  const reader = debateReader(beliefs === undefined ? {} : { beliefs }, where, { isCompact: true })
  const contents = contentColumns()
  const served = collectServed()
  const dropped = { unlabelled: 0, failed: 0, short: 0, unsampled: 0 }
  const rows: CalibrationRows = { lengths: [], end: [], places: [] }
  const sampled = { all: 0, stopped: 0 }
  for await (const { value: recorded, place } of debates) {
    refuseChosen(recorded, place, where)
    const value = isStoppedDebate(recorded) ? asBroken(recorded) : recorded
    // For `total`, a short debate that does not say why it is short is refused below: it may have been stopped by a decision.
    const drop = dropOf(value, profile === 'total' ? undefined : wanted)
    if (drop !== 'unsampled') sampled.all += 1
    if (isStoppedDebate(recorded) && drop !== 'unsampled') {
      sampled.stopped += 1
      if (profile === 'total') throw new FileError(`${where}: ${place}: ${STOPPED_SENTENCE}`)
    }
    if (drop !== null) {
      dropped[drop] += 1
      continue
    }
    const debate = value as Debate // the reader checks it
    const read = (beliefs ?? 'given') === 'given' ? debate : withoutBeliefs(debate, `${where}: ${place}`)
    const { record } = reader.add(read, place)
    rows.lengths.push(debate.rounds.length)
    rows.end.push(record.isFailed ? 'failed' : record.ended === 'protocol' ? 'protocol' : 'whole')
    rows.places.push(place)
    const content = contentOf(debate)
    if (content !== null) contents.set(record.id, content)
    served.add(value)
  }
  if (!isMostlyDebated(sampled)) throw new FileError(`${where}: ${stoppedWords(sampled)}`)
  const rounds = roundsOf(rows, wanted, where)
  if (rounds === null) throw noDebates(where, dropped, rows.lengths.length)
  if (!mixedModels) refuseMixture(served.all(), where)
  const read = reader.debates()
  const questionOf = (id: string) => contents.keyOf(id) ?? id
  const reading = fileReading(read, questionOf)
  refuseUnread(reading, where)
  return {
    read,
    rounds,
    contents,
    served: served.all(),
    padded: rows.lengths.filter((length, row) => length < rounds && rows.end[row] === 'failed').length,
    dropped,
    questionOf,
    reading,
  }
}

const STOPPED_SENTENCE =
  'ended must be null or "protocol" for profile total, got "stopped": a decision stopped this debate, so wrong actions that a ' +
  'new policy would take in later rounds are hidden. Debate on wherever `isSpotCheck` is true and post every round, or calibrate ' +
  'with another profile, which counts the missing rounds as wrong'

/** Whether a decision ended the debate before its last round. */
export function isStoppedDebate(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'ended' in value && value.ended === 'stopped'
}

/** Profiles other than `total` count the missing rounds of a broken debate as wrong, which covers every possible outcome. */
function asBroken(debate: object): object {
  const count = 'rounds' in debate && Array.isArray(debate.rounds) ? debate.rounds.length : 0
  return { ...debate, ended: null, failure: { agent: null, round: count + 1 } }
}

/** Counts of sampled debates. */
export interface SampledDebates {
  readonly all: number
  /** Stopped when they were decided. */
  readonly stopped: number
}

/** At most this share may have stopped. */
const MOST_STOPPED = 0.02

/** Whether the sampled debates with all rounds represent all sampled debates. */
export function isMostlyDebated({ all, stopped }: SampledDebates): boolean {
  return stopped <= MOST_STOPPED * all
}

export function stoppedWords({ all, stopped }: SampledDebates): string {
  return (
    `${countText(stopped)} of ${countText(all)} debates that were sampled for a spot check did not reach their last ` +
    `round, and at most ${MOST_STOPPED * 100} % may be missing. Those that were acted on early are missing most: what is ` +
    'left are the hard questions, not a random sample of the population. Debate on wherever `isSpotCheck` is true, and post every round.'
  )
}

/** Throws for debates that people or the panel chose. They are not dropped, because the user expects them to count. */
function refuseChosen(value: unknown, place: string, where: string): void {
  const source: unknown = typeof value === 'object' && value !== null && 'source' in value ? value.source : null
  if (source !== 'deferral' && source !== 'request') return
  const why =
    source === 'deferral'
      ? 'deferrals are the questions that the panel found hard'
      : 'people chose what they sent to review'
  throw new FileError(
    `${where}: ${place}: source must be "spot-check" or "import", got "${source}": ${why}, ` +
      'not a random sample of the population',
  )
}

/** Why a row cannot be used. Null for a usable row, and for a value that is no debate, which the reader refuses. */
function dropOf(value: unknown, wanted: number | undefined): keyof CalibrationDebates['dropped'] | null {
  if (typeof value !== 'object' || value === null) return null
  const { failure, ended, isSpotCheck, rounds }: Readonly<Record<string, unknown>> = { ...value }
  const count = Array.isArray(rounds) ? rounds.length : Infinity
  const isFailed = (failure ?? null) !== null
  if (isSpotCheck === false) return 'unsampled'
  if (isFailed && count === 0) return 'failed'
  if (!hasLabel(value)) return 'unlabelled'
  return !isFailed && ended !== 'protocol' && wanted !== undefined && count < wanted ? 'short' : null
}

/** One list per column, because an object per row takes too much memory for a million rows. */
interface CalibrationRows {
  readonly lengths: number[]
  readonly end: ('failed' | 'protocol' | 'whole')[]
  readonly places: string[]
}

/** Rounds of every debate, except those that failed or that their protocol ended; null if all of them failed. */
function roundsOf({ lengths, end, places }: CalibrationRows, wanted: number | undefined, where: string): number | null {
  const longest = lengths.reduce((most, count, row) => (end[row] === 'protocol' ? Math.max(most, count) : most), 0)
  const first = lengths[end.indexOf('whole')] ?? longest
  if (first === 0) return null
  const rounds = wanted ?? first
  const other = lengths.findIndex((count, row) => (end[row] === 'whole' ? count !== rounds : count > rounds))
  if (other < 0) return rounds
  const expected = `${rounds === 1 ? '1 round' : `${rounds} rounds`} like the first debate, since calibration needs every round`
  throw new CertificateError(where, `${places[other]}.rounds`, expected, lengths[other])
}

function noDebates(where: string, dropped: CalibrationDebates['dropped'], failedLater: number): Error {
  const { unlabelled, failed, short, unsampled } = dropped
  const received = `none: ${unlabelled} without the right option, ${failed + failedLater} that failed, ${short} that stopped early, ${unsampled} not sampled`
  return new FileError(`${where}: debates must be at least one labelled debate with every round, got ${received}`)
}

/** Each id may be set once. */
export function contentColumns(): ContentColumns {
  const rowOf = new Map<string, number>()
  const blocks: Buffer[] = []
  // Options that are bare letters or numbers have no text, in either reading.
  const isBare: Uint8Array[] = []

  function contentAt(row: number): Content {
    const block = blocks[Math.floor(row / ROWS)]
    const digest = (place: number) => {
      const start = (row % ROWS) * ROW + place * BYTES
      return block?.toString('hex', start, start + BYTES) ?? ''
    }
    const bare = isBare[Math.floor(row / ROWS)]?.[row % ROWS] === 1
    return {
      asked: digest(0),
      whole: bare ? null : digest(1),
      folded: { asked: digest(2), whole: bare ? null : digest(3) },
    }
  }

  return {
    set(id, { asked, whole, folded }) {
      const row = rowOf.size
      if (row % ROWS === 0) {
        blocks.push(Buffer.alloc(ROWS * ROW))
        isBare.push(new Uint8Array(ROWS))
      }
      rowOf.set(id, row)
      const [block, marks] = [blocks.at(-1), isBare.at(-1)]
      for (const [place, digest] of [asked, whole, folded.asked, folded.whole].entries()) {
        block?.write(digest ?? '', (row % ROWS) * ROW + place * BYTES, 'hex')
      }
      if (marks !== undefined) marks[row % ROWS] = whole === null ? 1 : 0
    },
    keyOf(id) {
      const row = rowOf.get(id)
      return row === undefined ? undefined : contentKey(contentAt(row))
    },
    *[Symbol.iterator]() {
      for (let row = 0; row < rowOf.size; row++) yield contentAt(row)
    },
  }
}
