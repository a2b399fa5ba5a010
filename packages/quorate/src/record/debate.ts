import { compareCodePoints } from '@quorate/certificate'
import { z } from 'zod'
import { roundsSchema, type Turn } from './answer.ts'
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
  .max(LIMITS.rounds)

/**
 * A debate as it is stored and exchanged. The certificate has its own reader for the fields that it uses, and a test
 * compares the two. A stored debate may have no round yet.
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

/** The rounds of a stored debate, for readers that need nothing else. */
export const debateRoundsSchema = debateSchema.pick({ rounds: true })

/** Option names in the order that the format defines. */
export function optionNames(options: DebateRecord['options']): readonly string[] {
  return isList(options) ? options : Object.keys(options).sort(compareCodePoints)
}

function isList(options: DebateRecord['options']): options is readonly string[] {
  return Array.isArray(options)
}

/**
 * Reduces the JSON of a debate to what a decision needs: names, answers and numbers. It accepts JSON of any shape,
 * because erasing must not fail, and it keeps an option named `__proto__`, which zod would drop. The tables below list
 * every field of the records, so a new field does not compile until they say whether it is text.
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

/** Drops the name of a grader and keeps its kind: `person:ann` becomes `person`. */
function gradesOf(grades: unknown): unknown {
  const fields = {
    round: numberOf,
    right: (right: unknown) => (typeof right === 'boolean' ? right : null),
    by: (by: unknown) => textOf(by)?.split(':', 1)[0] ?? null,
    answer: textOf,
  }
  return listOf(grades, (grade) => (isObject(grade) ? kept(grade, fields) : null))
}

/** The listed fields, in their original order. */
function kept(value: Fields, fields: Readonly<Record<string, Keep>>): Fields {
  const entries = Object.entries(value).flatMap(([name, member]) => {
    const keep = Object.hasOwn(fields, name) ? fields[name] : undefined
    return keep === undefined ? [] : [[name, keep(member)] as const]
  })
  return Object.fromEntries(entries)
}

/** The names of the options, without their texts. */
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
