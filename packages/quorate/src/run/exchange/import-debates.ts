import { createHash } from 'node:crypto'
import { canonicalJson, type Debate, parseDebate, sha256 } from '@quorate/certificate'
import { z } from 'zod'
import { FileError, refusal } from '../../files/file-error.ts'
import { checkDebateNames } from '../../files/plain-names.ts'
import { refuseQuestions } from '../../files/refuse-questions.ts'
import { redactedDebate } from '../../record/debate.ts'
import { ledgerLineSchema } from '../../record/ledger.ts'
import { ID_WORDS, isDotSegment } from '../../record/names.ts'
import { findStored, parseStored } from '../../record/parse-stored.ts'
import type { Question } from '../../record/question.ts'
import type { LedgerEntry, Millis, NewRunQuestion, Run, Store, StoredDebate } from '../../store/store.ts'
import type { RecordedDebate } from '../calibration/calibration-debates.ts'
import { hasQuestions } from '../open-run.ts'
import { writeQuestion } from '../stored-question.ts'

export interface ImportTools {
  readonly now: () => Millis
  readonly newId: () => string
}

export interface DebateImport extends ImportTools {
  /** Name of the file in errors. */
  readonly where: string
}

const CONFIG = canonicalJson({ imported: true })
/** So many debates are saved concurrently, so that their commits share a write to the disk. */
const SAVED_AT_ONCE = 100

/**
 * Imports debates of another tool as a run of their own. Nothing is known about their panel. The debates are read twice, so
 * that nothing is written before all of them are checked. The run stays open until the last one is written. Until then it can
 * be neither calibrated on nor exported. Importing the same file again continues an import that was killed.
 */
export async function importDebates(
  store: Store,
  debates: () => AsyncIterable<RecordedDebate>,
  options: DebateImport,
): Promise<Run> {
  const { rows, questionsHash } = await questionsOf(debates(), options.where)
  const run =
    (await unfinished(store, { rows, questionsHash })) ?? (await begin(store, { rows, questionsHash }, options))
  const body = { kind: 'debate', imported: true, questions: rows.length, questionsHash, certificateId: null }
  if ((await lastKind(store, run.id)) === null)
    await log(store, run.id, { kind: 'run-opened', body, at: options.now() })
  const written = await saveAll(store, run.id, debates(), options)
  if (written !== rows.length) throw new FileError(`${options.where}: it changed while it was read. Import it again`)
  if ((await lastKind(store, run.id)) !== 'run-closed') {
    await log(store, run.id, { kind: 'run-closed', body: { questions: rows.length }, at: options.now() })
  }
  await store.runs.finish(run.id)
  return { ...run, status: 'done' }
}

const importedSchema = z.object({ imported: z.literal(true) })

/** Whether the debates of the run were imported from another tool. */
export function isImported({ config }: Run): boolean {
  return findStored(importedSchema, config) !== null
}

/** Whether the import of the run ended before its last debate was written. */
export function isHalfImported(run: Run): boolean {
  return run.status === 'open' && isImported(run)
}

interface Rows {
  readonly rows: readonly NewRunQuestion[]
  readonly questionsHash: string
}

async function questionsOf(debates: AsyncIterable<RecordedDebate>, where: string): Promise<Rows> {
  const rows: NewRunQuestion[] = []
  const placeOf = new Map<string, string>()
  const hash = createHash('sha256')
  for await (const { value, place } of debates) {
    const question = questionOf(value, { where, place })
    const first = placeOf.get(question.id)
    if (first !== undefined) {
      throw refusal(`${where}: ${place}: id`, `a unique id: ${first} has the same`, question.id)
    }
    placeOf.set(question.id, place)
    // The hash covers only what remains after texts are erased, because a hash of the texts would outlive them.
    hash.update(`${redactedDebate(JSON.stringify(value))}\n`)
    rows.push({
      position: rows.length,
      questionId: question.id,
      question: writeQuestion(question),
      isSpotCheck: false,
    })
  }
  if (rows.length === 0) throw new FileError(`${where}: expected debates, got none`)
  return { rows, questionsHash: hash.digest('hex') }
}

async function unfinished(store: Store, { rows, questionsHash }: Rows): Promise<Run | null> {
  const run = await store.runs.latest({ configHash: sha256(CONFIG), questionsHash, kind: 'debate' })
  if (run === null || run.status === 'done') return null
  return (await hasQuestions(store, run.id, rows)) ? run : null
}

async function begin(store: Store, { rows, questionsHash }: Rows, { now, newId }: ImportTools): Promise<Run> {
  const run: Run = {
    id: newId(),
    kind: 'debate',
    createdAt: now(),
    configHash: sha256(CONFIG),
    questionsHash,
    config: CONFIG,
    certificateId: null,
    isShadow: false,
    seed: 0,
    status: 'open',
  }
  await store.runs.create(run, rows)
  return run
}

async function saveAll(
  store: Store,
  runId: string,
  debates: AsyncIterable<RecordedDebate>,
  options: DebateImport,
): Promise<number> {
  let count = 0
  let batch: StoredDebate[] = []
  const save = async () => {
    await Promise.all(batch.map((debate) => store.debates.save(debate)))
    count += batch.length
    batch = []
  }
  for await (const { value, place } of debates) {
    const { id, rounds } = parseDebate(value, { elicitation: 'given', where: options.where, place })
    const debate = JSON.stringify(value)
    batch.push({ runId, questionId: id, debate, rounds: rounds.length, status: 'done', at: options.now() })
    if (batch.length >= SAVED_AT_ONCE) await save()
  }
  await save()
  return count
}

const kindSchema = ledgerLineSchema.pick({ kind: true })

/** Kind of the last ledger row, so that a row which a killed import had written is not written again. */
async function lastKind(store: Store, runId: string): Promise<string | null> {
  const head = await store.ledger.head(runId)
  return head === null ? null : parseStored(kindSchema, head.line, `the ledger of run ${runId}`).kind
}

async function log(store: Store, runId: string, entry: Pick<LedgerEntry, 'kind' | 'body' | 'at'>): Promise<void> {
  await store.ledger.append({ runId, ...entry, texts: [] })
}

function questionOf(value: unknown, { where, place }: { readonly where: string; readonly place: string }): Question {
  refuseQuestions(value, `${where}: ${place}`)
  checkDebateNames(value, `${where}: ${place}`)
  const { id, group, options, gold } = parseDebate(value, { elicitation: 'given', where, place })
  if (isDotSegment(id)) throw refusal(`${where}: ${place}.id`, ID_WORDS, id)
  const debate = value as Debate & { readonly question?: unknown } // parseDebate has checked the rest
  const textOf = (name: string): string => {
    const texts = Array.isArray(debate.options) ? {} : debate.options
    const text: unknown = Object.hasOwn(texts, name) ? Reflect.get(texts, name) : name
    return typeof text === 'string' ? text : name
  }
  return {
    id,
    group,
    question: typeof debate.question === 'string' ? debate.question : id,
    options: options.map((name) => ({ name, text: textOf(name) })),
    gold: gold === null ? null : (options[gold] ?? null),
  }
}
