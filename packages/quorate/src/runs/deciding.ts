import { type DeferReason, fingerprintDifferences } from '@quorate/certificate'
import { plainText } from '../report/plain-text.ts'
import type { RunQuestion } from '../store/store.ts'
import type { Certified } from './certified.ts'
import { contentHashOf } from './content-hash.ts'
import { panelFingerprint } from './panel-fingerprint.ts'
import { RunError, type RunPlan } from './run-plan.ts'
import { readStoredQuestion } from './stored-question.ts'

/** How the questions of a run are decided. */
export interface Deciding {
  readonly certified: Certified
  /** Fields in which the panel is not the calibrated one. */
  readonly mismatch: readonly string[]
  /** Whether it may decide all the same. */
  readonly allowMismatch: boolean
  /** A reason for which every question is deferred, whatever the panel would say. */
  readonly upFront: DeferReason | 'held' | null
  /** Ids of questions that are among the calibration rows. */
  readonly seen: ReadonlySet<string>
}

export interface Permissions {
  /** Decide although the panel is not the calibrated one. */
  readonly allowMismatch: boolean
  /** Decide questions that the certificate was calibrated on. */
  readonly allowSeen: boolean
}

type Asked = Pick<RunQuestion, 'questionId' | 'question'>

/** Compares panel and questions with the certificate, before anything is asked. */
export function prepareDeciding(
  certified: Certified,
  { panel, rows }: { readonly panel: RunPlan['panel']; readonly rows: readonly Asked[] },
  { allowMismatch, allowSeen }: Permissions,
): Deciding {
  const { certificate } = certified
  const mismatch = fingerprintDifferences(certificate.fingerprint, panelFingerprint(panel))
  const seen = rows.filter((row) => isSeen(certified, row)).map(({ questionId }) => questionId)
  if (seen.length > 0 && !allowSeen) throw seenError(seen)
  const isOther = mismatch.length > 0 && !allowMismatch
  const upFront = isOther ? 'uncalibrated' : certificate.feasible ? null : 'budget-infeasible'
  return { certified, mismatch, allowMismatch, upFront, seen: new Set(seen) }
}

const IDS = new WeakMap<Certified, ReadonlySet<string>>()

/** Whether a question is among the calibration rows, by its id or by its content. */
export function isSeen(certified: Certified, { questionId, question }: Asked): boolean {
  const ids = IDS.get(certified) ?? new Set(certified.certificate.ids)
  IDS.set(certified, ids)
  if (ids.has(questionId)) return true
  const content = question === null ? null : contentHashOf(readStoredQuestion(question))
  return content !== null && certified.contents.has(content)
}

function seenError(seen: readonly string[]): RunError {
  const [first = ''] = seen
  const others = seen.length === 1 ? '' : ` and ${seen.length - 1} others`
  return new RunError(
    `the question ${JSON.stringify(plainText(first))}${others} must be new to the certificate, got one of its calibration ` +
      'questions: its guarantee is about new questions; leave them out, or say --allow-seen, which is recorded',
  )
}
