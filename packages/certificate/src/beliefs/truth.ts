import type { DebateRecord, RoundGrade, RoundGrades, RoundSummary, Truth } from './debate.ts'
import { ownField, readList, readName, readObject } from './json-value.ts'
import { inside, type Place, refusal } from './place.ts'
import { type OptionNames, readOption } from './read-options.ts'

/**
 * Whether the panel's answer after a round (from 1) is right. Every estimator asks here and nowhere else. It fails
 * closed: an answer counts as not right if it is unlabelled, ungraded, graded by somebody who could not judge it, or if
 * the grade is about another answer. The promise then bounds P(act and not judged right), which is at least P(act and
 * wrong). Leaving out answers that nobody could judge would bound neither, since such answers are wrong more often than
 * others.
 */
export function isRightAt(
  { record, rounds }: { readonly record: Pick<DebateRecord, 'truth'>; readonly rounds: readonly RoundSummary[] },
  round: number,
): boolean {
  const prediction = rounds[round - 1]?.prediction
  const { truth } = record
  if (truth === null || truth.kind === 'unjudged' || prediction === undefined) return false
  if (truth.kind === 'options') return truth.options.includes(prediction)
  return isGradedRight(truth.rounds[round - 1], prediction)
}

/** Whether a grade says that this very answer is right. */
export function isGradedRight(grade: RoundGrade | null | undefined, prediction: number): boolean {
  return grade?.right === true && (grade.answer === null || grade.answer === prediction)
}

/** Whether a debate in the exchange format has a label. The argument may be any value; an unreadable one has no label. */
export function hasLabel(debate: unknown): boolean {
  if (typeof debate !== 'object' || debate === null) return false
  const given = (name: string): unknown => ownField(debate, name) ?? null
  const grades = given('grades')
  return (
    given('gold') !== null ||
    given('correct') !== null ||
    (Array.isArray(grades) ? grades.length > 0 : grades !== null) ||
    isUnjudged(given('verdict'))
  )
}

/** Whether a verdict names no option: the person could not judge the question, or called it bad. */
export function isUnjudged(verdict: unknown): boolean {
  return verdict === 'cannot-tell' || verdict === 'bad-question'
}

export function readTruth(debate: object, options: OptionNames, rounds: number, place: Place) {
  const given = (name: string): unknown => ownField(debate, name) ?? null
  const [goldValue, correctValue] = [given('gold'), given('correct')]
  const gold = goldValue === null ? null : readOption(goldValue, options, inside(place, 'gold'))
  const correct = correctValue === null ? null : readCorrect(correctValue, options, inside(place, 'correct'))
  if (gold !== null && correct !== null && !correct.includes(gold)) {
    throw refusal(inside(place, 'gold'), 'one of `correct`, which says what is right', goldValue)
  }
  const grades = readGrades(given('grades'), options, rounds, inside(place, 'grades'))
  const unjudged = isUnjudged(given('verdict'))
  if (unjudged && (gold !== null || correct !== null || grades !== null)) {
    throw refusal(inside(place, 'verdict'), 'null beside `gold`, `correct` or `grades`', given('verdict'))
  }
  const audits = readGrades(given('audits'), options, rounds, inside(place, 'audits'))
  if (audits !== null && grades === null) {
    throw refusal(inside(place, 'audits'), 'null without `grades`: a person checks what was graded', given('audits'))
  }
  return { gold, audits, truth: unjudged ? UNJUDGED : truthOf(gold, correct, grades) }
}

const UNJUDGED = Object.freeze({ kind: 'unjudged' } as const)

/** Grades are the most specific, then the list of all right options, then `gold`. */
function truthOf(gold: number | null, correct: readonly number[] | null, grades: RoundGrades | null): Truth | null {
  if (grades !== null) return { kind: 'grades', rounds: grades }
  if (correct !== null) return { kind: 'options', options: correct }
  return gold === null ? null : { kind: 'options', options: [gold] }
}

function readCorrect(value: unknown, options: OptionNames, place: Place): readonly number[] {
  if (!Array.isArray(value)) throw refusal(place, 'null or an array of right options', value)
  if (value.length === 0) return []
  const listed = readList(value, options.names.length, place)
  return [...new Set(Array.from(listed, (item, at) => readOption(item, options, inside(place, at))))].sort(
    (a, b) => a - b,
  )
}

function readGrades(value: unknown, options: OptionNames, rounds: number, place: Place): RoundGrades | null {
  if (value === null) return null
  if (!Array.isArray(value)) throw refusal(place, 'null or an array of { round, right, by }', value)
  if (value.length === 0) return null
  const grades: (RoundGrade | null)[] = []
  for (const [at, item] of readList(value, rounds, place).entries()) {
    const own = inside(place, at)
    const grade = readObject(item, own)
    const round = ownField(grade, 'round')
    if (!(typeof round === 'number' && Number.isInteger(round) && round >= 1 && round <= rounds)) {
      throw refusal(inside(own, 'round'), `a round of the debate, from 1 to ${rounds}`, round)
    }
    if ((grades[round - 1] ?? null) !== null) {
      throw refusal(inside(own, 'round'), 'a round that is not graded yet', round)
    }
    while (grades.length < round) grades.push(null)
    grades[round - 1] = readGrade(grade, options, own)
  }
  return grades
}

function readGrade(grade: object, options: OptionNames, place: Place): RoundGrade {
  const right = ownField(grade, 'right')
  if (right !== true && right !== false && right !== null) {
    throw refusal(inside(place, 'right'), 'true, false, or null where nobody can tell', right)
  }
  const answer = ownField(grade, 'answer') ?? null
  const by = ownField(grade, 'by') ?? null
  return {
    right,
    answer: answer === null ? null : readOption(answer, options, inside(place, 'answer')),
    by: by === null ? null : readName(by, inside(place, 'by')),
  }
}
