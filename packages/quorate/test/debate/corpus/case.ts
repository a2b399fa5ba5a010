import type { ReplyContext, UnreadableReason } from '../../../src/debate/parse-answer.ts'

/** A reply, what must be read from it, and why it is here. */
export interface CorpusCase {
  readonly text: string
  /** Name of an option, or null with a reason. */
  readonly option: string | null
  readonly reason?: UnreadableReason
  readonly confidence?: number | null
  readonly why: string
  readonly context?: Partial<ReplyContext>
}

/** The question of the corpus: agent alice replies, bob and carol are the others. */
export const CAPITALS: ReplyContext = {
  options: [
    { name: 'A', text: 'Paris' },
    { name: 'B', text: 'London' },
    { name: 'C', text: 'Rome' },
    { name: 'D', text: 'Oslo' },
  ],
  self: 'alice',
  others: ['bob', 'carol'],
}

type Row = readonly [text: string, expected: string, why: string]

const REASONS: readonly string[] = ['no-answer', 'several-answers', 'refusal', 'truncated', 'not-an-option']

/** Rows of one context; expected is a reason or the name of an option. */
export function cases(rows: readonly Row[], context: Partial<ReplyContext> = {}): readonly CorpusCase[] {
  return rows.map(([text, expected, why]) =>
    REASONS.includes(expected)
      ? { text, option: null, reason: expected as UnreadableReason, why, context } // as: it is in the list
      : { text, option: expected, why, context },
  )
}

/** Options by name alone. */
export function named(...names: readonly string[]): Pick<ReplyContext, 'options'> {
  return { options: names.map((name) => ({ name, text: name })) }
}
