import type { Decision } from '@quorate/certificate'
import type { z } from 'zod'
import { shownRecordSchema, type VerdictFigures } from '../../../contract/decisions.ts'
import { decisionSchema } from '../../../record/decision.ts'
import { DEFER_WORDS } from '../../../record/decision-words.ts'
import { representatives } from '../../../record/open-answers.ts'
import { parseStored } from '../../../record/parse-stored.ts'
import type { Verdict } from '../../../run/debate-question.ts'

export type AnyVerdict = Verdict | Extract<Decision, { kind: 'continue' }>

/** The verdict in the form of the contract. `threshold` applies if no round was assessed. */
export function verdictFigures(verdict: AnyVerdict, threshold: number): VerdictFigures {
  const { kind, path } = verdict
  const last = path.at(-1)
  return {
    kind,
    answer: kind === 'act' ? verdict.answer : null,
    reason: kind === 'defer' ? verdict.reason : null,
    reasonText: kind === 'defer' ? DEFER_WORDS[verdict.reason] : null,
    round: kind === 'act' ? verdict.round : path.length,
    bound: kind === 'act' ? verdict.bound : (last?.lower ?? null),
    threshold: last?.threshold ?? threshold,
    path: path.map(({ state, ...step }) => (state === undefined ? step : { ...step, state: [...state] })),
  }
}

/** Adds the text of an open answer, which represents the class that is acted on. */
export function withAnswerText(figures: VerdictFigures, rounds: Parameters<typeof representatives>[0]): VerdictFigures {
  const answerText = figures.answer === null ? undefined : representatives(rounds).get(figures.answer)
  return answerText === undefined ? figures : { ...figures, answerText }
}

export function readRecord({ id, decision }: { readonly id: string; readonly decision: string }): ReadRecord {
  return parseStored(decisionSchema, decision, `decision ${id}`)
}

export type ReadRecord = z.infer<typeof decisionSchema>

export function recordFigures(record: ReadRecord, threshold: number): VerdictFigures {
  const { reason, bound, path } = record
  const last = path.at(-1)
  return {
    ...shownOf(record),
    reasonText: reason === null ? null : DEFER_WORDS[reason],
    bound: bound ?? last?.lower ?? null,
    threshold: last?.threshold ?? threshold,
  }
}

const SHOWN_FIELDS = shownRecordSchema.keyof().options

function shownOf(record: ReadRecord): z.infer<typeof shownRecordSchema> {
  const shown = SHOWN_FIELDS.map((field) => [field, record[field]])
  return Object.fromEntries(shown) as z.infer<typeof shownRecordSchema> // all its fields, with the values of the record
}

/** The figures after each round of a decided debate. All rounds except the last continued. */
export function roundFigures(figures: VerdictFigures): VerdictFigures[] {
  return figures.path.map(({ threshold, lower }, index) => {
    const round = index + 1
    const path = figures.path.slice(0, round)
    if (round === figures.path.length) return figures
    return { kind: 'continue', answer: null, reason: null, reasonText: null, round, bound: lower, threshold, path }
  })
}
