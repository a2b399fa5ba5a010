import {
  type Budget,
  type Certificate,
  type DeferReason,
  fingerprintDifferences,
  resolveKnnOptions,
  resolvePromise,
  type TotalCertificate,
} from '@quorate/certificate'
import type { ResolvedConfig } from '../config/resolve-config.ts'
import { promiseLine } from '../text/budget-line.ts'
import { envelopeText } from '../text/local-options.ts'
import { plainText } from '../text/plain-text.ts'
import type { Certified } from './calibration/certified.ts'
import { isAmong } from './calibration/content-hash.ts'
import { type Difference, differenceText, panelDifferences } from './calibration/panel-differences.ts'
import { type PanelFingerprint, panelFingerprint } from './calibration/panel-fingerprint.ts'
import { comparedSettings, hasNewRules } from './calibration/panel-settings.ts'
import type { IntakeRow } from './intake.ts'
import { RunError, type RunPlan } from './run-plan.ts'
import { readStoredQuestion } from './stored-question.ts'

/** How the questions of a run are decided. */
export interface Deciding {
  readonly certified: Certified
  /** Fields of the fingerprint in which the panel differs from the calibrated one. */
  readonly mismatch: readonly string[]
  /** The same differences with both values. */
  readonly differences: readonly Difference[]
  /** Whether the panel may decide despite a mismatch. */
  readonly allowMismatch: boolean
  /** Whether the certificate has a bound for this panel's first round. It knows agents by their names. */
  readonly isReadable: boolean
  /** The reason why every question is deferred, whatever the panel would answer; null if there is none. */
  readonly upFront: DeferReason | 'suspended' | null
  /** Ids of questions that are among the calibration rows. */
  readonly seen: ReadonlySet<string>
  /** Whether the rules of the config send more questions to a person than during calibration. */
  readonly hasNewRules: boolean
}

export interface Permissions {
  /** Decide although the panel differs from the calibrated one. */
  readonly allowMismatch: boolean
  /** Decide questions that the certificate was calibrated on. */
  readonly allowSeen: boolean
}

/** Compares the panel and the questions with the certificate, before anything is asked. */
export function prepareDeciding(
  certified: Certified,
  { panel, rows }: { readonly panel: RunPlan['panel']; readonly rows: readonly IntakeRow[] },
  { allowMismatch, allowSeen }: Permissions,
): Deciding {
  const { certificate } = certified
  const here = comparedFingerprint(certificate, panel)
  const mismatch = fingerprintDifferences(certificate.fingerprint, here)
  const differences = panelDifferences(certificate.fingerprint, here)
  const seen = rows
    .filter(({ questionId, question }) => isSeen(certified, { questionId, question: question() }))
    .map(({ questionId }) => questionId)
  if (seen.length > 0 && !allowSeen) throw seenError(seen)
  const isReadable = coversFirstRound(certificate, here)
  const isRuled = hasNewRules(panelFingerprint(panel).settings ?? {}, certificate.fingerprint.settings)
  const isOther = !isReadable || (mismatch.length > 0 && !allowMismatch)
  const upFront = isOther ? 'uncalibrated' : idleReason(certificate)
  return {
    certified,
    mismatch,
    differences,
    allowMismatch,
    isReadable,
    upFront,
    seen: new Set(seen),
    hasNewRules: isRuled,
  }
}

/**
 * Throws if every question would be deferred because the panel is not the calibrated one. The deferrals would be the latest
 * decisions on the questions, in place of earlier answers.
 */
export function refuseOtherPanel(
  certified: Certified,
  { panel, path }: { readonly panel: RunPlan['panel']; readonly path: string },
  allowMismatch: boolean,
): void {
  const permissions = { allowMismatch, allowSeen: true }
  const { upFront, differences, isReadable } = prepareDeciding(certified, { panel, rows: [] }, permissions)
  if (upFront !== 'uncalibrated') return
  const choice = isReadable
    ? '. Or pass --allow-mismatch to decide without a promise (recorded)'
    : '. --allow-mismatch cannot help, because the certificate knows agents by their names'
  throw new RunError(
    `the panel is not the one that ${plainText(path)} was calibrated for (${differences.map(differenceText).join('; ')}), so every row ` +
      'would be deferred. Nothing was asked. Use the certificate of this panel, or move this one away, so that run makes one ' +
      `from the rows with a label${choice}`,
  )
}

