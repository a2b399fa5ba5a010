import { z } from 'zod'
import { budgetSchema, countedShareSchema } from './figures.ts'

export const policyStateSchema = z.object({
  /** `none`: there is no certificate. Questions are refused (503), not deferred, so that nobody has to review them. */
  state: z.enum(['live', 'suspended', 'none']),
  /** What suspended the policy; null unless it is suspended. */
  cause: z.enum(['monitor', 'drift', 'fingerprint', 'admin', 'shadow']).nullable(),
  /** In plain words. */
  reason: z.string().nullable(),
  since: z.number().nullable(),
  by: z.string().nullable(),
  note: z.string().nullable(),
})
export type PolicyState = z.infer<typeof policyStateSchema>

/** A test that stays valid when it is checked after every question. It raises an alarm when its wealth reaches `alarmAt`. */
export const wealthSchema = z.object({
  wealth: z.number(),
  alarmAt: z.number(),
  counted: z.int(),
  isAlarm: z.boolean(),
})
export type Wealth = z.infer<typeof wealthSchema>

/** Whether turns lack what the certificate reads, such as a stated confidence, more often than in calibration. */
export const missingSchema = wealthSchema.extend({
  /** Mean over questions of the share of answered turns of round 1 that lack it; null before the first. */
  share: z.number().nullable(),
  /** The largest mean share that the calibration allows; null: not known, and not compared. */
  limit: z.number().nullable(),
})
export type Missing = z.infer<typeof missingSchema>

/** A class for which the active certificate promises a floor, as measured by spot checks. */
export const classSchema = z.object({
  name: z.string(),
  /** The promised share right. */
  floor: z.number(),
  /** Spot checks that were acted on in this class. */
  sampled: z.int(),
  /** Those of them with a label. */
  labelled: z.int(),
  /**
   * Share right among those before the oldest one that is unlabelled or still debated; null before the first. One that nobody
   * could judge does not count as right. The interval is valid for one moment that is chosen beforehand.
   */
  right: countedShareSchema.nullable(),
  /**
   * Bounds that hold for all classes at all times simultaneously with probability `level`; null before the first spot check.
   */
  uniform: z.object({ lower: z.number(), upper: z.number(), level: z.number() }).nullable(),
  /** An alarm suspends the policy. */
  alarm: wealthSchema,
})
export type ClassView = z.infer<typeof classSchema>

/**
 * The rate after `sampled` spot checks, the last of which arrived at `at`, with bounds that hold at all times simultaneously.
 */
const ratePointSchema = z.object({
  at: z.number(),
  sampled: z.int(),
  wrong: z.int(),
  rate: z.number(),
  lower: z.number(),
  upper: z.number(),
})
export type RatePoint = z.infer<typeof ratePointSchema>

/** The time from one activation or release to the next. Its figures are kept when the tests restart in the next one. */
const periodSchema = z.object({
  /** From 1. */
  number: z.int(),
  certificate: z.string(),
  /** The largest share of wrong actions that its certificate promises; null: not known. */
  beta: z.number().nullable(),
  from: z.number(),
  /** Null: it has not ended. */
  to: z.number().nullable(),
  start: z.object({ kind: z.enum(['activate', 'release']), by: z.string().nullable(), note: z.string().nullable() }),
  /** Counted spot checks that were acted on and wrong; null before the first. */
  wrong: countedShareSchema.nullable(),
  uniform: z
    .object({ rate: z.number().nullable(), lower: z.number(), upper: z.number(), level: z.number() })
    .nullable(),
  history: z.array(ratePointSchema),
})
export type Period = z.infer<typeof periodSchema>

/** A period in which nothing was acted on. */
const suspensionViewSchema = z.object({
  from: z.number(),
  /** Null: it has not ended. */
  to: z.number().nullable(),
  cause: z.enum(['monitor', 'drift', 'fingerprint', 'admin', 'shadow']).nullable(),
  by: z.string().nullable(),
  note: z.string().nullable(),
})
export type SuspensionView = z.infer<typeof suspensionViewSchema>

