import { z } from 'zod'
import { roundsSchema, type Turn } from './answer.ts'
import { compareCodePoints } from './code-points.ts'
import type { Immutable } from './immutable.ts'
import { LIMITS } from './limits.ts'
import { nameSchema, versionSchema } from './names.ts'
import { optionsSchema } from './question.ts'

/** How a debate ended. */
export const debateStatusSchema = z.enum(['done', 'agent-failure', 'time-out', 'error'])
export type DebateStatus = z.infer<typeof debateStatusSchema>

const failureSchema = z.looseObject({
  agent: z.string().nullable().optional().catch(null),
  round: z.int().min(1).optional().catch(undefined),
  reason: z.string().nullable().optional().catch(null),
})
export type Failure = Immutable<z.infer<typeof failureSchema>>

const gradesSchema = z
  .array(
    z.looseObject({
      round: z.int().min(1).describe('From 1'),
      right: z.boolean().nullable().describe('null: nobody could tell, which never counts as right'),
      by: z.string().max(LIMITS.name).nullable().optional().describe('Such as person:ann, command:tests, model:NAME'),
      answer: z.string().nullable().optional().describe('The option that was graded'),
    }),
  )
  .max(64)

/**
 * A debate as it is stored and exchanged. The certificate has a reader of its own for the fields that it computes from, and
 * a test compares both. A stored one may have no round yet.
 */
export const debateSchema = z.looseObject({
  quorate: versionSchema,
  id: nameSchema,
  question_of: nameSchema
    .nullable()
    .optional()
    .describe('Key of the question of which this debate is a run. Debates with the same key count as one question'),
  group: z.string().max(LIMITS.name).nullable().optional(),
  question: z.string().nullable().optional().catch(null),
  options: optionsSchema(1, z.string()),
  gold: z.string().nullable().optional(),
  gold_text: z.string().nullable().optional().describe('Open answers: the right answer as text'),
  verdict: z
    .string()
    .nullable()
    .optional()
    .catch(undefined)
    .describe('cannot-tell or bad-question: a reviewer named no option, and no answer counts as right'),
  judged_by: z
    .array(z.array(z.string()))
    .optional()
    .catch(undefined)
    .describe('Open answers that a model compares: ids of the models that did so in each round'),
  correct: z
    .array(z.string())
    .nullable()
    .optional()
    .describe('All right options, if several are right or none is. If there is also a gold, it is one of them'),
  grades: gradesSchema
    .nullable()
    .optional()
    .describe("Whether the panel's answer of each round is right. If there are grades, only they count"),
  audits: gradesSchema
    .nullable()
    .optional()
    .describe("A person's grades of the same answers, for debates drawn at random to check the grader"),
  failure: failureSchema
    .nullable()
    .optional()
    .describe(
      'An object for a debate that broke off. Calibration counts the missing rounds as wrong, or as a deferral under profile total',
    ),
  ended: z
    .enum(['protocol', 'stopped'])
    .nullable()
    .optional()
    .describe(
      'Why a debate that did not break off is short: its protocol ended it (profile total only), or a decision stopped it (never used for calibration)',
    ),
  isSpotCheck: z
    .boolean()
    .optional()
    .catch(undefined)
    .describe('false: it was decided and not sampled for a spot check, so it is not used for calibration'),
  rounds: roundsSchema,
})
export type DebateRecord = Immutable<z.infer<typeof debateSchema>>

/** Names in the order that the format gives them. */
export function optionNames(options: DebateRecord['options']): readonly string[] {
  return isList(options) ? options : Object.keys(options).sort(compareCodePoints)
}

function isList(options: DebateRecord['options']): options is readonly string[] {
  return Array.isArray(options)
}

/**
 * The JSON of a debate with nothing left but what a decision needs: names, answers and numbers. It works on JSON of any
 * shape, since erasing must not fail, and keeps an option named `__proto__`, which zod drops. The tables below have every
 * field of the records: a new field is listed here as text or not.
 */
export function redactedDebate(json: string): string {
  const debate: unknown = JSON.parse(json)
  return isObject(debate) ? JSON.stringify(kept(debate, KEPT_OF_DEBATE)) : 'null'
}

type Fields = Readonly<Record<string, unknown>>
type Keep = (member: unknown) => unknown

const KEPT_OF_TURN: Readonly<Record<keyof Turn, Keep>> = {
  agent: textOf,
  answer: textOf,
  answer_text: () => null,
  beliefs: (beliefs) => (isObject(beliefs) ? Object.fromEntries(Object.entries(beliefs).filter(isNumbered)) : null),
  conf: (conf) => (isObject(conf) ? kept(conf, { verbal: numberOf }) : null),
  samples: (samples) => listOf(samples, textOf),
  text: () => null,
  usage: (usage) => (isObject(usage) ? kept(usage, { inputTokens: numberOf, outputTokens: numberOf }) : null),
  served: (served) => listOf(served, textOf),
}

const KEPT_OF_DEBATE: Readonly<Record<keyof DebateRecord, Keep>> = {
  quorate: numberOf,
  id: textOf,
  question_of: textOf,
  group: textOf,
  question: () => null,
  options: bareOptions,
  gold: textOf,
  gold_text: () => null,
  judged_by: (rounds) => listOf(rounds, (ids) => listOf(ids, textOf)),
  verdict: textOf,
  correct: (correct) => listOf(correct, textOf),
  grades: gradesOf,
  audits: gradesOf,
  isSpotCheck: (isSpotCheck) => isSpotCheck !== false,
  ended: textOf,
  rounds: (rounds) =>
    listOf(rounds, (round) => listOf(round, (turn) => (isObject(turn) ? kept(turn, KEPT_OF_TURN) : null))),
  failure: (failure) => (isObject(failure) ? kept(failure, { agent: textOf, round: numberOf }) : null),
}

/** The name of who graded goes; what graded, such as a model, stays. */
function gradesOf(grades: unknown): unknown {
  const fields = {
    round: numberOf,
    right: (right: unknown) => (typeof right === 'boolean' ? right : null),
    by: (by: unknown) => textOf(by)?.split(':', 1)[0] ?? null,
    answer: textOf,
  }
  return listOf(grades, (grade) => (isObject(grade) ? kept(grade, fields) : null))
}

/** The fields that are listed, in the order in which they stood. */
function kept(value: Fields, fields: Readonly<Record<string, Keep>>): Fields {
  const entries = Object.entries(value).flatMap(([name, member]) => {
    const keep = Object.hasOwn(fields, name) ? fields[name] : undefined
    return keep === undefined ? [] : [[name, keep(member)] as const]
  })
  return Object.fromEntries(entries)
}

/** A map from names to texts becomes its names. */
function bareOptions(options: unknown): unknown {
  if (isObject(options)) return Object.keys(options).sort(compareCodePoints)
  return listOf(options, (option) => (isObject(option) ? textOf(option['name']) : textOf(option)))
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

function isNumbered([, share]: readonly [string, unknown]): boolean {
  return typeof share === 'number'
}

function listOf(value: unknown, item: Keep): readonly unknown[] | null {
  return Array.isArray(value) ? value.map(item) : null
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
