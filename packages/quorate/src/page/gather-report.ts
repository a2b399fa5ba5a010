import {
  type Audit,
  actedErrorBound,
  type Budget,
  budgetSentences,
  type Certificate,
  calibrate,
  className,
  type DialSettings,
  dialsAround,
  type Evaluation,
  halves,
  METHOD_VERSION,
  type Panels,
  questionKeys,
  replay,
  silenceSentences,
  type TotalCertificate,
} from '@quorate/certificate'
import type { FrontierPoint } from '../figures/frontier.ts'
import { boundSpreads } from './bound-spreads.ts'
import { caveats } from './caveats.ts'
import { certifiedBins } from './certified-bins.ts'
import { type DecidedDebate, decideHeldOut } from './decide-held-out.ts'
import { exampleDebates } from './example-debates.ts'
import { heldCells } from './held-cells.ts'
import type { HeldOutFigures, Profile, Recompute, ReportData, ReportSource, TotalFigures } from './report-data.ts'
import { stateSpace } from './state-space.ts'

export interface ReportInput {
  readonly source: ReportSource
  readonly panels: Panels
  readonly questionOf: (id: string) => string
  readonly profile: Profile
  readonly budget: Budget
  /** Whether the certificate decides each question from the rows of its own group. */
  readonly groupConditional: boolean
  /** At the declared budget, the profile's own policy first. */
  readonly evaluation: Evaluation
  /** The profile's own policy at other budgets, and at the declared one. */
  readonly otherBudgets: readonly Evaluation[]
  readonly audit: Audit | null
  readonly recompute: Omit<Recompute, 'methodVersion'>
}

/** The share of labelled debates that teach states, envelopes and cells. */
const PILOT_FRACTION = 0.2

/** Everything the report says: a certificate made from one half of the questions decides the other half. */
export function gatherReport(input: ReportInput): ReportData {
  const { panels, questionOf, profile, groupConditional, evaluation } = input
  const { seed } = input.recompute
  const questions = questionKeys(panels.panels, questionOf)
  const { train, test } = halves(questions, seed)
  const half = (rows: Uint32Array) => Array.from(rows).flatMap((row) => panels.panels[row] ?? [])
  const certificate = calibrate(
    { reading: panels.reading, panels: half(train) },
    {
      profile,
      budget: input.budget,
      split: profile === 'total' ? { seed } : { pilotFraction: PILOT_FRACTION, seed },
      questionOf,
      groupConditional,
    },
  )
  const { budget } = certificate
  return {
    source: input.source,
    profile,
    budget,
    promise: certificate.kind === 'total' ? certificate.promise : null,
    sentences: budgetSentences({ ...certificate, groupConditional }),
    caveats: caveats({ profile, budget, evaluation, leftOut: input.source }),
    evaluation,
    path: frontierPath([evaluation, ...input.otherBudgets], profile),
    audit: input.audit,
    heldOut: {
      ...heldOutFigures(certificate, decideHeldOut(certificate, half(test)), {
        calibration: train.length,
        groupConditional,
      }),
      total: certificate.kind === 'total' ? totalFigures(certificate, { ...panels, panels: half(test) }) : null,
    },
    recompute: { ...input.recompute, methodVersion: METHOD_VERSION },
  }
}

/** The classes of the one certificate, and its dials on the half that it has not seen. */
function totalFigures(certificate: TotalCertificate, test: Panels): TotalFigures {
  const { promise } = certificate
  const again = replay(certificate, test)
  const actAt = ({ beta, floor }: DialSettings) => {
    const total = { kind: promise.kind, delta: promise.delta, floor: floor ?? ('none' as const) }
    const { actedAt } = again.at({ beta, delta: promise.delta, epsilon: 0, total })
    return actedAt.reduce((sum, round) => sum + Number(round > 0), 0) / Math.max(1, actedAt.length)
  }
  const classes = [...certificate.outcomes].flatMap(([group, outcome]) =>
    outcome.classes.map((count) => {
      const { rows, right, lower, state } = count
      return { name: `${group === '' ? '' : `${group}: `}${className(count)}`, rows, right, lower, state }
    }),
  )
  return { classes, silence: silenceSentences(certificate), dials: dialsAround(promise, actAt) }
}

/** Ours at each beta, by beta. */
function frontierPath(evaluations: readonly Evaluation[], profile: Profile): FrontierPoint[] {
  const points = new Map<number, FrontierPoint>()
  for (const { beta, policies } of evaluations) {
    const ours = policies.find(({ name }) => name === profile)
    if (ours !== undefined) points.set(beta, { beta, act: ours.act.mean, wrongActions: ours.wrongActions.mean })
  }
  return [...points.values()].sort((a, b) => a.beta - b.beta)
}

function heldOutFigures(
  certificate: Certificate,
  decided: readonly DecidedDebate[],
  { calibration, groupConditional }: { readonly calibration: number; readonly groupConditional: boolean },
): Omit<HeldOutFigures, 'total'> {
  const { threshold, rounds, budget } = certificate
  const acted = decided.filter(({ actedAt }) => actedAt > 0).length
  // The classes of `total` have limits of their own.
  const error = acted === 0 || certificate.kind === 'total' ? null : actedErrorBound(budget, acted, decided.length)
  return {
    calibration,
    debates: decided.length,
    acted,
    actedError: error?.kind === 'bound' ? error.error : null,
    waterfall: { threshold, debates: exampleDebates(decided) },
    certified: { threshold, bins: certifiedBins(decided) },
    paths: boundSpreads(decided, { threshold, rounds }),
    space:
      certificate.kind === 'cells'
        ? { kind: 'cells', cells: heldCells(decided, { threshold, rounds, groupConditional }) }
        : certificate.kind === 'knn'
          ? stateSpace(certificate, decided, groupConditional)
          : null,
  }
}
