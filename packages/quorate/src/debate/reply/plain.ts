import type { ModelReply } from '../../model/model.ts'
import type { QuestionOption } from '../../record/question.ts'
import { optionMatcher } from '../match-option.ts'
import { type ParsedAnswer, unreadable } from './parsed-answer.ts'

/** The part of a prompt that asks for the name of an option and nothing else. */
export function plainForm(options: readonly QuestionOption[]): string {
  return `Return: one of ${options.map(({ name }) => name).join('|')}, alone, with no other word or mark.`
}

/**
 * The answer of a reply that is one option and nothing else, or a short statement of it such as `I choose B.`, which
 * leaves no room for a quotation. One-token replies and small models have no other form. A reply that begins with a
 * quotation mark or contains markup is not read.
 */
export function readPlain(
  text: string,
  finish: ModelReply['finish'],
  options: readonly QuestionOption[],
): ParsedAnswer {
  const words = text.trim()
  const matcher = optionMatcher(options)
  const isName = options.some(({ name, text: meaning }) => words === name || words === meaning)
  const match = !isName && MAY_QUOTE.test(words.normalize('NFKC')) ? ({ kind: 'none' } as const) : matcher.whole(words)
  if (match.kind === 'several') return unreadable('several-answers')
  const isCut = finish === 'length'
  if (match.kind === 'none') return unreadable(isCut ? 'truncated' : 'no-answer')
  const option = options[match.index]?.name ?? ''
  if (isCut && [words, option].some(matcher.isPrefix)) return unreadable('truncated')
  return { kind: 'answer', option, confidence: null }
}

/** In compatibility form, because an option may be read from full-width marks too. Marks of a list or of bold print may stand before. */
const MAY_QUOTE = /^[^\p{L}\p{N}]*["'“”„‟«»‹›「」『』〝〞〟《》❝❞‘’‚‛`~]|[<>&]/u
