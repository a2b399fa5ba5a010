import { type Audit, budgetSentences, clopperPearsonInterval, type Plan } from '@quorate/certificate'
import type { PolicyResult } from '../report/operating-table.ts'
import { planAnswer } from '../report/plan-sentences.ts'
import { choosePlays } from './choose-plays.ts'
import { DEMO_FILES, type DemoFile } from './demo-folder.ts'
import type { DemoOptions } from './demo-options.ts'
import type { PlayedDemo } from './run-demo.ts'

export interface DemoFacts {
  readonly options: DemoOptions
  readonly played: PlayedDemo
  /** Starts with the panel's own policy. */
  readonly points: readonly PolicyResult[]
  readonly audit: Audit | null
  readonly planned: Plan | null
  readonly files: readonly DemoFile[]
}

export type DemoResult = ReturnType<typeof demoResult>

/** The result of the demo as JSON, for `--json`. */
export function demoResult({ options, played, points, audit, planned, files }: DemoFacts) {
  const { calibration, labelledRun, decidedRun, freshRun, decided, review } = played
  const { certificate, id } = calibration.certified
  const { policy, spotChecks, queue } = review.monitor
  const { seed, beta, shift, folder } = options
  return {
    quorate: 1 as const,
    simulated: true as const,
    seed,
    beta,
    shift,
    folder,
    files: files.map((file) => DEMO_FILES[file]),
    runs: { labelled: labelledRun.runId, decided: decidedRun.runId, allRounds: freshRun.runId },
    certificateId: id,
    budget: certificate.budget,
    claim: budgetSentences(certificate),
    policies: points.map((point) => ({ ...point, wrongActions: rate(point.wrong, point.questions) })),
    deferred: decidedRun.tally.deferred,
    calls: { decided: decidedRun.spend.calls.answered, allRounds: freshRun.spend.calls.answered },
    spotChecks: { sampled: spotChecks.sampled, labelled: review.labelled, wrong: spotChecks.wrong },
    queue: { waiting: queue.waiting, spotChecks: review.left, reviewedDeferrals: review.deferrals },
    policy: { state: policy.state, cause: policy.cause, reason: policy.reason },
    plays: choosePlays(decided).map(({ title, found }) => ({ title, questionId: found?.debate.id ?? null })),
    audit: audit && {
      verdict: audit.verdict,
      falsified: audit.checks.filter(({ verdict }) => verdict === 'falsified').map(({ name }) => name),
    },
    plan: planned && { feasible: planned.feasible, answer: planAnswer(planned), smallestBeta: planned.smallestBeta },
    bundle: { head: played.head, verified: true },
  }
}

/** Null if nothing was counted. */
function rate(count: number, of: number) {
  return of === 0 ? null : { count, of, share: count / of, ...clopperPearsonInterval(count, of, 0.95) }
}
