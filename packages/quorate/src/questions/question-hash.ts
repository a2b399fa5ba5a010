import { canonicalJson, sha256 } from '@quorate/certificate'
import type { Question } from '../record/question.ts'

/**
 * What is asked, in 64 hex digits: the text and the options in their order. Neither the id nor the label nor the group
 * counts, so that the same question under another id is found among calibration rows.
 */
export function questionHash({ question, options }: Question): string {
  return sha256(canonicalJson({ options: options.map(({ name, text }) => [name, text]), question }))
}
