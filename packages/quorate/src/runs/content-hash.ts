import { canonicalJson, type Debate, sha256 } from '@quorate/certificate'
import { debateSoFar } from '../debate/debate-record.ts'
import type { Question } from '../questions/question.ts'

/** What a debate was about, whatever its id: the text and the options as a record has them. Null without a text. */
export function contentHash(debate: Pick<Debate, 'options'> & { readonly question?: unknown }): string | null {
  const { question, options } = debate
  return typeof question === 'string' ? sha256(canonicalJson({ options, question })) : null
}

/** The same of a question that is still to be debated. */
export function contentHashOf(question: Question): string | null {
  return contentHash(debateSoFar(question, []))
}
