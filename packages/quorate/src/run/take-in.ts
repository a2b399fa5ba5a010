import { createHash, createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto'
import { canonicalJson } from '@quorate/certificate'
import type { Question } from '../record/question.ts'
import type { RunQuestion } from '../store/store.ts'
import type { RunPlan } from './run-plan.ts'
import { writeQuestion } from './stored-question.ts'

export interface Intake {
  readonly rows: readonly TakenIn[]
  /** SHA-256 over the ids in their order. Not over texts: what is erased must not be there to be guessed. */
  readonly hash: string
}

export interface TakenIn extends Pick<RunQuestion, 'position' | 'questionId'> {
  /** As the store keeps it. */
  readonly question: () => string
}

/** The questions as a run keeps them. */
export async function takeIn(questions: AsyncIterable<Question>): Promise<Intake> {
  const hash = createHash('sha256')
  const rows: TakenIn[] = []
  const keep = createTextStore()
  for await (const question of questions) {
    hash.update(`${JSON.stringify(question.id)}\n`)
    rows.push({ position: rows.length, questionId: question.id, question: keep(writeQuestion(question)) })
  }
  return { rows, hash: hash.digest('hex') }
}

const CHUNK_BYTES = 2 ** 20

/** Keeps texts as bytes beside the heap, where a file of 100,000 rows would fill it: nobody reads them twice in a row. */
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

export type SampledRow = TakenIn & Pick<RunQuestion, 'isSpotCheck' | 'samplingKey' | 'samplingRate'>

/** Draws the questions that are spot-checked, when the run has its id and before any call; without a key none. */
export function drawRows(
  rows: readonly TakenIn[],
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

export interface Coin {
  readonly runId: string
  readonly spotCheckRate: number
  /** A sampling key of the run: 32 bytes in hexadecimal digits. */
  readonly key: string
}

/**
 * Tosses the coin of a question: HMAC-SHA256 of run and question under a secret of the run. Nobody without the key can
 * predict it, questions that come back every night are sampled afresh, and everybody who has the disclosed key can toss
 * it again.
 */
export function isSampled(questionId: string, { runId, key, spotCheckRate }: Coin): boolean {
  const message = canonicalJson(['spot-check', runId, questionId])
  const digits = createHmac('sha256', secretOf(key)).update(message).digest('hex').slice(0, 13)
  return Number.parseInt(digits, 16) / 2 ** 52 < spotCheckRate
}

let lastSecret: { readonly key: string; readonly secret: KeyObject } | null = null

/** A run tosses all its coins with one key: to make it ready takes longer than a toss. */
function secretOf(key: string): KeyObject {
  if (lastSecret?.key !== key) lastSecret = { key, secret: createSecretKey(Buffer.from(key, 'hex')) }
  return lastSecret.secret
}

/** What the ledger says of a key before it is disclosed: its SHA-256. */
export function commitmentOf(key: string): string {
  return hash('sha256', Buffer.from(key, 'hex'))
}
