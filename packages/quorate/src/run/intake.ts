import { createHash, createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto'
import { canonicalJson } from '@quorate/certificate'
import type { Question } from '../record/question.ts'
import type { QuestionSampling } from '../record/run.ts'
import type { RunQuestion } from '../store/store.ts'
import type { RunPlan } from './run-plan.ts'
import { writeQuestion } from './stored-question.ts'

export interface Intake {
  readonly rows: readonly IntakeRow[]
  /** SHA-256 of the ids in order. The texts are not hashed: the hash would let anyone check guesses of an erased text. */
  readonly hash: string
}

export interface IntakeRow extends Pick<RunQuestion, 'position' | 'questionId'> {
  /** The question as the store keeps it. */
  readonly question: () => string
}

/** Reads the questions into the form that a run stores. */
export async function intakeOf(questions: AsyncIterable<Question>): Promise<Intake> {
  const hash = createHash('sha256')
  const rows: IntakeRow[] = []
  const keep = createTextStore()
  for await (const question of questions) {
    hash.update(`${JSON.stringify(question.id)}\n`)
    rows.push({ position: rows.length, questionId: question.id, question: keep(writeQuestion(question)) })
  }
  return { rows, hash: hash.digest('hex') }
}

const CHUNK_BYTES = 2 ** 20

/** Keeps texts as bytes outside the heap, which a file of 100,000 rows would fill. Each text is decoded when it is read. */
function createTextStore(): (text: string) => () => string {
  let chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
  let used = 0
  return (text) => {
    const bytes = Buffer.byteLength(text)
    if (bytes > chunk.length - used) {
      chunk = Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, bytes))
      used = 0
    }
    const [own, start, end] = [chunk, used, used + bytes]
    own.write(text, start)
    used = end
    return () => own.toString('utf8', start, end)
  }
}

export type SampledRow = IntakeRow & QuestionSampling

/** Samples the questions to spot-check, once the run has its id and before any call. Without a key none is sampled. */
export function sampleRows(
  rows: readonly IntakeRow[],
  { spotCheckRate }: RunPlan,
  { runId, key }: { readonly runId: string; readonly key: string | null },
): readonly SampledRow[] {
  if (key === null) return rows.map((row) => ({ ...row, isSpotCheck: false, samplingKey: null, samplingRate: null }))
  const sampling = { samplingKey: 1, samplingRate: spotCheckRate }
  return rows.map((row) => ({
    ...row,
    isSpotCheck: isSampled(row.questionId, { runId, key, spotCheckRate }),
    ...sampling,
  }))
}

export interface SamplingTerms {
  readonly runId: string
  readonly spotCheckRate: number
  /** A sampling key of the run: 32 bytes in hexadecimal digits. */
  readonly key: string
}

/**
 * Whether a question is sampled for a spot check: HMAC-SHA256 of run and question under a secret key of the run. Nobody
 * can predict it without the key. A question that is asked again in another run is sampled afresh. Anyone with the
 * disclosed key can repeat the selection.
 */
export function isSampled(questionId: string, { runId, key, spotCheckRate }: SamplingTerms): boolean {
  const message = canonicalJson(['spot-check', runId, questionId])
  const digits = createHmac('sha256', secretOf(key)).update(message).digest('hex').slice(0, 13)
  return Number.parseInt(digits, 16) / 2 ** 52 < spotCheckRate
}

let lastSecret: { readonly key: string; readonly secret: KeyObject } | null = null

/** A run samples with one key at a time, and preparing a key takes longer than a selection. So the last key is kept. */
function secretOf(key: string): KeyObject {
  if (lastSecret?.key !== key) lastSecret = { key, secret: createSecretKey(Buffer.from(key, 'hex')) }
  return lastSecret.secret
}

/** The SHA-256 of a key, which the ledger has before the key is disclosed. */
export function commitmentOf(key: string): string {
  return hash('sha256', Buffer.from(key, 'hex'))
}
