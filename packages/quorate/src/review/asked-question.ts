import type { ReviewItem } from '../contract/reviews.ts'
import { debateSchema, optionNames } from '../record/debate.ts'
import { areClasses } from '../record/open-answers.ts'
import { findStored } from '../record/parse-stored.ts'
import type { QuestionKey } from '../record/question.ts'
import { readStoredQuestion } from '../run/stored-question.ts'
import type { Store } from '../store/store.ts'
import { type OpenClasses, openClasses } from './open-answers.ts'

/** What a reviewer is asked. */
export interface AskedQuestion extends Pick<ReviewItem, 'question' | 'options' | 'group'> {
  /** What the panel answered where answers are open; null where there are options. */
  readonly classes: OpenClasses | null
}

/** From the run; once redacted, the names of the options from the debate. */
export async function askedQuestion(store: Store, { runId, questionId }: QuestionKey): Promise<AskedQuestion> {
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
  // Once erased, nobody can say more of an open answer than that nobody knows which it is.
  if (areClasses(names)) return { question: null, options: [], group: group ?? null, classes: [] }
  return { question: null, options: names, group: group ?? null, classes: null }
}

/** The first 200 letters. */
export function excerptOf(question: string | null): string | null {
  return question === null ? null : [...question.slice(0, 2 * LETTERS)].slice(0, LETTERS).join('')
}

const LETTERS = 200

const bareSchema = debateSchema.pick({ options: true, group: true })
