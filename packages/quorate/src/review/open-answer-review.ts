import { sha256 } from '@quorate/certificate'
import { type Equivalence, equivalenceOf } from '../answers/equivalence.ts'
import type { ReviewItem, ReviewOutcome } from '../contract/reviews.ts'
import { debateRoundsSchema } from '../record/debate.ts'
import type { LabelRecord } from '../record/label.ts'
import { membersOf, OTHER } from '../record/open-answers.ts'
import { findStored } from '../record/parse-stored.ts'
import type { QuestionKey } from '../record/question.ts'
import { openAnswers } from '../record/task.ts'
import { recordedPanel } from '../run/calibration/recorded-panel.ts'
import { storableText } from '../store/checked-input.ts'
import type { Store, StoredReview } from '../store/store.ts'
import type { Refusal } from './review-service.ts'

/*
 * How people review open answers. A blind reviewer types the right answer, which is compared with the panel's classes by the
 * rules of the task. Other reviewers, and all reviewers if there are no such rules, grade each answer of the panel.
 * docs/decisions/2026-11-17-how-people-review-open-answers.md explains why.
 */

/** The classes of the panel's answers, ordered by name. The first text represents its class. */
export type OpenClasses = readonly { readonly name: string; readonly texts: readonly string[] }[]

/** Empty if there is no debate, or once its texts are erased. */
export async function openClasses({ debates }: Store, { runId, questionId }: QuestionKey): Promise<OpenClasses> {
  const stored = await debates.find(runId, questionId)
  const rounds = findStored(debateRoundsSchema, stored?.debate ?? null)?.rounds ?? []
  return [...membersOf(rounds)].map(([name, texts]) => ({ name, texts }))
}

/** The rules by which each run compares open answers; null if they are unknown, or if a model compares. */
export function rulesOfRuns({ runs }: Store): (runId: string) => Promise<Equivalence | null> {
  const known = new Map<string, Equivalence | null>()
  return async (runId) => {
    const found = known.get(runId)
    if (found !== undefined) return found
    const run = await runs.find(runId)
    const answers = openAnswers((run === null ? null : recordedPanel(run))?.answers ?? undefined)
    // A review must not wait for a model's comparison or pay for it.
    const rules = answers === null || answers.kind === 'judged' ? null : equivalenceOf(answers)
    if (known.size >= MOST_RUNS) known.clear()
    known.set(runId, rules)
    return rules
  }
}

const MOST_RUNS = 1000

interface Asking {
  readonly review: StoredReview
  /** Nothing about the panel's answers may be revealed. */
  readonly isHidden: boolean
  readonly classes: OpenClasses
  readonly rules: Equivalence | null
}

export function openAsk({ review, isHidden, classes, rules }: Asking): ReviewItem['asks'] {
  if (isHidden && rules !== null) return { kind: 'answer', form: rules.form }
  const candidates = candidatesOf(review.id, classes).map(({ id, texts }) => ({
    id,
    text: texts[0] ?? '',
    // The number and variety of the texts would reveal to a blind reviewer which answer the panel chose.
    alsoSaid: isHidden ? [] : texts.slice(1),
  }))
  return { kind: 'grades', form: rules?.form ?? null, candidates }
}

/**
 * The ids and the order depend only on the item and the text, so they do not reveal which agent gave an answer in which round.
 */
function candidatesOf(reviewId: string, classes: OpenClasses) {
  return classes
    .map(({ name, texts }) => ({ name, texts, id: sha256(`candidate ${reviewId} ${texts[0] ?? ''}`).slice(0, 16) }))
    .sort((left, right) => (left.id < right.id ? -1 : 1))
}

