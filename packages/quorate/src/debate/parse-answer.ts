import type { ModelReply } from '../model/model.ts'
import type { QuestionOption } from '../record/question.ts'
import { echoesOf } from './echoes.ts'
import { withoutOuterFence } from './hide-quotes.ts'
import { optionMatcher } from './match-option.ts'
import { readAmongQuotes } from './read-among-quotes.ts'
import { type Reading, type UnreadableReason, unreadable } from './read-reply.ts'
import type { Region } from './regions.ts'
import { LONGEST_REPLY, replyText, unescapedMarkup } from './reply-text.ts'
import { scanTags } from './scan-tags.ts'

export type { UnreadableReason }

export type ParsedAnswer =
  /** `option` is a name; `confidence` the probability stated for it, null where none can be read. */
  | { readonly kind: 'answer'; readonly option: string; readonly confidence: number | null }
  | { readonly kind: 'unreadable'; readonly reason: UnreadableReason }

export interface ReplyContext {
  readonly options: readonly QuestionOption[]
  /** Default: it stopped by itself. */
  readonly finish?: ModelReply['finish']
  /** Name of the agent that replies. */
  readonly self?: string
  /** Names of the other agents. */
  readonly others?: readonly string[]
  /** What the agent was shown and did not say itself: the other agents' responses, and the question. */
  readonly shown?: readonly string[]
}

/** The answer and where it stands, in the form of the reply that `replyText` gives; null where that cannot be told. */
export interface LocatedAnswer {
  readonly parsed: ParsedAnswer
  readonly at: Region | null
}

/**
 * The answer that an agent gives in its reply. Whatever the reply quotes is no answer of its own; where it cannot be
 * told what the agent means the result says why, and a reminder is cheaper than a guess. Never throws, and takes time
 * in proportion to the reply and to what was shown.
 */
export function parseAnswer(text: string, context: ReplyContext): ParsedAnswer {
  return locateAnswer(text, context).parsed
}

export function locateAnswer(text: string, context: ReplyContext): LocatedAnswer {
  const { options, finish = 'stop', self = null, others = [], shown = [] } = context
  if (finish === 'refusal') return { parsed: unreadable('refusal'), at: null }
  if (text.length > LONGEST_REPLY) return { parsed: unreadable('no-answer'), at: null }
  const matcher = optionMatcher(options)
  const speakers = { self, others }
  const whole = replyText(text)
  const clean = withoutOuterFence(whole)
  const isCut = finish === 'length'
  const mayAdopt = !isCut && clean === whole
  const reading: Reading = { options, matcher, speakers, isCut, echoes: echoesOf(shown), mayAdopt }
  const outcome = readAmongQuotes(clean, reading)
  // Markup that came escaped counts only where there is none that did not.
  const isPlain = !scanTags(clean).some(({ name }) => name === 'answer')
  const second = outcome.kind === 'unreadable' && isPlain ? replyText(unescapedMarkup(clean)) : clean
  const found = second === clean ? outcome : readAmongQuotes(second, reading)
  if (found.kind === 'unreadable') return { parsed: found, at: null }
  const shift = whole.indexOf(clean)
  const at = second === clean ? { start: found.at.start + shift, end: found.at.end + shift } : null
  return { parsed: { kind: 'answer', option: options[found.index]?.name ?? '', confidence: found.confidence }, at }
}
