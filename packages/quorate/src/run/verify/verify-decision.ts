import { type Debate, type Decision, decide } from '@quorate/certificate'
import { z } from 'zod'
import { decisionSchema, isBarred, isFailedDebate } from '../../record/decision.ts'
import type { Certified } from '../calibration/certified.ts'
import { unexpectedModels } from '../calibration/served-models.ts'

const NEAR = 1e-12

/** Recomputed values are compared as they are recorded, including unknown fields and an option named `__proto__`. */
const recordSchema = decisionSchema.extend({
  path: z.array(z.record(z.string(), z.unknown())),
  debate: z.looseObject({ rounds: z.array(z.unknown()) }),
})

type Recorded = z.infer<typeof recordSchema>

export interface DecisionFault {
  readonly reason: string
  /** True: the record is consistent, but this version computes another result from it. */
  readonly isRecomputed: boolean
}

/** The certificate of a bundle. If another version wrote it, perhaps only its id can be read. */
export type BundledCertificate =
  | { readonly kind: 'usable'; readonly id: string; readonly certified: Certified }
  | { readonly kind: 'unreadable'; readonly id: string; readonly reason: string }

/** How a recorded decision contradicts the certificate; null if it decides the same, with bounds equal to 1e-12. */
export function decisionFault(body: unknown, certificate: BundledCertificate | null): DecisionFault | null {
  const read = recordSchema.safeParse(body)
  const changed = (reason: string) => ({ reason, isRecomputed: false })
  if (!read.success) return changed(`expected a decision: ${read.error.issues[0]?.path.join('.')} is missing or wrong`)
  const record = read.data
  if (record.certificateId !== certificate?.id) return changed('it was decided with another certificate')
  const reason = certificate.kind === 'usable' ? recomputed(record, certificate.certified) : certificate.reason
  return reason === null ? null : { reason, isRecomputed: true }
}

/** How the recomputed decision differs from the record; null if it does not. */
function recomputed(record: Recorded, certified: Certified): string | null {
  if (record.debate.rounds.length === 0) return undebatedFault(record, certified)
  const isUnexpected = unexpectedModels(record.debate, certified.served).length > 0
  if (isUnexpected !== record.mismatch.includes('served')) {
    return isUnexpected
      ? 'models answered that the certificate does not cover, and its mismatch does not name them'
      : NONE_UNEXPECTED
  }
  if (record.reason === 'uncalibrated' && isUnexpected) return otherPanelFault(record, certified)
  const again = decideAgain(certified, record)
  if (typeof again === 'string') return again
  if (record.reason === 'shadow' && again.kind !== 'act') {
    return `it is recorded as one that would have been acted on, but recomputed it is ${again.kind}`
  }
  // A suspended policy, shadow mode or a rule of the user defers what would have acted. The arithmetic is checked anyway.
  const isSetAside = isBarred(record.reason) || record.reason === 'always-review'
  if (record.kind === 'defer' && isSetAside) return pathFault(again, record)
  const kind =
    again.kind === 'continue' && (isFailedDebate(record.reason) || record.reason === 'bound-low') ? 'defer' : again.kind
  if (kind !== record.kind) return `it is recorded as ${record.kind}, but recomputed it is ${again.kind}`
  if (again.kind === 'defer' && again.reason !== record.reason) {
    return `the recorded reason is ${record.reason}, but recomputed it is ${again.reason}`
  }
  if (again.kind === 'act') {
    const isSame = again.answer === record.answer && again.round === record.round && isNear(again.bound, record.bound)
    if (!isSame) {
      return (
        `the record has ${JSON.stringify(record.answer)} in round ${record.round} with the bound ${record.bound}, ` +
        `but recomputed it is ${JSON.stringify(again.answer)} in round ${again.round} with the bound ${again.bound}`
      )
    }
  }
  return pathFault(again, record)
}

function pathFault(again: Decision, { path }: Recorded): string | null {
  if (isNear(again.path, path)) return null
  const difference = largestDifference(again.path, path)
  return `its recomputed arithmetic differs: values differ${difference === null ? '' : ` by up to ${difference.toPrecision(2)}`}`
}

const NONE_UNEXPECTED = 'its mismatch names models that were not calibrated, but none of them answered'

/** Checks a question that was deferred because of the models in its last round. The rounds before must not have decided. */
function otherPanelFault(record: Recorded, certified: Certified): string | null {
  const { kind, path, debate } = record
  if (kind !== 'defer' || path.length !== debate.rounds.length - 1)
    return 'it was not deferred where other models answered'
  if (path.length === 0) return null
  const before = { ...record, debate: { ...debate, rounds: debate.rounds.slice(0, -1) } }
  const again = decideAgain(certified, before)
  if (typeof again === 'string') return again
  if (again.kind !== 'continue') return `before other models answered, recomputed it is ${again.kind}`
  return pathFault(again, record)
}

/** Checks a question that was deferred before the panel was asked, or without a finished round. */
function undebatedFault({ kind, reason, mismatch, path }: Recorded, { certificate }: Certified): string | null {
  const isFounded =
    isFailedDebate(reason) ||
    reason === 'suspended' ||
    reason === 'always-review' ||
    (reason === 'uncalibrated' && mismatch.length > 0) ||
    (reason === 'budget-infeasible' && !certificate.feasible) ||
    (reason === 'too-few-labels' && !certificate.canAct())
  return kind === 'defer' && path.length === 0 && isFounded
    ? null
    : 'it was decided without a round and without a reason'
}

function decideAgain({ certificate }: Certified, { debate }: Recorded): Decision | string {
  try {
    return decide(certificate, debate as unknown as Debate) // decide reads it as it reads any debate
  } catch (error) {
    return `its debate cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Whether two values are equal except in the last digits of numbers. */
function isNear(left: unknown, right: unknown): boolean {
  if (typeof left === 'number' && typeof right === 'number') return Math.abs(left - right) <= NEAR
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => isNear(item, right[index]))
  }
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return left === right
  const names = Object.keys(left).filter((name) => Reflect.get(left, name) !== undefined)
  const others = Object.keys(right).filter((name) => Reflect.get(right, name) !== undefined)
  return (
    names.length === others.length && names.every((name) => isNear(Reflect.get(left, name), Reflect.get(right, name)))
  )
}

/** The largest difference between numbers in the same place; null if there is none. */
function largestDifference(left: unknown, right: unknown): number | null {
  if (typeof left === 'number' && typeof right === 'number') return Math.abs(left - right)
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return null
  const differences = Object.keys(left).map((name) =>
    largestDifference(Reflect.get(left, name), Reflect.get(right, name)),
  )
  return differences.reduce((most, next) => (next === null || (most !== null && most >= next) ? most : next), null)
}
