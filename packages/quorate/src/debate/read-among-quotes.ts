import { type Speakers, speaksOfOthers } from './attribution.ts'
import { type KnownQuote, knownQuotes } from './known-quotes.ts'
import { hasOwnRival } from './own-rival.ts'
import { type Found, isSame, type Reading, readReply, statedMatches, unreadable } from './read-reply.ts'
import { type CutText, cutRegions } from './regions.ts'
import { TAKEN_OUT } from './reply-text.ts'

/**
 * The answer of a reply in which some words are known to be another's. What is quoted in so many words goes first, with
 * every trick that it holds. Words that stand in another's text without being called a quotation may have been made one's
 * own: they say nothing against what the rest says unless they differ, and alone they count only where a reply ends.
 */
export function readAmongQuotes(clean: string, reading: Reading): Found {
  if (reading.echoes.texts.length === 0) return readReply(clean, reading)
  const quotes = knownQuotes(clean, reading)
  const rest = cutRegions(clean, quotes, TAKEN_OUT)
  const found = readRest(clean, rest, { reading, quotes })
  if (found.kind === 'unreadable') return found
  return hasOwnRival(clean, found, { reading, quotes }) ? unreadable('several-answers') : found
}

function readRest(
  clean: string,
  { text, back }: CutText,
  { reading, quotes }: { readonly reading: Reading; readonly quotes: readonly KnownQuote[] },
): Found {
  const found = readReply(text, reading)
  const adopted = quotes.filter(({ isFramed }) => !isFramed)
  if (found.kind === 'unreadable') {
    const isSilent = found.reason === 'no-answer' && adopted.length === quotes.length
    return (isSilent ? fromAdopted(clean, adopted, reading) : null) ?? found
  }
  const stated = adopted.flatMap(({ start, end }) => statedMatches(clean.slice(start, end), reading))
  const match = { kind: 'option', index: found.index } as const
  if (stated.some((other) => !isSame(other, match))) return unreadable('several-answers')
  return { ...found, at: { start: back(found.at.start), end: back(found.at.end) } }
}

/**
 * An agent that ends in another's words, agrees with nobody else in them and speaks of nobody right before: it repeats a
 * sentence, or the whole reply, because it is of the same mind.
 */
function fromAdopted(clean: string, adopted: readonly KnownQuote[], reading: Reading): Found | null {
  const last = adopted.at(-1)
  if (last === undefined || !reading.mayAdopt || !last.isLast) return null
  if (isAboutOthers(clean.slice(0, last.start), reading.speakers)) return null
  const found = readReply(clean, reading)
  if (found.kind === 'unreadable' || found.at.start < last.start) return null
  const match = { kind: 'option', index: found.index } as const
  return statedMatches(clean, reading).every((other) => isSame(other, match)) ? found : null
}

const LEAD = 240

function isAboutOthers(before: string, speakers: Speakers): boolean {
  const lead = before.slice(-LEAD).toLowerCase()
  if (/\b(?:disagree|wrong|incorrect|unlike|contrary|refute|not convinced|following|quote)\b/u.test(lead)) return true
  return speaksOfOthers(lead, speakers) && !/\b(?:agree|agreed|convinced|persuaded|adopt|follow)\b/u.test(lead)
}