/** The outcome with the ids of candidates replaced by the names of their classes, or why it is refused. */
export function namedOutcome(
  { review, classes, rules }: Omit<Asking, 'isHidden'>,
  outcome: ReviewOutcome,
): { readonly kind: 'named'; readonly outcome: ReviewOutcome } | Refusal {
  const ask = openAsk({ review, isHidden: review.isBlind !== false, classes, rules })
  if (outcome.kind === 'option') return { kind: 'wrong-outcome', expected: ask.kind }
  if (outcome.kind === 'answer') {
    if (rules === null) return { kind: 'wrong-outcome', expected: 'grades' }
    const text = storableText(outcome.text)
    if (!rules.isReadable(text)) return { kind: 'unreadable-answer', form: rules.form }
    return { kind: 'named', outcome: { kind: 'answer', text } }
  }
  if (outcome.kind !== 'grades') return { kind: 'named', outcome }
  if (ask.kind !== 'grades') return { kind: 'wrong-outcome', expected: ask.kind }
  const names = new Map(candidatesOf(review.id, classes).map(({ id, name }) => [id, name]))
  const graded = new Map(outcome.grades.map(({ answer, right }) => [names.get(answer), right]))
  const isWhole = graded.size === names.size && outcome.grades.length === names.size && !graded.has(undefined)
  if (!isWhole) return { kind: 'ungraded', candidates: [...names.keys()] }
  const grades = classes.map(({ name }) => ({ answer: name, right: graded.get(name) ?? null }))
  return { kind: 'named', outcome: { kind: 'grades', grades } }
}

/** The inverse, for a page that knows only candidates. */
export function shownOutcome(reviewId: string, classes: OpenClasses, outcome: ReviewOutcome): ReviewOutcome {
  // The grades of a typed answer are computed. The reviewer did not give them.
  if (outcome.kind === 'answer') return { kind: 'answer', text: outcome.text }
  if (outcome.kind !== 'grades') return outcome
  const right = new Map(outcome.grades.map((grade) => [grade.answer, grade.right]))
  const grades = candidatesOf(reviewId, classes).map(({ id, name }) => ({ answer: id, right: right.get(name) ?? null }))
  return { kind: 'grades', grades }
}

/** The part of an outcome that its label stores. */
export type LabelParts = Pick<LabelRecord, 'gold' | 'grades' | 'text'>

/**
 * The outcome with a grade for every class, so that it determines whether any answer of the panel is right, whatever was
 * decided. A typed answer is compared with the first text of each class, because that is the text that an action returns.
 */
export async function comparedOutcome(
  outcome: ReviewOutcome,
  { classes, rules }: { readonly classes: OpenClasses; readonly rules: Equivalence | null },
): Promise<ReviewOutcome> {
  if (outcome.kind !== 'answer' || rules === null) return outcome
  const { text } = outcome
  const grades: { answer: string; right: boolean }[] = []
  for (const { name, texts } of classes) {
    const [first = ''] = texts
    grades.push({ answer: name, right: first === text || (await rules.isSame(first, text)) })
  }
  return { kind: 'answer', text, grades }
}

/** `decided` is the class of the open answer that was acted on; null: none. */
export function labelParts(outcome: ReviewOutcome, decided: string | null): LabelParts {
  if (outcome.kind === 'option') return { gold: outcome.option, grades: null, text: null }
  if (outcome.kind !== 'answer' && outcome.kind !== 'grades') return { gold: null, grades: null, text: null }
  const grades = outcome.grades ?? []
  return { gold: goldOf(grades, decided), grades, text: outcome.kind === 'answer' ? outcome.text : null }
}

/** The right class. It equals `decided` exactly if that is right; null: the reviewer could not tell. */
function goldOf(grades: NonNullable<LabelRecord['grades']>, decided: string | null): string | null {
  const own = grades.find(({ answer }) => answer === decided)
  if (own?.right === true) return own.answer
  if (decided !== null && own?.right !== false) return null
  const right = grades.find((grade) => grade.right === true)
  if (right !== undefined) return right.answer
  return decided === null && grades.some((grade) => grade.right === null) ? null : OTHER
}