/** GET /v1/monitor: everything that the overview shows. */
export const monitorSchema = z.object({
  at: z.number(),
  /** The state with its name and a sentence, so that the app, the API and the terminal use the same words. */
  state: z.object({
    kind: z.enum(['acting', 'idle', 'shadow', 'suspended', 'none']),
    name: z.string(),
    detail: z.string(),
  }),
  policy: policyStateSchema,
  certificate: z
    .object({
      id: z.string(),
      profile: z.string(),
      rounds: z.int(),
      budget: budgetSchema,
      /** The share of wrong actions that spot checks test: beta, plus the limit of the grader's error if a model graded. */
      promised: z.number(),
      feasible: z.boolean(),
      /** False: none of its bounds can reach the threshold, so everything is deferred. */
      canAct: z.boolean(),
    })
    .nullable(),
  claim: z.array(z.string()),
  spotChecks: z.object({
    rate: z.number(),
    sampled: z.int(),
    labelled: z.int(),
    /**
     * Acted on and wrong, among the spot checks before the oldest open one; null before the first. A label counts once its
     * review can no longer be undone. The interval is valid for one moment that is chosen beforehand.
     */
    wrong: countedShareSchema.nullable(),
    /**
     * The rate averaged over all those questions (null before the first spot check), and bounds on it that hold together at all
     * times simultaneously with probability `level`; null before the first question. Each spot-check rate has bounds of its
     * own, which are averaged with the numbers of questions as weights. They are about the total: groups are not watched
     * separately.
     */
    uniform: z
      .object({ rate: z.number().nullable(), lower: z.number(), upper: z.number(), level: z.number() })
      .nullable(),
    /** Spot checks without an outcome yet, which the rate waits for, and when the oldest of them arrived. */
    openSpotChecks: z.object({ count: z.int(), oldestAt: z.number().nullable() }),
    /** Share wrong of all spot checks if every open or abandoned one is wrong; null before the first. */
    upperWithOpen: countedShareSchema.nullable(),
    /** When the policy was suspended, since when nothing more is counted here; null: it is not suspended. */
    frozenAt: z.number().nullable(),
    /** Share right among the counted ones that were acted on. One that nobody could judge does not count as right. */
    right: countedShareSchema.nullable(),
    /** Their outcome is known, but an earlier one is open. Every spot check is either counted, uncounted or open. */
    uncounted: z.object({ count: z.int(), labelled: z.int() }),
    history: z.array(ratePointSchema),
  }),
  /** At most the latest twelve, oldest first. The last one has the figures of `spotChecks`. */
  periods: z.array(periodSchema),
  /**
   * For a policy in shadow mode, the latest questions since it began: how many it would have acted on, how many of these have a
   * label, and on how many of those it would have been wrong or nobody could judge. Null: it is not in shadow mode.
   */
  shadow: z
    .object({ questions: z.int(), wouldAct: z.int(), labelled: z.int(), wrong: z.int(), isCut: z.boolean() })
    .nullable(),
  /** Oldest first. */
  suspensions: z.array(suspensionViewSchema),
  /** The certificate that `automation`, `rounds` and `spend` are about: the active one, else that of the latest run. */
  countedFor: z.string().nullable(),
  /** Empty if the certificate promises no floor. */
  classes: z.array(classSchema),
  alarm: wealthSchema.extend({
    eta: z.number(),
    falseAlarm: z.number(),
    /** Questions within which the share `falseAlarm` of sound policies would be suspended; null: at any time. */
    horizon: z.int().nullable(),
    /** Delays if the rate is this high from the first question on. After a time with a lower rate the alarm takes longer. */
    power: z.array(z.object({ rate: z.number(), medianDelay: z.number().nullable() })),
  }),
  /** Null: it contains first rounds of hidden questions, and no earlier state without them is stored. */
  drift: wealthSchema.nullable(),
  /** Null whenever `drift` is. */
  missing: missingSchema.nullable(),
  /** Other certificates of the store that have decided since the last release. An alarm of any of them suspends the policy. */
  others: z.array(
    z.object({
      certificate: z.string(),
      alarm: wealthSchema,
      /** Null: its debates were not assessed yet, or for the same reason as `drift` above. */
      drift: wealthSchema.nullable(),
    }),
  ),
  /** Fields in which the panel differs from the calibrated one, whether that is allowed or not. */
  mismatch: z.array(z.string()),
  /** In plain words, what a live policy does not do, or does without a guarantee. */
  warnings: z.array(z.string()),
  /**
   * Decisions that all figures leave out because they are hidden from the caller; 0 for a caller who sees everything. Spot
   * checks and drift end before the oldest hidden question.
   */
  hidden: z.int(),
  automation: z.object({ acted: countedShareSchema.nullable(), deferred: z.record(z.string(), z.int()) }),
  rounds: z.object({ of: z.int(), mean: z.number().nullable(), saved: z.number().nullable() }),
  spend: z.object({
    committedMicroUsd: z.number(),
    reservedMicroUsd: z.number(),
    /** Cost of the rounds that were saved, at the mean cost of a round; null if no price is known, or some are hidden. */
    savedMicroUsd: z.number().nullable(),
    calls: z.int(),
    unpricedCalls: z.int(),
  }),
  queue: z.object({ waiting: z.int(), oldestAt: z.number().nullable() }),
  /** Suspensions, releases and activations, latest first. */
  alarms: z.array(
    z.object({
      at: z.number(),
      /** The cause of a suspension, else `release` or `activate`. */
      kind: z.string(),
      /** Null: the program itself. */
      by: z.string().nullable(),
      /** The note or the reason; empty if there is none. */
      text: z.string(),
      /** The activated certificate; null for other kinds. */
      certificate: z.string().nullable(),
    }),
  ),
})
export type MonitorView = z.infer<typeof monitorSchema>

/** POST /v1/certificates/{id}/activate (admin). `shadow`: the policy decides and records, but sends everything to people. */
export const activateSchema = z.object({
  note: z.string().min(3).max(5000),
  mode: z.enum(['act', 'shadow']).default('act'),
})

/** POST /v1/policy/suspend (admin): the reason, for the ledger. */
export const policyNoteSchema = z.object({ note: z.string().min(3).max(5000) })

/** POST /v1/policy/release (admin). `since` is that of the suspension in /v1/monitor; a later suspension is not released. */
export const policyReleaseSchema = policyNoteSchema.extend({ since: z.int().optional() })
