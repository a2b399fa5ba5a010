import { z } from 'zod'
import { shareSchema } from './figures.ts'

/**
 * Debates in columns without any text, for the browser to decide again: what `columnsOfPanels` makes. All arrays run
 * over debates; `beliefs` over debates, rounds, agents and options in that order, as the certificate reads them, with
 * null where an agent abstained or did not take part.
 */
export const debateColumnsSchema = z.object({
  /** Tied predictions are settled by the id. */
  ids: z.array(z.string()),
  /**
   * Whether the debate stands for the population: imported, or sampled for a spot check. Any other is here because it was
   * deferred, and no share is estimated from it.
   */
  isRepresentative: z.array(z.boolean()),
  agents: z.array(z.string()),
  rounds: z.int(),
  /** Distinct lists of options, and which one each debate has. */
  optionLists: z.array(z.array(z.string())),
  options: z.array(z.int()),
  groups: z.array(z.string().nullable()),
  /**
   * Index of the right option, -1 where it is not known, -2 where the reviewer could not tell or called the question bad, so
   * that no answer is right, -3 where the panel's answers were graded or several options are right.
   */
  gold: z.array(z.int()),
  /** 1 where the panel's answer is right; debates x rounds. */
  right: z.array(z.int()),
  beliefs: z.array(z.number().nullable()),
  /** Index of the option each agent voted for, -1 for none, -2 where it did not take part; debates x rounds x agents. */
  answers: z.array(z.int()),
})
export type DebateColumns = z.infer<typeof debateColumnsSchema>

/** GET /v1/operating-point. */
export const operatingPointSchema = z.object({
  /** The certificate's file, for loadCertificate; null without one. */
  certificate: z.unknown().nullable(),
  /** Stored debates with all their rounds that the certificate was not made from. */
  debates: debateColumnsSchema,
  /** Labelled debates that the certificate was made from, to fit another profile; null where the store has not all of them. */
  calibration: debateColumnsSchema.nullable(),
  /**
   * Sampled for a spot check and not here. `short`: decided, and not debated to the last round by the caller: what they
   * would have come to is not known, so that shares are between two numbers. `failed`: broke off, which is a deferral.
   */
  unfinished: z.object({ short: z.int(), failed: z.int() }),
  /** Left out: stopped before the last round, calibration rows, debated by another panel, hidden from the caller by a blind item. */
  leftOut: z.object({
    stoppedEarly: z.int(),
    calibration: z.int(),
    otherPanel: z.int(),
    hidden: z.int(),
    tooMany: z.int(),
  }),
})
export type OperatingPoint = z.infer<typeof operatingPointSchema>

/** GET /v1/evaluate: our policies beside the baselines on labelled debates of the store. */
export const evaluationSchema = z.object({
  debates: z.int(),
  /** Of them, those that the reviewer could not judge: wrong wherever they are acted on. */
  unjudged: z.int(),
  /** Draws that no policy could be tried on, since they were not debated to their last round; in the intervals, at their worst. */
  untried: z.object({ short: z.int() }),
  splits: z.int(),
  beta: z.number(),
  policies: z.array(
    z.object({
      name: z.string(),
      title: z.string(),
      isOurs: z.boolean(),
      acted: shareSchema.nullable(),
      accuracy: shareSchema.nullable(),
      wrong: shareSchema.nullable(),
      rounds: z.number().nullable(),
      calls: z.number().nullable(),
      standing: z.string(),
    }),
  ),
})
export type EvaluationView = z.infer<typeof evaluationSchema>

/** GET /v1/audit: `Audit` of @quorate/certificate, or what is missing for one. */
export const auditSchema = z.object({ audit: z.unknown().nullable(), missing: z.string().nullable(), at: z.number() })
export type AuditView = z.infer<typeof auditSchema>

/** GET /v1/evaluate?beta=; the active certificate's budget unless given. */
export const evaluateQuerySchema = z.object({ beta: z.coerce.number().gt(0).lt(1).optional() })
