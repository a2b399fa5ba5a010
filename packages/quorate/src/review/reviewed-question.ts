import type { ReviewItem } from '../contract/reviews.ts'
import { debateSchema, optionNames } from '../record/debate.ts'
import { areClasses } from '../record/open-answers.ts'
import { findStored } from '../record/parse-stored.ts'
import type { QuestionKey } from '../record/question.ts'
import { readStoredQuestion } from '../run/stored-question.ts'
import type { Store } from '../store/store.ts'
import { type OpenClasses, openClasses } from './open-answer-review.ts'

/** The question that a reviewer is asked. */
export interface ReviewedQuestion extends Pick<ReviewItem, 'question' | 'options' | 'group'> {
  /** The classes of the panel's open answers; null if there are options. */
  readonly classes: OpenClasses | null
}

/** Reads the question of the run. Once it is redacted, only the names of the options are left, which the debate has. */
export async function askedQuestion(store: Store, { runId, questionId }: QuestionKey): Promise<ReviewedQuestion> {
  const { runs, debates } = store
  const stored = await runs.findQuestion(runId, questionId)
  if (stored !== null && stored.question !== null) {
    const { question, options, group } = readStoredQuestion(stored.question)
    const texts = options.map(({ name, text }) => ({ name, text: text === '' || text === name ? null : text }))
    // A caller may certify a debate without sending its question.
    const about = { question: question === '' ? null : question, group }
    if (areClasses(options)) return { ...about, options: [], classes: await openClasses(store, { runId, questionId }) }
    return { ...about, options: texts, classes: null }
  }
  const debate = await debates.find(runId, questionId)
  const { options, group } = findStored(bareSchema, debate?.debate ?? null) ?? { options: [] }
  const names = optionNames(options).map((name) => ({ name, text: null }))
  // Once the texts are erased, a reviewer has no candidates to grade and can only answer that they cannot tell.
  if (areClasses(names)) return { question: null, options: [], group: group ?? null, classes: [] }
  return { question: null, options: names, group: group ?? null, classes: null }
}

/** The first 200 characters. */
export function excerptOf(question: string | null): string | null {
  return question === null ? null : [...question.slice(0, 2 * EXCERPT_LENGTH)].slice(0, EXCERPT_LENGTH).join('')
}

const EXCERPT_LENGTH = 200

const bareSchema = debateSchema.pick({ options: true, group: true })
