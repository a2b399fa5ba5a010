import { type BeliefReading, type Debate, hasLabel, isUnjudged, readDebates } from '@quorate/certificate'
import { FileError } from '../../files/file-error.ts'
import { checkDebateNames } from '../../files/plain-names.ts'
import { parseLine, readLines } from '../../files/read-lines.ts'
import { withoutBeliefs } from '../../files/without-beliefs.ts'
import { certificateSchema } from '../../record/certificate.ts'
import { isRandomSample } from '../../record/label.ts'
import { jsonOf, parseStored } from '../../record/parse-stored.ts'
import type { Run, RunQuestion, Store, StoredDebate, StoredLabel } from '../../store/store.ts'
import { plainText } from '../../text/plain-text.ts'
import { PAGE_ROWS, questionRows } from '../pages.ts'
import type { RecordedDebate } from './calibration-debates.ts'
import { readingOf } from './panel-fingerprint.ts'
import { recordedPanel } from './recorded-panel.ts'

/** `JSON.stringify` is recursive, so very deep values would overflow the stack. */
const MOST_LEVELS = 100

/** The debates of a JSONL file. */
export async function* debatesOfFile(path: string): AsyncGenerator<RecordedDebate> {
  let line = 0
  for await (const text of readLines(path)) {
    line += 1
    if (text.trim() === '') continue
    const place = `line ${line}`
    const value = parsed(text, `${plainText(path)}: ${place}`)
    checkDebateNames(value, `${plainText(path)}: ${place}`)
    yield { value, place }
  }
}

/** A question whose debate is wanted, and whether it was sampled for a spot check. */
export type ListedQuestion = Pick<RunQuestion, 'questionId' | 'isSpotCheck'>

/**
 * The debates of a run as they are exported and used for calibration, in the order of question ids, or only the `wanted` ones
 * in their order. The label comes from the question or from a later label. If that says that nobody can tell, `verdict` does
 * too. `failure` marks a debate that broke off, `ended` one that a decision stopped. In a run that decided, only sampled
 * debates count. The others have `isSpotCheck` false: they stopped when they were decided, so they are not a random sample of
 * the population. The grades of a person are matched to the panel's answer of each round. That answer depends on how beliefs
 * are read: as the run's panel elicited them, unless `beliefs` is given.
 */
export async function* debatesOfRun(
  store: Store,
  run: Run,
  {
    wanted,
    beliefs,
  }: { readonly wanted?: readonly ListedQuestion[]; readonly beliefs?: BeliefReading | undefined } = {},
): AsyncGenerator<RecordedDebate> {
  const sampled = run.kind === 'decide' ? await spotChecksOf(wanted ?? questionRows(store, run.id)) : null
  const panel = recordedPanel(run)
  const rounds = panel?.rounds ?? (sampled === null ? 0 : await certifiedRounds(store, run))
  const reading = beliefs ?? (panel === null ? undefined : readingOf(panel.elicitation))
  const stored = wanted === undefined ? storedPages(store, run.id) : wantedDebates(store, run.id, wanted)
  for await (const page of stored) {
    for (const { row, value, label } of await labelled(store, page)) {
      const { questionId, status } = row
      const place = `question ${JSON.stringify(questionId)}`
      if (typeof value !== 'object' || value === null) {
        yield { value, place }
        continue
      }
      const isSpotCheck = sampled === null || sampled.has(questionId)
      // A sampled question is debated through all rounds. With fewer it failed after its decision, or a caller that runs its
      // own debates stopped when it was decided.
      const isShort = sampled !== null && isSpotCheck && row.rounds < rounds
      const isStopped = isShort && status === 'done' && panel === null
      const isBroken = !isStopped && (status !== 'done' || isShort)
      const marked = {
        ...value,
        ...(isStopped ? { ended: 'stopped' } : {}),
        ...(isBroken ? { failure: failureOf(value, row.rounds) } : {}),
        ...(isSpotCheck ? {} : { isSpotCheck }),
        ...(label === null ? {} : { verdict: undefined, ...rightIn(value as Debate, label, reading) }), // read by the reader in there
      }
      yield { value: marked, place }
    }
  }
}

const fingerprintSchema = certificateSchema.pick({ fingerprint: true })

/** Rounds of the certificate, which decides debates that callers run themselves. */
async function certifiedRounds({ certificates }: Store, { certificateId }: Run): Promise<number> {
  const stored = certificateId === null ? null : await certificates.find(certificateId)
  return stored === null
    ? 0
    : parseStored(fingerprintSchema, stored.file, `certificate ${certificateId}`).fingerprint.rounds
}

/** The recorded failure. After a time-out there is no agent to name. */
function failureOf(debate: object, rounds: number): object {
  const recorded: unknown = 'failure' in debate ? debate.failure : null
  return typeof recorded === 'object' && recorded !== null ? recorded : { agent: null, round: rounds + 1 }
}

