import { type DebateRow, HIDDEN_ROW } from '../../../contract/debates.ts'
import type { VerdictFigures } from '../../../contract/decisions.ts'
import { debateSchema } from '../../../record/debate.ts'
import { representatives } from '../../../record/open-answers.ts'
import { findStored } from '../../../record/parse-stored.ts'
import { excerptOf } from '../../../review/reviewed-question.ts'
import { readStoredQuestion } from '../../../run/stored-question.ts'
import type { ListedDebate } from '../../../store/runs/listed-debates.ts'
import { bestBound, bestScore } from './debate-summary.ts'
import { readRecord, recordFigures } from './verdict-figures.ts'

/** A debate in a list. */
export function debateRow(row: ListedDebate, figures: VerdictFigures | null): DebateRow {
  const { runId, questionId, group, at, rounds, status, isSpotCheck, isHidden, decision, label } = row
  const question = row.question === null ? null : readStoredQuestion(row.question)
  const debate = findStored(debateSchema, row.debate)
  const turns = debate?.rounds ?? []
  const inWords = question?.goldText ?? debate?.gold_text ?? undefined
  const grade = debate?.grades?.at(-1)
  // Open answers: the classes that were found to be the right answer of the question. A label replaces them.
  const correct = label === null ? (debate?.correct ?? null) : null
  const answer = decision?.answer ?? null
  const rightClass = answer !== null && correct?.includes(answer) === true ? answer : correct?.[0]
  const gold = label?.gold ?? question?.gold ?? rightClass ?? null
  return {
    runId,
    questionId,
    group,
    at,
    rounds,
    status,
    isSpotCheck,
    isHidden,
    excerpt: question === null || question.question === '' ? null : excerptOf(question.question),
    kind: decision?.kind ?? null,
    answer,
    reason: decision?.reason ?? null,
    ...bestBound(figures),
    ...bestScore(figures),
    threshold: figures === null || figures.path.length === 0 ? null : figures.threshold,
    votes: votesOf(turns, decision),
    gold,
    ...openTexts(turns, answer, gold, inWords),
    ...(grade === undefined ? {} : { grade: gradeWord(grade.right) }),
    isLabelled: label !== null || (question?.gold ?? null) !== null || correct !== null,
    isWaiting: row.isWaiting,
  }
}

type Rounds = ReturnType<typeof debateSchema.parse>['rounds']

/** The texts of open answers, whose classes are `answer` and `gold`. */
function openTexts(
  rounds: Rounds,
  answer: string | null,
  gold: string | null,
  inWords: string | undefined,
): Pick<DebateRow, 'answerText' | 'goldText'> {
  const texts = representatives(rounds)
  const [answerText, goldText] = [texts.get(answer ?? ''), texts.get(gold ?? '') ?? inWords]
  return { ...(answerText === undefined ? {} : { answerText }), ...(goldText === undefined ? {} : { goldText }) }
}

function gradeWord(right: boolean | null): NonNullable<DebateRow['grade']> {
  return right === null ? 'cannot-tell' : right ? 'right' : 'wrong'
}

function votesOf(rounds: Rounds, decision: ListedDebate['decision']): DebateRow['votes'] {
  if (rounds.length === 0) return null
  const answer = decision?.answer ?? mostFrequent((rounds.at(-1) ?? []).map((turn) => turn.answer))
  return rounds.map((turns) =>
    turns.map((turn) => (turn.answer === null ? 'none' : turn.answer === answer ? 'same' : 'other')),
  )
}

function mostFrequent(answers: readonly (string | null)[]): string | null {
  const counts = new Map<string, number>()
  for (const answer of answers) if (answer !== null) counts.set(answer, (counts.get(answer) ?? 0) + 1)
  return [...counts].sort(([, left], [, right]) => right - left)[0]?.[0] ?? null
}

export function figuresOf({ decision }: ListedDebate, threshold = 1): VerdictFigures | null {
  return decision === null ? null : recordFigures(readRecord(decision), threshold)
}

/** The row without answers and decision, if it is hidden. */
export function hiddenRow(whole: DebateRow): DebateRow {
  return whole.isHidden ? { ...whole, ...HIDDEN_ROW } : whole
}
