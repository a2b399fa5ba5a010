import { z } from 'zod'
import { budgetSchema, shareSchema } from './figures.ts'

export const policyStateSchema = z.object({
  /** `none`: there is no certificate, and questions are refused (503), not deferred: nobody has to review them. */
  state: z.enum(['live', 'suspended', 'none']),
  /** Of a suspended policy: what tripped it. */
  cause: z.enum(['monitor', 'drift', 'fingerprint', 'admin', 'shadow']).nullable(),
  /** In plain words. */
  reason: z.string().nullable(),
  since: z.number().nullable(),
  by: z.string().nullable(),
  note: z.string().nullable(),
})
export type PolicyState = z.infer<typeof policyStateSchema>

/** A test that may be looked at after every question: it alarms when its wealth reaches the threshold. */
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

/** A class for which the active certificate promises a floor, as far as spot checks say. */
export const classSchema = z.object({
  name: z.string(),
  /** The share right that is promised. */
  floor: z.number(),
  /** Spot checks that were acted on in this class, and those of them with a label. */
  sampled: z.int(),
  labelled: z.int(),
  /**
   * Right, of those before the oldest one that is unlabelled or still debated; null before the first. Those that nobody can tell
   * are not among the right ones. Its interval is for a single look.
   */
  right: shareSchema.nullable(),
  /** Bounds that hold for all classes together at every moment at once with `level` in total; null before the first spot check. */
  uniform: z.object({ lower: z.number(), upper: z.number(), level: z.number() }).nullable(),
  /** An alarm suspends the policy. */
  alarm: wealthSchema,
})
export type ClassView = z.infer<typeof classSchema>

/** The rate after so many spot checks, when the last of them arrived, and bounds that hold at every moment at once. */
const ratePointSchema = z.object({
  at: z.number(),
  sampled: z.int(),
  wrong: z.int(),
  rate: z.number(),
  lower: z.number(),
  upper: z.number(),
})
export type RatePoint = z.infer<typeof ratePointSchema>

/** From one activation or release to the next: tests start again in each, figures stay. */
const periodSchema = z.object({
  /** From 1. */
  number: z.int(),
  certificate: z.string(),
  /** What its certificate promises at most; null: not known. */
  beta: z.number().nullable(),
  from: z.number(),
  /** Null: it lasts. */
  to: z.number().nullable(),
  start: z.object({ kind: z.enum(['activate', 'release']), by: z.string().nullable(), note: z.string().nullable() }),
  /** Counted spot checks that were acted on and wrong; null before the first. */
  wrong: shareSchema.nullable(),
  uniform: z
    .object({ rate: z.number().nullable(), lower: z.number(), upper: z.number(), level: z.number() })
    .nullable(),
  history: z.array(ratePointSchema),
})
export type Period = z.infer<typeof periodSchema>

/** A time in which nothing was acted on. */
const suspensionSchema = z.object({
  from: z.number(),
  /** Null: it lasts. */
  to: z.number().nullable(),
  cause: z.enum(['monitor', 'drift', 'fingerprint', 'admin', 'shadow']).nullable(),
  by: z.string().nullable(),
  note: z.string().nullable(),
})
export type Suspension = z.infer<typeof suspensionSchema>

