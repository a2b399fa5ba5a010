import type { QuestionInput } from '../contract/decisions.ts'
import { refusal } from '../files/file-error.ts'
import { type CommonAnswers, readQuestion } from '../questions/read-question.ts'
import { type Question, withFields } from '../record/question.ts'

/** A question as in a file of questions, or as `readQuestions` returns it. Its id identifies it in the store permanently. */
export type PanelQuestion = PlainQuestion | Question

type PlainQuestion = Omit<QuestionInput, 'id'> & {
  readonly id: string
  /** Name of the right option, for questions to calibrate on. */
  readonly gold?: string | null | undefined
}

/** Reads one question; `place` names it in errors. */
export function readPanelQuestion(value: PanelQuestion, place: string, common: CommonAnswers | null): Question {
  if (!isRead(value)) {
    const { fields, ...asked } = value
    return withFields(readQuestion(asked, place, common), fields)
  }
  const question = readQuestion(questionLine(value), place, common)
  return value.columns === undefined ? question : { ...question, columns: value.columns }
}

/** Reads questions one after another, and refuses a repeated id. */
export async function* readPanelQuestions(
  questions: Iterable<PanelQuestion> | AsyncIterable<PanelQuestion>,
  common: CommonAnswers | null,
): AsyncGenerator<Question> {
  const placeOf = new Map<string, number>()
  for await (const value of questions) {
    const place = `questions[${placeOf.size}]`
    const question = readPanelQuestion(value, place, common)
    const first = placeOf.get(question.id)
    if (first !== undefined) {
      throw refusal(`${place}: id`, `a unique id: questions[${first}] has the same`, question.id)
    }
    placeOf.set(question.id, placeOf.size)
    yield question
  }
}

/** The question as a line of a file. Its options are names alone if no option has a text of its own. */
export function questionLine({ options, columns: _, ...rest }: Question) {
  const names = options.map(({ name }) => name)
  const isPlain = options.every(({ name, text }) => name === text) || new Set(names).size < names.length
  return { ...rest, options: isPlain ? names : Object.fromEntries(options.map(({ name, text }) => [name, text])) }
}

function isRead(value: PanelQuestion): value is Question {
  const options: unknown = value?.options
  return Array.isArray(options) && options.length > 0 && options.every(isOption)
}

function isOption(option: unknown): boolean {
  return typeof option === 'object' && option !== null && 'name' in option && 'text' in option
}
