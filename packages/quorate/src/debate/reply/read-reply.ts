import type { ModelReply } from '../../model/model.ts'
import type { QuestionOption } from '../../record/question.ts'
import { type AnswerForm, isOpenAnswer, type ParsedAnswer, unreadable } from './parsed-answer.ts'
import { readPlain } from './plain.ts'
import { LONGEST_REPLY, replyText } from './reply-text.ts'
import { readStructured, structuredForm } from './structured.ts'
import { readTagged, taggedForm } from './tagged.ts'

/** The part of a prompt that asks for the form. */
export function formText(form: AnswerForm): string {
  return form.isStructured ? structuredForm(form) : taggedForm(form)
}

/**
 * Reads the answer in the form that the agent was asked for. Nothing is guessed: a reply that does not fit is unreadable for a
 * reason, because a reminder is cheaper than a wrong guess. Never throws, and takes time in proportion to the reply.
 */
export function readReply({ text, finish }: Pick<ModelReply, 'text' | 'finish'>, form: AnswerForm): ParsedAnswer {
  const unread = notRead({ text, finish })
  if (unread !== null) return unread
  if (form.isStructured) return readStructured(text, finish, form)
  const whole = replyText(text)
  // A plain option must be the whole reply, its thinking included, because any text can contain `</think> A`.
  return readTagged(afterThinking(whole), finish, form) ?? plainAnswer(whole, finish, form)
}

/** Reads a reply to the form of `readPlain`, which must be one option and nothing else. */
export function readPlainReply(
  { text, finish }: Pick<ModelReply, 'text' | 'finish'>,
  options: readonly QuestionOption[],
): ParsedAnswer {
  return notRead({ text, finish }) ?? readPlain(replyText(text), finish, options)
}

/** The result for a reply that is not read in any form; null for the others. */
function notRead({ text, finish }: Pick<ModelReply, 'text' | 'finish'>): ParsedAnswer | null {
  if (finish === 'refusal') return unreadable('refusal')
  return text.length > LONGEST_REPLY ? unreadable('no-answer') : null
}

/** Reads an answer without tags. Of open answers, only those that could be nothing else, such as a number, are read. */
function plainAnswer(text: string, finish: ModelReply['finish'], { options, open }: AnswerForm): ParsedAnswer {
  if (open === undefined) return readPlain(text, finish, options)
  const words = text.trim()
  if (finish === 'length') return unreadable('truncated')
  const isAnswer = open.isPlain && words !== '' && isOpenAnswer(words, open)
  return isAnswer ? { kind: 'answer', option: words, confidence: null } : unreadable('no-answer')
}

/**
 * Some servers leave a model's thinking in its reply, often without the opening tag. Nothing is left if the thinking
 * never ends.
 */
function afterThinking(text: string): string {
  const end = [...text.matchAll(/<\s?\/\s?think(?:ing)?\s?>/giu)].at(-1)
  if (end !== undefined) return text.slice(end.index + end[0].length)
  return /^\s*<\s?think(?:ing)?\s?>/iu.test(text) ? '' : text
}