/** GET /v1/monitor: all that the overview shows. */
export const monitorSchema = z.object({
  at: z.number(),
  /** One state, one name, one sentence: the app, the API and the terminal say the same. */
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
      /** The share of wrong actions that spot checks test: beta, and where a model graded beta and the limit of its error. */
      promised: z.number(),
      feasible: z.boolean(),
      /** False: no bound of it can reach the line, so that everything is deferred. */
      canAct: z.boolean(),
    })
    .nullable(),
  claim: z.array(z.string()),
  spotChecks: z.object({
    rate: z.number(),
    sampled: z.int(),
    labelled: z.int(),
    /**
     * Sampled, acted on and wrong, of those sampled and labelled before the oldest unlabelled spot check; null before the first. A
     * label counts once its review can no longer be undone. Its interval is for one look at one moment chosen beforehand.
     */
    wrong: shareSchema.nullable(),
    /**
     * The rate averaged over all those questions (null before the first spot check), and bounds on it that hold together at every
     * moment at once with probability `level`; null before the first question. Questions of different spot-check rates have
     * bounds of their own, averaged by their numbers. Of the total: groups are not watched one by one.
     */
    uniform: z
      .object({ rate: z.number().nullable(), lower: z.number(), upper: z.number(), level: z.number() })
      .nullable(),
    /** Draws without an outcome yet, which the rate waits for, and when the oldest of them arrived. */
    openSpotChecks: z.object({ count: z.int(), oldestAt: z.number().nullable() }),
    /** Of all spotChecks, with everything that is open or that nobody can tell as wrong; null before the first. */
    upperWithOpen: shareSchema.nullable(),
    /** Of a suspended policy: since when nothing more is counted here. */
    frozenAt: z.number().nullable(),
    /** Right, of the counted ones that were acted on; those that nobody can tell are not among the right ones. */
    right: shareSchema.nullable(),
    /** Labelled, but not in the rate yet, because an earlier one is open. Counted, uncounted and open ones are all. */
    uncounted: z.object({ count: z.int(), labelled: z.int() }),
    history: z.array(ratePointSchema),
  }),
  /** Oldest first; at most twelve, the latest. The last one has the figures of `spotChecks`. */
  periods: z.array(periodSchema),
  /**
   * Of a policy in shadow: the latest questions since it began, those of them that it would have acted on, how many of these have a label,
   * and how many of those it would have been wrong on (or nobody can tell). Null: it is not in shadow.
   */
  shadow: z
    .object({ questions: z.int(), wouldAct: z.int(), labelled: z.int(), wrong: z.int(), isCut: z.boolean() })
    .nullable(),
  /** Oldest first. */
  suspensions: z.array(suspensionSchema),
  /** The certificate that acted, deferred, rounds and spend are about: the active one, else that of the latest run. */
  countedFor: z.string().nullable(),
  /** Empty where the certificate promises no floor. */
  classes: z.array(classSchema),
  alarm: wealthSchema.extend({
    eta: z.number(),
    falseAlarm: z.number(),
    /** Questions within which that share of sound policies would be suspended; null: at any time. */
    horizon: z.int().nullable(),
    /** For a rate that is so high from the first question on; after a good time the alarm takes longer. */
    power: z.array(z.object({ rate: z.number(), medianDelay: z.number().nullable() })),
  }),
  /** Null: the first rounds of hidden questions are in it, and it was not kept from before them. */
  drift: wealthSchema.nullable(),
  /** Null as `drift` is. */
  missing: missingSchema.nullable(),
  /** Other certificates of the store that have decided since the last release; an alarm of any of them suspends the policy. */
  others: z.array(
    z.object({
      certificate: z.string(),
      alarm: wealthSchema,
      /** Null: its debates are not looked at yet, or as above. */
      drift: wealthSchema.nullable(),
    }),
  ),
  /** Fields in which the panel is not the calibrated one, whether that is allowed or not. */
  mismatch: z.array(z.string()),
  /** In plain words: what a live policy does not do, or does without a promise. */
  warnings: z.array(z.string()),
  /**
   * Decisions that all figures leave out, as they are hidden from who asks; spot checks and drift end before the oldest
   * hidden question. None for who sees everything.
   */
  hidden: z.int(),
  automation: z.object({ acted: shareSchema.nullable(), deferred: z.record(z.string(), z.int()) }),
  rounds: z.object({ of: z.int(), mean: z.number().nullable(), saved: z.number().nullable() }),
  spend: z.object({
    committedMicroUsd: z.number(),
    reservedMicroUsd: z.number(),
    /** What the rounds that were not debated would have cost at the mean cost of a round; null where no price is known, or some are hidden. */
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
      /** The note or the reason; empty where there is none. */
      text: z.string(),
      /** What was activated; null of all else. */
      certificate: z.string().nullable(),
    }),
  ),
})
export type MonitorView = z.infer<typeof monitorSchema>

/** POST /v1/certificates/{id}/activate (admin): `shadow` decides and records, and sends everything to people. */
export const activateSchema = z.object({
  note: z.string().min(3).max(5000),
  mode: z.enum(['act', 'shadow']).default('act'),
})

/** POST /v1/policy/suspend (admin): why, for the ledger. */
export const policyNoteSchema = z.object({ note: z.string().min(3).max(5000) })

/** POST /v1/policy/release (admin). `since`: of the suspension that is meant, as /v1/monitor has it; another one is not released. */
export const policyReleaseSchema = policyNoteSchema.extend({ since: z.int().optional() })
