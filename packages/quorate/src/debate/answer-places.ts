import type { ModelReply } from '../model/model.ts'
import type { LocatedAnswer } from './parse-answer.ts'
import type { Region } from './regions.ts'
import { replyText } from './reply-text.ts'

type Places = NonNullable<ModelReply['logprobs']>

/**
 * The places of a reply's log-probabilities, all those emptied that do not stand where the answer was read: an option
 * that is named in a quotation says what somebody else chose. Without an answer the first word tells, but not that of a
 * reply which begins with a quotation or contradicts itself. Null where it cannot be told.
 */
export function answerPlaces({ text, logprobs }: ModelReply, { parsed, at }: LocatedAnswer): Places | null {
  if (logprobs === null) return null
  const clean = replyText(text)
  if (parsed.kind === 'unreadable') {
    return parsed.reason === 'several-answers' || BEGINS_QUOTING.test(clean) ? null : logprobs
  }
  const words = clean.trim()
  if (at === null) return null
  if (at.start <= clean.indexOf(words) && at.end >= clean.indexOf(words) + words.length) return logprobs
  const regions = regionsOf(logprobs, clean)
  if (regions === null) return null
  return logprobs.map((place, index) => {
    const { start, end } = regions[index] ?? { start: 0, end: 0 }
    return start < at.end && end > at.start ? place : []
  })
}

const BEGINS_QUOTING = /^\s*(?:["“„«「『‘'>`~]|<(?!\s?(?:answer|final)))/iu

/** Where in the text each chosen token stands; null where the tokens are not the text. */
function regionsOf(places: Places, clean: string): readonly Region[] | null {
  const regions: Region[] = []
  let at = 0
  for (const place of places) {
    const start = at
    for (const character of (place[0]?.token ?? '').replace(/[▁Ġ]/gu, ' ')) {
      const plain = replyText(character)
      if (plain !== '' && clean.startsWith(plain, at)) at += plain.length
      else if (plain.trim() !== '') return null
    }
    regions.push({ start, end: at })
  }
  return clean.slice(at).trim() === '' ? regions : null
}
