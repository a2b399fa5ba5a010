import type { AnswerForm, UnreadableReason } from '../../../src/debate/reply/parsed-answer.ts'
import type { ModelReply } from '../../../src/model/model.ts'

/** A reply, what must be read from it, and why it is here. */
export interface CorpusCase {
  readonly text: string
  /** Name of an option, or null with a reason. */
  readonly option: string | null
  readonly reason?: UnreadableReason
  readonly confidence?: number | null
  readonly why: string
  readonly context?: CaseContext
}

export type CaseContext = Partial<AnswerForm> & Partial<Pick<ModelReply, 'finish'>>

/** The code of the tags that agent alice was asked for; `<answer#>` in the corpus carries it. */
export const CODE = 'c0de1234'

/** The question of the corpus: agent alice replies, bob and carol are the others. */
export const CAPITALS: AnswerForm = {
  options: [
    { name: 'A', text: 'Paris' },
    { name: 'B', text: 'London' },
    { name: 'C', text: 'Rome' },
    { name: 'D', text: 'Oslo' },
  ],
  code: CODE,
  hasConfidence: true,
  isStructured: false,
}

/** The text with the code in the tags that should have one. */
export function coded(text: string): string {
  return text.replace(/(wer|confidence)#/giu, `$1-${CODE}`)
}

type Row = readonly [text: string, expected: string, why: string]

const REASONS: readonly string[] = ['no-answer', 'several-answers', 'refusal', 'truncated', 'not-an-option']

/** Rows of one context; expected is a reason or the name of an option. */
export function cases(rows: readonly Row[], context: CaseContext = {}): readonly CorpusCase[] {
  return rows.map(([reply, expected, why]) => {
    const text = coded(reply)
    return REASONS.includes(expected)
      ? { text, option: null, reason: expected as UnreadableReason, why, context } // as: it is in the list
      : { text, option: expected, why, context }
  })
}

/** Options by name alone. */
export function named(...names: readonly string[]): Pick<AnswerForm, 'options'> {
  return { options: names.map((name) => ({ name, text: name })) }
}
