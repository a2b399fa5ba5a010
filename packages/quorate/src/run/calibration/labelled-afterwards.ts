import { isLabelled, type Question } from '../../record/question.ts'
import type { Store } from '../../store/store.ts'
import { pagesOf } from '../pages.ts'
import { readStoredQuestion } from '../stored-question.ts'
import { openCertified } from './certified.ts'

/**
 * Ids of questions that a certificate decided before they had a label. People who label them know what was acted on and what
 * was deferred, so they are not a random sample. Mostly deferrals are labelled, which would hide wrong actions among many
 * questions that are never acted on. A certificate that never acts defers every question alike, so labels of its questions
 * count.
 */
export async function labelledAfterwards(store: Store, questions: readonly Question[]): Promise<ReadonlySet<string>> {
  const known = new Map<string, boolean>()
  const canAct = async (id: string): Promise<boolean> => {
    const stored = known.has(id) ? null : await store.certificates.find(id)
    const can = known.get(id) ?? (stored === null || openCertified(stored.file).certificate.canAct())
    known.set(id, can)
    return can
  }
  const found = new Set<string>()
  for (const page of pagesOf(questions)) {
    const questionIds = page.map(({ id }) => id)
    for (const { runId, questionId, certificateId } of await store.decisions.ofQuestions({ questionIds })) {
      const asked = (await store.runs.findQuestion(runId, questionId))?.question ?? null
      const hadLabel = asked !== null && isLabelled(readStoredQuestion(asked))
      if (!hadLabel && (await canAct(certificateId))) found.add(questionId)
    }
  }
  return found
}
