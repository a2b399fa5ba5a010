import {
  type Budget,
  budgetSentences,
  type Certificate,
  type ClassCount,
  calibrate,
  cellsAlphaRule,
  className,
  type Dials,
  declaredInstead,
  dialsAround,
  groupPrefix,
  knnAlphaRule,
  loadCertificate,
  type Replay,
  type ResolvedBudget,
  replay,
  resolveBudget,
  silenceSentences,
  type TotalCertificate,
  type TotalPromise,
  totalSentences,
  usualBudget,
} from '@quorate/certificate'
import type { OperatingPoint } from 'quorate/contract'
import type { FrontierPoint } from 'quorate/figures'
import { type Change, changeOf } from './change.ts'
import { inOrderOf } from './debate-columns.ts'
import { type ReplayFigures, replayFigures } from './replay-figures.ts'
import { asBudget, type Profile, RANGES, type Settings } from './settings.ts'
import { asGiven, readColumns, readStored, type StoredDebates } from './stored-debates.ts'

/** Facts that do not depend on the sliders. */
export interface ReplayFacts {
  /** The settings that the certificate was made with. */
  readonly declared: Settings
  readonly rounds: number
  readonly labels: number
  readonly debates: number
  /** Whether the store has all debates that the certificate was made from, so that other profiles can be fitted. */
  readonly canFit: boolean
  readonly unfinished: OperatingPoint['unfinished']
  readonly leftOut: OperatingPoint['leftOut']
}

export interface Decided {
  readonly settings: Settings
  readonly budget: ResolvedBudget
  readonly figures: ReplayFigures
  /** The figures of the same debates under the certificate in use. */
  readonly current: ReplayFigures
  readonly change: Change
  readonly claim: readonly string[]
  /** Classes and dials of profile total; null for other profiles. */
  readonly total: DecidedTotal | null
  /** Present if nothing is acted on: the smallest beta that acts, with the usual split; null if none does. */
  readonly leastBeta?: number | null
}

export interface DecidedTotal {
  readonly classes: readonly {
    readonly name: string
    readonly rows: number
    readonly right: number
    readonly lower: number
    readonly state: ClassCount['state']
  }[]
  readonly silence: readonly string[]
  /** Null if no stored debate represents the population. */
  readonly dials: Dials | null
}

export type Stage = 'reading' | 'fitting' | 'deciding'

/** Counts of the expensive steps so far. */
export interface WorkDone {
  readonly fits: number
  readonly replays: number
  readonly decisions: number
}

/** Decides stored debates again under any settings. Nothing leaves the browser and nothing is stored. */
export interface ReplayEngine {
  readonly facts: ReplayFacts
  decide(settings: Settings, report: (stage: Stage) => void): Decided
  /** Figures of the labelled representative debates under several betas, with the usual split. */
  path(profile: Profile): readonly FrontierPoint[]
  workDone(): WorkDone
}

/** The betas that are marked on the frontier's curve. */
const PATH_BETAS = [0.02, 0.05, 0.1, 0.15, 0.2, 0.3]

interface Fitted {
  readonly certificate: Certificate
  readonly replayed: Replay
}

/** Null if there is no certificate, or if it was fitted from states and cannot read debates. */
export function createReplay(point: OperatingPoint): ReplayEngine | null {
  const file = point.certificate
  if (typeof file !== 'object' || file === null) return null
  const loaded = loadCertificate(file)
  const reading = loaded.panel
  if (reading === null) return null
  const certificate = asGiven(loaded, reading)
  const calibration = inOrderOf(certificate.ids ?? [], point.calibration)
  const isGrouped = 'groupConditional' in file && file.groupConditional === true
  const declared = declaredBy(certificate)
  const stored = readStored(point, reading)
  const done = { fits: 0, replays: 0, decisions: 0 }
  const fits = new Map<Profile, Fitted>()

  function fittedFor(profile: Profile, beta: number, report: (stage: Stage) => void): Fitted {
    const known = fits.get(profile)
    if (known !== undefined) return known
    const fitted = profile === declared.profile ? certificate : fit(profile, beta, report)
    report('deciding')
    done.replays += 1
    const made = { certificate: fitted, replayed: replay(fitted, stored.read) }
    fits.set(profile, made)
    return made
  }

  function fit(profile: Profile, beta: number, report: (stage: Stage) => void): Certificate {
    if (calibration === null || reading === null) throw new Error('the store has not all labelled debates')
    report('reading')
    const read = readColumns(calibration, reading)
    report('fitting')
    done.fits += 1
    // The split of the certificate is kept, so that the same rows teach and the same rows are counted.
    const { split } = certificate
    return calibrate(read, { profile, budget: usualBudget(beta, profile), split, groupConditional: isGrouped })
  }

  const least = new Map<Profile, number | null>()
  function leastBeta(profile: Profile, replayed: Replay): number | null {
    const known = least.get(profile)
    const found = known === undefined ? leastActing(replayed, stored, profile) : known
    least.set(profile, found)
    return found
  }

  const acts = new Map<string, number | null>()
  const kind = certificate.kind === 'total' ? certificate.promise.kind : 'pac'
  const inUse = fittedFor(declared.profile, declared.beta, () => {})
  const before = inUse.replayed.at(declaredBudget(certificate)).actedAt
  const current = replayFigures(stored, before)
  return {
    facts: {
      declared,
      rounds: certificate.rounds,
      labels: certificate.ids?.length ?? 0,
      debates: stored.read.debates.length,
      canFit: calibration !== null,
      unfinished: point.unfinished,
      leftOut: point.leftOut,
    },
    decide(settings, report) {
      const fitted = fittedFor(settings.profile, settings.beta, report)
      const budget = budgetOf(settings, { declared: certificate, fitted: fitted.certificate, kind })
      const requested = settings.profile === 'total' ? asBudget(settings, kind) : budget
      done.decisions += 1
      const { actedAt } = fitted.replayed.at(requested)
      const figures = replayFigures(stored, actedAt)
      return {
        settings,
        budget,
        figures,
        ...(figures.acted?.count === 0 ? { leastBeta: leastBeta(settings.profile, fitted.replayed) } : {}),
        current,
        change: changeOf(stored, before, actedAt),
        ...(fitted.certificate.kind === 'total'
          ? promised(
              fitted.certificate.withBudget(declaredInstead(fitted.certificate, requested)),
              inUse.certificate,
              dialsOf(fitted.replayed, stored, { settings, kind, acts }),
            )
          : { claim: budgetSentences({ ...fitted.certificate, budget, groupConditional: isGrouped }), total: null }),
      }
    },
    path: (profile) => pathOf(fittedFor(profile, declared.beta, () => {}).replayed, stored, profile),
    workDone: () => ({ ...done }),
  }
}

