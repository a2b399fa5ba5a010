import { CertificateError, type Debate, type Elicitation, type Panels, panelReader } from '@quorate/certificate'
import { withoutBeliefs } from '../files/without-beliefs.ts'
import { contentHash } from './content-hash.ts'
import { collectServed, type ServedModels } from './served-models.ts'

/** A recorded debate from a file or the store, not checked yet. */
export interface RecordedDebate {
  readonly value: unknown
  /** What the reader of an error calls it. */
  readonly place: string
  /** Why it cannot be used, where that is known; null or absent: it may be. */
  readonly drop?: 'failed' | 'undrawn' | null
}

export interface CalibrationPanels {
  readonly panels: Panels
  readonly rounds: number
  /** Content hashes of the questions whose text is known. */
  readonly contents: readonly string[]
  /** Who answered, as far as the debates say. */
  readonly served: ServedModels
  readonly dropped: {
    readonly unlabelled: number
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
}

/** Labelled debates with all their rounds, ready to calibrate on; what cannot be used is dropped and counted. */
export async function calibrationPanels(
  debates: AsyncIterable<RecordedDebate>,
  { where, beliefs, rounds: wanted }: CalibrationOptions,
): Promise<CalibrationPanels> {
  const reader = panelReader({ beliefs }, where)
  const contents = new Map<string, string>()
  const served = collectServed()
  const dropped = { unlabelled: 0, failed: 0, short: 0, undrawn: 0 }
  let rounds = wanted
  for await (const { value, place, drop = null } of debates) {
    const { gold, failure, held, content } = aboutOf(value)
    if (drop !== null) dropped[drop] += 1
    else if (failure) dropped.failed += 1
    else if (!gold) dropped.unlabelled += 1
    else if (wanted !== undefined && held < wanted) dropped.short += 1
    else {
      const debate = value as Debate // the reader checks it
      const { record } = reader.add(beliefs === 'given' ? debate : withoutBeliefs(debate), place)
      rounds ??= record.rounds.length
      checkRounds(record.rounds.length, rounds, { where, place })
      if (content !== null) contents.set(record.id, content)
      served.add(value)
    }
  }
  if (rounds === undefined || reader.panels().panels.length === 0) {
    throw new CertificateError(where, 'debates', 'at least one labelled debate', saidOf(dropped))
  }
  return {
    panels: reader.panels(),
    rounds,
    contents: [...contents.values()],
    served: served.all(),
    dropped,
    questionOf: (id) => contents.get(id) ?? id,
  }
}

interface About {
  readonly gold: boolean
  readonly failure: boolean
  readonly held: number
  readonly content: string | null
}

/** What decides over a row, of a value that may be anything: the reader refuses what is no debate. */
function aboutOf(value: unknown): About {
  if (typeof value !== 'object' || value === null) return { gold: true, failure: false, held: Infinity, content: null }
  const { gold, failure, rounds, question, options }: Readonly<Record<string, unknown>> = { ...value }
  const isNamed = typeof options === 'object' && options !== null
  return {
    gold: (gold ?? null) !== null,
    failure: (failure ?? null) !== null,
    held: Array.isArray(rounds) ? rounds.length : Infinity,
    content: isNamed ? contentHash({ question, options: options as Debate['options'] }) : null, // only hashed here
  }
}

function checkRounds(held: number, rounds: number, { where, place }: { where: string; place: string }): void {
  if (held === rounds) return
  const expected = `${rounds === 1 ? '1 round' : `${rounds} rounds`} like the first debate, since calibration needs every round`
  throw new CertificateError(where, `${place}.rounds`, expected, held)
}

function saidOf({ unlabelled, failed, short, undrawn }: CalibrationPanels['dropped']): string {
  return `none: ${unlabelled} without the right option, ${failed} that failed, ${short} that stopped early, ${undrawn} not drawn`
}
