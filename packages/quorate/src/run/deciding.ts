import {
  type Budget,
  type Certificate,
  type DeferReason,
  fingerprintDifferences,
  resolvePromise,
  type TotalCertificate,
} from '@quorate/certificate'
import type { ResolvedConfig } from '../config/resolve-config.ts'
import type { RunQuestion } from '../store/store.ts'
import { promiseLine } from '../text/budget-line.ts'
import { plainText } from '../text/plain-text.ts'
import type { Certified } from './calibration/certified.ts'
import { isAmong } from './calibration/content-hash.ts'
import { type Difference, panelDifferences } from './calibration/panel-differences.ts'
import { type PanelFingerprint, panelFingerprint } from './calibration/panel-fingerprint.ts'
import { RunError, type RunPlan } from './run-plan.ts'
import { readStoredQuestion } from './stored-question.ts'

/** How the questions of a run are decided. */
export interface Deciding {
  readonly certified: Certified
  /** Fields in which the panel is not the calibrated one. */
  readonly mismatch: readonly string[]
  /** The same with both values. */
  readonly differences: readonly Difference[]
  /** Whether it may decide all the same. */
  readonly allowMismatch: boolean
  /** Whether the certificate has a bound for this panel's first round: it knows agents by their names. */
  readonly isReadable: boolean
  /** A reason for which every question is deferred, whatever the panel would say. */
  readonly upFront: DeferReason | 'suspended' | null
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
  const here = panelFingerprint(panel)
  const mismatch = fingerprintDifferences(certificate.fingerprint, here)
  const differences = panelDifferences(certificate.fingerprint, here)
  const seen = rows.filter((row) => isSeen(certified, row)).map(({ questionId }) => questionId)
  if (seen.length > 0 && !allowSeen) throw seenError(seen)
  const isReadable = holdsFirstRound(certificate, here)
  const isOther = !isReadable || (mismatch.length > 0 && !allowMismatch)
  const upFront = isOther ? 'uncalibrated' : idleReason(certificate)
  return { certified, mismatch, differences, allowMismatch, isReadable, upFront, seen: new Set(seen) }
}

/** For questions that come one by one. Mismatches are the policy's business, which is suspended for them. */
export function prepareServing(certified: Certified, panel: RunPlan['panel'], allowMismatch: boolean): Deciding {
  const permissions = { allowMismatch: true, allowSeen: true }
  // What only a reply can tell, who served it, is still asked of each debate.
  return { ...prepareDeciding(certified, { panel, rows: [] }, permissions), allowMismatch }
}

type Declared = Pick<ResolvedConfig, 'budget' | 'profile'>

/** A certificate decides by the budget it was made for: to ask for another and be given this one would be a lie. */
export function refuseOtherBudget(
  certificate: Certificate,
  asked: Declared & Partial<Pick<ResolvedConfig, 'deferGroups'>>,
): void {
  refuseUndeferredGroups(certificate, asked.deferGroups ?? [])
  const difference = promiseDifference(certificate, asked)
  if (difference === null) return
  const { made, declared, flags } = difference
  throw new RunError(
    `the certificate was made for ${made}, the config with its flags says ${declared}: calibrate again for that, or ` +
      `decide as the certificate does with ${flags}`,
  )
}

/** The promise of a certificate beside the one that a config declares, in words. */
export interface PromiseDifference {
  readonly made: string
  readonly declared: string
  /** Flags that declare what the certificate promises. */
  readonly flags: string
}

/** How the certificate's budget, floor, kind of promise or profile differs from the declared one; null if none does. */
export function promiseDifference(certificate: Certificate, asked: Declared): PromiseDifference | null {
  const { budget, profile } = certificate
  if (certificate.kind === 'total' && asked.profile === 'total') return totalDifference(certificate, asked.budget)
  // Cells and total need no epsilon, whatever a config sets aside for it.
  const needsEpsilon = profile === 'tight' || profile === 'paper'
  const names = needsEpsilon ? (['beta', 'delta', 'epsilon'] as const) : (['beta', 'delta'] as const)
  const isSame = names.every((name) => budget[name] === asked.budget[name])
  if (isSame && profile === asked.profile) return null
  const text = (which: Declared) =>
    [...names.map((name) => `${name} ${which.budget[name]}`), `profile ${which.profile}`].join(', ')
  const flags = [
    ...(isSame ? [] : names.map((name) => `--${name} ${budget[name]}`)),
    ...(profile === asked.profile ? [] : [`--profile ${profile}`]),
  ]
  return { made: text({ budget, profile }), declared: text(asked), flags: flags.join(' ') }
}

/** A certificate that defers more groups than the config asks for is stricter, and may decide. */
export function refuseUndeferredGroups(certificate: Certificate, asked: readonly string[]): void {
  const deferred = certificate.kind === 'total' ? certificate.deferredGroups : []
  const missing = asked.filter((group) => !deferred.includes(group))
  if (missing.length === 0) return
  throw new RunError(
    `certificate.deferGroups of the config has ${missing.map((group) => JSON.stringify(plainText(group))).join(', ')}, and the ` +
      'certificate would act on such questions: calibrate again, or take the group out of the config',
  )
}

/** The attempt is the certificate's own matter: a config declares none. */
function totalDifference({ promise }: TotalCertificate, asked: Budget): PromiseDifference | null {
  const wanted = resolvePromise('decide', { beta: asked.beta, ...asked.total, attempt: promise.attempt })
  const [made, declared] = [promiseLine(promise), promiseLine(wanted)]
  if (made === declared) return null
  const { kind, beta, delta, floor } = promise
  return { made, declared, flags: `--beta ${beta} --delta ${delta} --floor ${floor ?? 'none'} --promise ${kind}` }
}

/** Why a certificate never acts, so that asking would be for nothing; null where it may. */
function idleReason(certificate: Certificate): DeferReason | null {
  if (!certificate.feasible) return 'budget-infeasible'
  return certificate.canAct() ? null : 'too-few-labels'
}

function holdsFirstRound({ fingerprint: { agents, panels } }: Certificate, here: PanelFingerprint): boolean {
  const [calibrated, names] = [new Set(agents?.[0]), here.agents?.[0] ?? []]
  return names.every((name) => calibrated.has(name)) && (panels === 'varying' || names.length === calibrated.size)
}

const IDS = new WeakMap<Certified, ReadonlySet<string>>()

/** Whether a question is among the calibration rows, by its id or by its content. */
export function isSeen(certified: Certified, { questionId, question }: Asked): boolean {
  const ids = IDS.get(certified) ?? new Set(certified.certificate.ids)
  IDS.set(certified, ids)
  return ids.has(questionId) || (question !== null && isAmong(certified.contents, readStoredQuestion(question)))
}

function seenError(seen: readonly string[]): RunError {
  const [first = ''] = seen
  const name = JSON.stringify(plainText(first))
  return new RunError(
    seen.length === 1
      ? `1 question was used for calibration (${name}), so the guarantee does not cover it. Remove it, or pass ` +
          '--allow-seen to decide it without a guarantee (recorded).'
      : `${seen.length} questions were used for calibration (first: ${name}), so the guarantee does not cover them. Remove ` +
          'them, or pass --allow-seen to decide them without a guarantee (recorded).',
  )
}