function declaredBy(certificate: Certificate): Settings {
  const { budget, profile } = certificate
  const floor = certificate.kind === 'total' ? certificate.promise.floor : null
  return { beta: budget.beta, delta: budget.delta, epsilon: budget.epsilon, profile, floor }
}

function declaredBudget(certificate: Certificate): Budget {
  if (certificate.kind === 'total') return asBudget(declaredBy(certificate), certificate.promise.kind)
  const { beta, delta, epsilon, deltaOmega } = certificate.budget
  return { beta, delta, epsilon, deltaOmega }
}

/** `declared` is the certificate in use, whose promise was fixed before anybody saw the labels. */
function promised(
  certificate: TotalCertificate,
  declared: Certificate,
  dials: Dials | null,
): Pick<Decided, 'claim' | 'total'> {
  const { promise } = certificate
  const before = declared.kind === 'total' ? declared.promise : null
  const isTried = promise.beta !== before?.beta || promise.floor !== before.floor || promise.kind !== before.kind
  const classes = [...certificate.outcomes].flatMap(([group, outcome]) =>
    outcome.classes.map((count) => {
      const { rows, right, lower, state } = count
      return { name: `${groupPrefix(group)}${className(count)}`, rows, right, lower, state }
    }),
  )
  const total = { classes, silence: silenceSentences(certificate), dials }
  return { claim: totalSentences(certificate, { isTried }), total }
}

interface DialSettings {
  readonly settings: Settings
  readonly kind: TotalPromise['kind']
  /** Shares that were computed before, by budget. Most points of both curves stay the same when a dial moves. */
  readonly acts: Map<string, number | null>
}

/** Null if no stored debate represents the population. */
function dialsOf(replayed: Replay, stored: StoredDebates, { settings, kind, acts }: DialSettings): Dials | null {
  const actAt = (moved: Settings) => {
    const budget = asBudget(moved, kind)
    const key = JSON.stringify(budget)
    const known = acts.get(key)
    if (known !== undefined) return known
    const act = replayFigures(stored, replayed.at(budget).actedAt).acted?.share ?? null
    acts.set(key, act)
    return act
  }
  return actAt(settings) === null ? null : dialsAround(settings, (moved) => actAt({ ...settings, ...moved }) ?? 0)
}

/** The envelope keeps its share of delta. Cells ignore epsilon. */
function budgetOf(
  settings: Settings,
  {
    declared,
    fitted,
    kind,
  }: { readonly declared: Certificate; readonly fitted: Certificate; readonly kind: TotalPromise['kind'] },
): ResolvedBudget {
  const { beta, delta, epsilon } = settings
  const deltaOmega = (delta * declared.budget.deltaOmega) / declared.budget.delta
  const { rounds } = fitted
  if (fitted.kind === 'total') return fitted.withBudget(declaredInstead(fitted, asBudget(settings, kind))).budget
  const rule = fitted.kind === 'cells' ? cellsAlphaRule(fitted.design, rounds) : knnAlphaRule(fitted.options, rounds)
  return resolveBudget('operating point', { beta, delta, epsilon, deltaOmega }, rule)
}

/** Tries betas upwards in the steps of the slider, because the smallest one that acts is usually low. */
function leastActing(replayed: Replay, stored: StoredDebates, profile: Profile): number | null {
  const { min, max, step } = RANGES.beta
  for (let count = 0; count <= Math.round((max - min) / step); count++) {
    const beta = Math.round((min + count * step) * 1e6) / 1e6
    const { acted } = replayFigures(stored, replayed.at(usualBudget(beta, profile)).actedAt)
    if (acted !== null && acted.count > 0) return beta
  }
  return null
}

/** Empty if debates stopped early: their outcome is unknown, so each beta would be a range and not a point. */
function pathOf(replayed: Replay, stored: StoredDebates, profile: Profile): FrontierPoint[] {
  if (stored.unfinished.short > 0) return []
  return PATH_BETAS.flatMap((beta) => {
    const { labelled, wrong, byRound } = replayFigures(stored, replayed.at(usualBudget(beta, profile)).actedAt)
    if (wrong === null) return []
    return [
      { beta, act: byRound.reduce((sum, round) => sum + round.labelled, 0) / labelled, wrongActions: wrong.share },
    ]
  })
}
