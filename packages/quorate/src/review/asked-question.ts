import type { ReviewItem } from '../contract/reviews.ts'
import { debateSchema, optionNames } from '../record/debate.ts'
import { areClasses, membersOf, OTHER } from '../record/open-answers.ts'
import { findStored } from '../record/parse-stored.ts'
import { readStoredQuestion } from '../run/stored-question.ts'
import type { Review, Store } from '../store/store.ts'

/** What a reviewer is asked. */
export type AskedQuestion = Pick<ReviewItem, 'question' | 'options' | 'group'>

/** From the run; once redacted, the names of the options from the debate. */
export async function askedQuestion(
  { runs, debates }: Pick<Store, 'runs' | 'debates'>,
  { runId, questionId }: Pick<Review, 'runId' | 'questionId'>,
): Promise<AskedQuestion> {
  const stored = await runs.findQuestion(runId, questionId)
  if (stored !== null && stored.question !== null) {
    const { question, options, group } = readStoredQuestion(stored.question)
    const texts = options.map(({ name, text }) => ({ name, text: text === '' || text === name ? null : text }))
    const classes = areClasses(options) ? await classesOf(debates, { runId, questionId }) : null
    if (classes !== null) return { question, options: classes, group }
    // A panel of somebody else may be certified without its question being told.
    return { question: question === '' ? null : question, options: texts, group }
  }
  const debate = await debates.find(runId, questionId)
  const { options, group } = findStored(bareSchema, debate?.debate ?? null) ?? { options: [] }
  return { question: null, options: optionNames(options).map((name) => ({ name, text: null })), group: group ?? null }
}

/** Of open answers: the classes that somebody gave, each with all that was said in it, and the rest. Null: no debate yet. */
async function classesOf(
  debates: Store['debates'],
  { runId, questionId }: Pick<Review, 'runId' | 'questionId'>,
): Promise<AskedQuestion['options'] | null> {
  const debate = await debates.find(runId, questionId)
  const rounds = findStored(roundsOnlySchema, debate?.debate ?? null)?.rounds
  if (rounds === undefined) return null
  const members = [...membersOf(rounds)].map(([name, said]) => ({ name, text: said.join(' | ') }))
  return [...members, { name: OTHER, text: NONE_OF_THESE }]
}

const NONE_OF_THESE = 'none of these'
const roundsOnlySchema = debateSchema.pick({ rounds: true })

/** The first 200 letters. */
export function excerptOf(question: string | null): string | null {
  return question === null ? null : [...question.slice(0, 2 * LETTERS)].slice(0, LETTERS).join('')
}

const LETTERS = 200

const bareSchema = debateSchema.pick({ options: true, group: true })
