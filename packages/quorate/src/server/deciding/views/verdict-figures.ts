import type { z } from 'zod'
import type { VerdictFigures } from '../../../contract/decisions.ts'
import { type DecisionRecord, decisionSchema, foundSchema } from '../../../record/decision.ts'
import { DEFER_WORDS } from '../../../record/decision-words.ts'
import { representatives } from '../../../record/open-answers.ts'
import { parseStored } from '../../../record/parse-stored.ts'
import { type AnyVerdict, type Continued, foundFields } from '../../../run/decision-record.ts'

/** The verdict in the form of the contract. `threshold` applies if no round was assessed. */
export function verdictFigures(verdict: AnyVerdict | Continued, threshold: number): VerdictFigures {
  const { path, ...found } = foundFields(verdict)
  const steps = path.map(({ state, ...step }) => (state === undefined ? step : { ...step, state: [...state] }))
  return shownFigures({ ...found, path: steps }, threshold)
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

/** The verdict of a record in the form of the contract. `threshold` applies if no round was assessed. */
export function recordFigures(record: DecisionRecord, threshold: number): VerdictFigures {
  const found = FOUND_FIELDS.map((field) => [field, record[field]])
  return shownFigures(Object.fromEntries(found) as Shown, threshold) // all its fields, with the values of the record
}

const FOUND_FIELDS = foundSchema.keyof().options

/** The figures after each round of a decided debate. All rounds except the last continued. None while it is hidden. */
export function roundFigures(decided: VerdictFigures | null): VerdictFigures[] {
  if (decided === null) return []
  const { path, threshold } = decided
  return path.map((_, index) => {
    const round = index + 1
    if (round === path.length) return decided
    return verdictFigures({ kind: 'continue', path: path.slice(0, round) }, threshold)
  })
}

type Shown = Omit<z.infer<typeof foundSchema>, 'kind'> & Pick<VerdictFigures, 'kind'>

function shownFigures(shown: Shown, threshold: number): VerdictFigures {
  const { reason, bound, path } = shown
  const last = path.at(-1)
  return {
    ...shown,
    reasonText: reason === null ? null : DEFER_WORDS[reason],
    bound: bound ?? last?.lower ?? null,
    threshold: last?.threshold ?? threshold,
  }
}