/** The fingerprint of a panel for comparison. Additional rules that send questions to a person are no difference. */
export function comparedFingerprint(
  { fingerprint, ...certificate }: Certificate,
  panel: RunPlan['panel'],
): PanelFingerprint {
  const here = panelFingerprint(panel)
  const isSelective = certificate.kind === 'total' && certificate.promise.kind === 'selective'
  const settings = here.settings && comparedSettings(here.settings, fingerprint.settings, isSelective)
  return { ...here, settings }
}

/** Prepares a server, whose questions come one by one. A mismatch does not defer them here: it suspends the policy. */
export function prepareServing(certified: Certified, panel: RunPlan['panel'], allowMismatch: boolean): Deciding {
  const permissions = { allowMismatch: true, allowSeen: true }
  // Which model served a reply is only known from the reply, so it is still checked in each debate.
  return { ...prepareDeciding(certified, { panel, rows: [] }, permissions), allowMismatch }
}

/** What a config declares about every certificate that decides under it. */
export interface DeclaredPromise {
  readonly budget: ResolvedConfig['budget']
  readonly profile: ResolvedConfig['profile']
  readonly local?: ResolvedConfig['local']
  readonly relative?: ResolvedConfig['relative']
}

/** Throws if the config asks for another budget than the certificate was made for, since it can only decide by its own. */
export function refuseOtherBudget(
  certificate: Certificate,
  asked: DeclaredPromise & { readonly deferGroups?: ResolvedConfig['deferGroups'] },
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

/** The promise of a certificate and the one that a config declares, in words. */
export interface PromiseDifference {
  readonly made: string
  readonly declared: string
  /** Flags that declare what the certificate promises. */
  readonly flags: string
}

/** How the certificate's budget, floor, kind of promise or profile differs from the declared one; null if none does. */
export function promiseDifference(certificate: Certificate, declared: DeclaredPromise): PromiseDifference | null {
  const { budget, profile } = certificate
  const asked = withSelectedBeta(certificate, declared)
  if (certificate.kind === 'total' && asked.profile === 'total') return totalDifference(certificate, asked.budget)
  // The profiles cells and total need no epsilon, whatever the config says about it.
  const needsEpsilon = profile === 'tight' || profile === 'paper'
  const names = needsEpsilon ? (['beta', 'delta', 'epsilon'] as const) : (['beta', 'delta'] as const)
  const isSame = names.every((name) => budget[name] === asked.budget[name])
  if (isSame && profile === asked.profile) {
    return selectionDifference(certificate, asked) ?? localDifference(certificate, asked)
  }
  const text = (which: DeclaredPromise) =>
    [...names.map((name) => `${name} ${which.budget[name]}`), `profile ${which.profile}`].join(', ')
  const flags = [
    ...(isSame ? [] : names.map((name) => `--${name} ${budget[name]}`)),
    ...(profile === asked.profile ? [] : [`--profile ${profile}`]),
  ]
  return { made: text({ budget, profile }), declared: text(asked), flags: flags.join(' ') }
}

/** A promise about the mean of selected betas differs from one about a beta declared before any label was read. */
function selectionDifference({ budget }: Certificate, { relative }: DeclaredPromise): PromiseDifference | null {
  if (budget.selectedUpTo === undefined || relative !== undefined) return null
  const made = `beta ${budget.beta}, selected by looking at labels up to ${budget.selectedUpTo}`
  const flags = `budget.relative and beta: ${budget.selectedUpTo} in the config`
  return { made, declared: `beta ${budget.beta}, declared before`, flags }
}

/** A config with a relative beta agrees with every beta that was selected up to the one it declares. */
function withSelectedBeta({ budget: { beta, selectedUpTo } }: Certificate, asked: DeclaredPromise): DeclaredPromise {
  if (asked.relative === undefined || selectedUpTo !== asked.budget.beta) return asked
  return { ...asked, budget: { ...asked.budget, beta } }
}

/**
 * Another envelope is another assumption. A function that a program passed in is not compared, because a config has no name
 * for it.
 */
function localDifference(certificate: Certificate, { budget, local = {} }: DeclaredPromise): PromiseDifference | null {
  if (certificate.kind !== 'knn') return null
  const { options, fingerprint, profile } = certificate
  const usual = resolveKnnOptions('decide', profile, local)
  const state = local.state ?? (profile === 'paper' ? 'paper' : 'learned')
  const pairs = [
    ['envelope', envelopeText(options.envelope), envelopeText(usual.envelope)],
    ['smoother', options.smoother, usual.smoother],
    ['rho', String(options.rho), String(usual.rho)],
    ['concentration', options.concentration, usual.concentration],
    ['kFamily', `[${options.kFamily.join(', ')}]`, `[${usual.kFamily.join(', ')}]`],
    ['state', fingerprint.state, typeof state === 'object' ? fingerprint.state : state],
    ['deltaOmega', String(certificate.budget.deltaOmega), String(budget.deltaOmega ?? 0)],
  ] as const
  const own = typeof options.envelope === 'object' && 'of' in options.envelope ? ['envelope', 'rho'] : []
  const isOwn = (name: string) => own.includes(name) || (name === 'state' && fingerprint.state.startsWith('custom:'))
  const other = pairs.filter(([name, made, asked]) => made !== asked && !isOwn(name))
  if (other.length === 0) return null
  const text = (place: 1 | 2) => other.map((pair) => `${pair[0]} ${pair[place]}`).join(', ')
  const keys = other.map(([name, made]) => `${name === 'deltaOmega' ? 'budget' : 'certificate'}.${name}: ${made}`)
  return { made: text(1), declared: text(2), flags: `${keys.join(', ')} in the config` }
}

/** Throws if the certificate may act on a group that the config defers. Deferring more groups is stricter, and allowed. */
export function refuseUndeferredGroups(certificate: Certificate, asked: readonly string[]): void {
  const deferred = certificate.kind === 'total' ? certificate.deferredGroups : []
  const missing = asked.filter((group) => !deferred.includes(group))
  if (missing.length === 0) return
  throw new RunError(
    `certificate.deferGroups of the config has ${missing.map((group) => JSON.stringify(plainText(group))).join(', ')}, and the ` +
      'certificate would act on such questions: calibrate again, or take the group out of the config',
  )
}

/** The attempt is not compared, because a config declares none. */
function totalDifference({ promise }: TotalCertificate, asked: Budget): PromiseDifference | null {
  const wanted = resolvePromise('decide', { beta: asked.beta, ...asked.total, attempt: promise.attempt })
  const [made, declared] = [promiseLine(promise), promiseLine(wanted)]
  if (made === declared) return null
  const { kind, beta, delta, floor } = promise
  return { made, declared, flags: `--beta ${beta} --delta ${delta} --floor ${floor ?? 'none'} --promise ${kind}` }
}

/** Why a certificate never acts, so that asking the panel would be pointless; null if it may act. */
function idleReason(certificate: Certificate): DeferReason | null {
  if (!certificate.feasible) return 'budget-infeasible'
  return certificate.canAct() ? null : 'too-few-labels'
}

function coversFirstRound({ fingerprint: { agents, panels } }: Certificate, here: PanelFingerprint): boolean {
  const [calibrated, names] = [new Set(agents?.[0]), here.agents?.[0] ?? []]
  return names.every((name) => calibrated.has(name)) && (panels === 'varying' || names.length === calibrated.size)
}

const IDS = new WeakMap<Certified, ReadonlySet<string>>()

/** Whether a question is among the calibration rows, by its id or by its content. */
export function isSeen(
  certified: Certified,
  { questionId, question }: { readonly questionId: string; readonly question: string | null },
): boolean {
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