async function spotChecksOf(
  questions: AsyncIterable<ListedQuestion> | Iterable<ListedQuestion>,
): Promise<ReadonlySet<string>> {
  const sampled = new Set<string>()
  for await (const { questionId, isSpotCheck } of questions) if (isSpotCheck) sampled.add(questionId)
  return sampled
}

async function* wantedDebates(
  { debates }: Store,
  runId: string,
  wanted: readonly ListedQuestion[],
): AsyncGenerator<readonly StoredDebate[]> {
  for (const { questionId } of wanted) {
    const stored = await debates.find(runId, questionId)
    if (stored !== null) yield [stored]
  }
}

/** Most bytes per page, because debates may be long and a whole page is in memory. */
const PAGE_BYTES = 4 * 2 ** 20

export async function* storedDebates(store: Store, runId: string): AsyncGenerator<StoredDebate> {
  for await (const page of storedPages(store, runId)) yield* page
}

async function* storedPages({ debates }: Store, runId: string): AsyncGenerator<readonly StoredDebate[]> {
  for (let after: string | null = null; ; ) {
    const page: readonly StoredDebate[] = await debates.list(runId, { after, limit: PAGE_ROWS, mostBytes: PAGE_BYTES })
    if (page.length > 0) yield page
    // A short page may have reached its limit of bytes, so only an empty page is the end.
    after = page.at(-1)?.questionId ?? null
    if (after === null) return
  }
}

interface LabelledDebateRow {
  readonly row: StoredDebate
  readonly value: unknown
  /** A label that is not part of the recorded debate; null if there is none. */
  readonly label: StoredLabel | null
}

/** Labels of deferrals, and of actions that people sent to review, never count, because they are no random sample. */
async function labelled({ labels }: Store, page: readonly StoredDebate[]): Promise<readonly LabelledDebateRow[]> {
  const read = page.map((row) => ({ row, value: jsonOf(row.debate) }))
  const unlabelled = read.filter(({ value }) => !hasLabel(value) || wasUnjudged(value)).map(({ row }) => row.questionId)
  const latest = new Map<string, StoredLabel>()
  for (const label of await labels.ofAll(unlabelled)) {
    const { questionId, runId, source } = label
    // Another run may have asked something else under the same id; an imported label is about the question in every run.
    if (!isRandomSample(source) || (runId !== null && runId !== page[0]?.runId)) continue
    latest.set(questionId, label)
  }
  return read.map(({ row, value }) => ({ row, value, label: latest.get(row.questionId) ?? null }))
}

/** The label as fields of a debate. */
function rightIn(debate: Debate, label: StoredLabel, beliefs: BeliefReading | undefined): object {
  const { gold, verdict = 'option', grades = null, text = null, by } = label
  if (grades === null) return { gold, ...(verdict === 'option' ? {} : { verdict }) }
  const right = new Map(grades.map(({ answer, right: isRight }) => [answer, isRight]))
  const correct = [...right].flatMap(([answer, isRight]) => (isRight === true ? [answer] : []))
  if (verdict === 'answer') return { correct, ...(text === null ? {} : { gold_text: text }) }
  const rounds = gradedRounds(debate, beliefs)
  // The reader of the debate reports why it cannot be read.
  if (rounds === null) return { correct }
  const graded = rounds.map((answer, at) => ({
    round: at + 1,
    right: right.get(answer) ?? null,
    by: by === null ? 'person' : `person:${by}`,
    answer,
  }))
  return { grades: graded }
}

/** The panel's answer of each round; null: the debate cannot be read. */
function gradedRounds(debate: Debate, beliefs: BeliefReading | undefined): readonly string[] | null {
  const { gold: _, correct: __, grades: ___, audits: ____, ...bare } = debate
  try {
    const value = (beliefs ?? 'given') === 'given' ? bare : withoutBeliefs(bare, 'debate')
    const [read] = readDebates([value], beliefs === undefined ? {} : { beliefs }).debates
    return read?.rounds.map(({ prediction }) => read.record.options[prediction] ?? '') ?? null
  } catch {
    return null // the reader of the debate reports why
  }
}

/** Whether an imported debate has no right answer yet. A later label may add it. */
function wasUnjudged(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'verdict' in value && isUnjudged(value.verdict)
}

function parsed(text: string, place: string): unknown {
  const value = parseLine(text, place)
  if (!isDeeperThan(value, MOST_LEVELS)) return value
  throw new FileError(`${place} must be nested ${MOST_LEVELS} levels deep at most, got more`)
}

/** Whether a parsed JSON value has more levels of lists and objects than this. Does not recurse. */
function isDeeperThan(value: unknown, levels: number): boolean {
  let level: readonly unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    const inner = level.filter((member) => typeof member === 'object' && member !== null)
    if (inner.length > 0 && depth >= levels) return true
    level = inner.flatMap((member) => (Array.isArray(member) ? member : Object.values(member)))
  }
  return false
}
