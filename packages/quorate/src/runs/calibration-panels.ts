import { CertificateError, type Debate, type Elicitation, type Panels, panelReader } from '@quorate/certificate'
import { FileError } from '../files/file-error.ts'
import { withoutBeliefs } from '../files/without-beliefs.ts'
import { type Content, contentKey, contentOf } from './content-hash.ts'
import { collectServed, refuseMixture, type ServedDebates } from './served-models.ts'

/** A recorded debate from a file or the store, not checked yet. */
export interface RecordedDebate {
  readonly value: unknown
  /** What the reader of an error calls it. */
  readonly place: string
}

export interface CalibrationPanels {
  readonly panels: Panels
  readonly rounds: number
  /** What was asked, where the text is known. */
  readonly contents: readonly Content[]
  /** Who answered, as far as the debates say. */
  readonly served: ServedDebates
  /** Debates that failed after their first round: they count, and as wrong in the rounds that they lack. */
  readonly padded: number
  readonly dropped: {
    readonly unlabelled: number
    /** Debates that failed in their first round: such a debate is never acted on. */
    readonly failed: number
    /** Debates that stopped before their last round: they cannot say what the later ones would have been. */
    readonly short: number
    /** Debates of a run that decided, and were not drawn at random: no draws from the population. */
    readonly undrawn: number
  }
  /** Debates that ask the same question share a key. */
  readonly questionOf: (id: string) => string
}

export interface CalibrationOptions {
  readonly where: string
  readonly beliefs: Elicitation
  /** Rounds that a debate must have; absent: as many as the first one. */
  readonly rounds?: number
  /** Accept that several models answered for one agent. */
  readonly mixedModels?: boolean
}

/** Labelled debates, ready to calibrate on; what cannot be used is dropped and counted. */
export async function calibrationPanels(
  debates: AsyncIterable<RecordedDebate>,
  { where, beliefs, rounds: wanted, mixedModels = false }: CalibrationOptions,
): Promise<CalibrationPanels> {
  const reader = panelReader({ beliefs }, where)
  const contents = new Map<string, Content>()
  const served = collectServed()
  const dropped = { unlabelled: 0, failed: 0, short: 0, undrawn: 0 }
  const rows: HeldRow[] = []
  for await (const { value, place } of debates) {
    const drop = dropOf(value, wanted)
    if (drop !== null) {
      dropped[drop] += 1
      continue
    }
    const debate = value as Debate // the reader checks it
    const { record } = reader.add(beliefs === 'given' ? debate : withoutBeliefs(debate), place)
    rows.push({ held: record.rounds.length, isFailed: record.isFailed, place })
    const content = contentOf(debate)
    if (content !== null) contents.set(record.id, content)
    served.add(value)
  }
  const rounds = roundsOf(rows, wanted, where)
  if (rounds === null) throw noDebates(where, dropped, rows.length)
  if (!mixedModels) refuseMixture(served.all(), where)
  return {
    panels: reader.panels(),
    rounds,
    contents: [...contents.values()],
    served: served.all(),
    padded: rows.filter(({ held }) => held < rounds).length,
    dropped,
    questionOf(id) {
      const content = contents.get(id)
      return content === undefined ? id : contentKey(content)
    },
  }
}

/** Why a row cannot be used; null for one that can, and for what is no debate: the reader refuses it. */
function dropOf(value: unknown, wanted: number | undefined): keyof CalibrationPanels['dropped'] | null {
  if (typeof value !== 'object' || value === null) return null
  const { gold, failure, isDrawn, rounds }: Readonly<Record<string, unknown>> = { ...value }
  const held = Array.isArray(rounds) ? rounds.length : Infinity
  const isFailed = (failure ?? null) !== null
  if (isDrawn === false) return 'undrawn'
  if (isFailed && held === 0) return 'failed'
  if ((gold ?? null) === null) return 'unlabelled'
  return !isFailed && wanted !== undefined && held < wanted ? 'short' : null
}

interface HeldRow {
  readonly held: number
  readonly isFailed: boolean
  readonly place: string
}

/** Rounds that every debate has, but for those that failed, which may have fewer; null when all of them failed. */
function roundsOf(rows: readonly HeldRow[], wanted: number | undefined, where: string): number | null {
  const first = rows.find(({ isFailed }) => !isFailed)
  if (first === undefined) return null
  const rounds = wanted ?? first.held
  const other = rows.find(({ held, isFailed }) => (isFailed ? held > rounds : held !== rounds))
  if (other === undefined) return rounds
  const expected = `${rounds === 1 ? '1 round' : `${rounds} rounds`} like the first debate, since calibration needs every round`
  throw new CertificateError(where, `${other.place}.rounds`, expected, other.held)
}

function noDebates(where: string, dropped: CalibrationPanels['dropped'], failedLater: number): Error {
  const { unlabelled, failed, short, undrawn } = dropped
  const received = `none: ${unlabelled} without the right option, ${failed + failedLater} that failed, ${short} that stopped early, ${undrawn} not drawn`
  return new FileError(`${where}: debates must be at least one labelled debate with every round, got ${received}`)
}
