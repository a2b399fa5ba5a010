import { z } from 'zod'
import { countedShareSchema } from './figures.ts'

/** Instead of the index of an option, in the column of answers. */
export const ANSWER_CODES = Object.freeze({ abstained: -1, notAsked: -2 })

/** Instead of the index of an option, in the column of labels. `graded`: see the column `right`. */
export const LABEL_CODES = Object.freeze({ unlabelled: -1, unjudged: -2, graded: -3 })

/**
 * Debates as columns without any text, made by `columnsOfDebates`. The browser decides them again under another budget. The
 * comments give the dimensions of arrays that have more than one entry per debate.
 */
export const debateColumnsSchema = z.object({
  /** The id breaks ties between predictions. */
  ids: z.array(z.string()),
  /**
   * Whether the debate represents the population: it was imported, or sampled for a spot check. Any other debate is here
   * because it was deferred, and no share is estimated from it.
   */
  isRepresentative: z.array(z.boolean()),
  agents: z.array(z.string()),
  rounds: z.int(),
  /** The distinct lists of options. */
  optionLists: z.array(z.array(z.string())),
  /** Index of each debate's list in `optionLists`. */
  options: z.array(z.int()),
  groups: z.array(z.string().nullable()),
  /**
   * Index of the right option, or a code of `LABEL_CODES`. -1: it is not known. -2: the reviewer could not tell or called the
   * question bad, so no answer is right. -3: the panel's answers were graded, or several options are right.
   */
  gold: z.array(z.int()),
  /** 1 if the panel's answer is right; debates x rounds. */
  right: z.array(z.int()),
  /** As the certificate reads them; null: the agent abstained or did not take part; debates x rounds x agents x options. */
  beliefs: z.array(z.number().nullable()),
  /** Index of the option that an agent voted for (`ANSWER_CODES`: -1: none; -2: it did not take part); debates x rounds x agents. */
  answers: z.array(z.int()),
})
export type DebateColumns = z.infer<typeof debateColumnsSchema>

/** GET /v1/operating-point. */
export const operatingPointSchema = z.object({
  /** The certificate's file, for `loadCertificate`; null: there is none. */
  certificate: z.unknown().nullable(),
  /** Stored debates with all their rounds that the certificate was not calibrated on. */
  debates: debateColumnsSchema,
  /** Labelled debates that the certificate was calibrated on, to fit another profile; null if the store lacks some of them. */
  calibration: debateColumnsSchema.nullable(),
  /**
   * Spot checks that are not in `debates`. `short`: decided, but the caller did not debate them to the last round. Their
   * outcome is unknown, so each share is a range. `failed`: the debate failed, which is a deferral.
   */
  unfinished: z.object({ short: z.int(), failed: z.int() }),
  /** Debates that were left out, by reason. `hidden`: a blind review item hides them from the caller. */
  leftOut: z.object({
    stoppedEarly: z.int(),
    calibration: z.int(),
    otherPanel: z.int(),
    hidden: z.int(),
    tooMany: z.int(),
  }),
})
export type OperatingPoint = z.infer<typeof operatingPointSchema>

/** GET /v1/evaluate: quorate's policies compared with the baselines on labelled debates of the store. */
export const evaluationSchema = z.object({
  debates: z.int(),
  /** Debates that the reviewer could not judge. They are wrong whenever they are acted on. */
  unjudged: z.int(),
  /** Spot checks that no policy could be tried on, as they lack their last rounds. Intervals assume the worst for them. */
  untried: z.object({ short: z.int() }),
  splits: z.int(),
  beta: z.number(),
  policies: z.array(
    z.object({
      name: z.string(),
      title: z.string(),
      isOurs: z.boolean(),
      acted: countedShareSchema.nullable(),
      accuracy: countedShareSchema.nullable(),
      wrong: countedShareSchema.nullable(),
      rounds: z.number().nullable(),
      calls: z.number().nullable(),
      standing: z.string(),
    }),
  ),
})
export type EvaluationView = z.infer<typeof evaluationSchema>

/** GET /v1/audit: an `Audit` of @quorate/certificate, or what is missing for one. */
export const auditSchema = z.object({ audit: z.unknown().nullable(), missing: z.string().nullable(), at: z.number() })
export type AuditView = z.infer<typeof auditSchema>

/** GET /v1/evaluate?beta=. `beta` is the active certificate's unless given. */
export const evaluateQuerySchema = z.object({ beta: z.coerce.number().gt(0).lt(1).optional() })
