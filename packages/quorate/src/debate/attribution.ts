import { TAKEN_OUT } from './reply-text.ts'

/** Who speaks and who else is in the room, so that `bob: B` is not taken for one's own answer. */
export interface Speakers {
  readonly self: string | null
  readonly others: readonly string[]
}

const LONGEST_LEAD = 240

/**
 * Whether the words right before an answer give it to somebody else: `Agent bob said:`, `bob's answer is`, `According
 * to the others,`. In doubt it is somebody else's: the agent is asked once more, and nothing false is recorded.
 */
export function isAttributed(lead: string, speakers: Speakers): boolean {
  const clause = clauseBefore(afterSpeech(lead.slice(-LONGEST_LEAD), speakers))
  if (clause !== '' && isFirstPerson(clause, speakers)) return false
  if (isInSpeech(lead, speakers)) return true
  if (clause === '') return false
  if (/\baccording to\b|\bquot(?:e|es|ed|ing)\b/u.test(clause) || REPORTED.test(clause)) return true
  // A comma ends what was said about somebody else: `having read the other agents, the answer is`.
  const subject = clause.slice(clause.replace(/[:,]\s*$/u, '').lastIndexOf(',') + 1)
  return speaksOfOthers(subject, speakers)
}

/**
 * Whether words stand in what somebody else is said to have said: `bob wrote: So it is. ...` goes on to the end of its
 * line, and where the line ends with the colon to the end of the paragraph or to where the speaker comes back.
 */
export function isInSpeech(lead: string, speakers: Speakers): boolean {
  const own = lead.slice(-LONGEST_LEAD)
  const lines = own.slice(own.lastIndexOf(TAKEN_OUT) + 1).split('\n')
  const last = lines.at(-1) ?? ''
  const open = opensSpeech(last, speakers)
  if (open !== null) return quotationEnd(last.slice(open + 1)) === null
  for (let index = lines.length - 2; index >= 0; index--) {
    const line = lines[index] ?? ''
    if (OWN_LINE.test(lines[index + 1] ?? '')) return false
    if (line.trim() === '') return false
    const colon = opensSpeech(line, speakers)
    if (colon !== null) return /^[\s*_"“«]*$/u.test(line.slice(colon + 1))
  }
  return false
}

/** Where something that was said between quotation marks ends: `"so it is".` Null where it goes on, or has none. */
function quotationEnd(said: string): number | null {
  const [, opening = ''] = /^[\s*_]*(["“«])/u.exec(said) ?? []
  const closing = opening === '“' ? '”' : opening === '«' ? '»' : opening
  const end = said.lastIndexOf(closing)
  const isEven = opening !== '"' || said.split('"').length % 2 === 1
  return opening !== '' && end > said.indexOf(opening) && isEven ? end + 1 : null
}

/** The lead after what another has said on its last line, if that is over. */
function afterSpeech(lead: string, speakers: Speakers): string {
  const start = Math.max(lead.lastIndexOf('\n'), lead.lastIndexOf(TAKEN_OUT)) + 1
  const colon = opensSpeech(lead.slice(start), speakers)
  const end = colon === null ? null : quotationEnd(lead.slice(start + colon + 1))
  return colon === null || end === null ? lead : lead.slice(start + colon + 1 + end)
}

/** Whether words right after this lead are reported: `bob wrote:`. Less strict than for an answer. */
export function isReported(lead: string, speakers: Speakers): boolean {
  const clause = clauseBefore(lead.slice(-LONGEST_LEAD))
  return isInSpeech(lead, speakers) || (REPORTED.test(clause) && !isFirstPerson(clause, speakers))
}

/** Whether words in lower case mention another agent or somebody. */
export function speaksOfOthers(words: string, { others }: Speakers): boolean {
  return SOMEBODY.test(words) || others.some((name) => hasWord(words, name.toLowerCase()))
}

/** Words before an answer that make it one which the speaker has since left. */
export function isDraft(lead: string): boolean {
  return DRAFT.test(clauseBefore(lead.slice(-LONGEST_LEAD)))
}

/**
 * The clause that leads to an answer, in lower case. Empty after a finished sentence; across a line end only a heading
 * or a line that ends in a colon leads anywhere.
 */
function clauseBefore(lead: string): string {
  const own = lead.slice(lead.lastIndexOf(TAKEN_OUT) + 1)
  const bare = own.replace(/[\s*_`"'“‘«([{–—-]+$/u, '')
  const line = bare.slice(bare.lastIndexOf('\n') + 1)
  const isOnNewLine = own.slice(bare.length).includes('\n')
  const isHeading = /^\s?(?:#|\*\*|__)/u.test(line)
  if (/[.!?;>]$/u.test(line) || (isOnNewLine && !isHeading && !line.endsWith(':'))) return ''
  return line.slice(lastBreak(line)).trim().toLowerCase().replaceAll('’', "'")
}

/** After the last full stop, semicolon or tag. */
function lastBreak(line: string): number {
  for (let index = line.length - 2; index >= 0; index--) {
    const isStop = /[.!?;]/u.test(line[index] ?? '') && line[index + 1] === ' '
    if (isStop || line[index] === '>') return index + 1
  }
  return 0
}

/** The speaker comes back. */
const OWN_LINE = /^\s?(?:\*\*)?(?:i|but|however|my|mine|so|therefore|thus|hence|yet|still|no|in my)\b/iu
const SPEAKING =
  /\b(?:said|says|wrote|writes|answered|replied|replies|responded|responds|claimed|claims|argued|argues|stated|states)\b/u

/** Where the colon stands that begins somebody else's words; null where the line has none. */
function opensSpeech(line: string, speakers: Speakers): number | null {
  const words = line.toLowerCase().replaceAll('’', "'")
  for (const { index: colon } of [...words.matchAll(/:(?=[\s"“«*_]|$)/gu)].slice(0, MOST_COLONS)) {
    const head = words.slice(0, colon)
    const clause = head
      .slice(lastBreak(head))
      .replace(/[*_#\s]+/gu, ' ')
      .trim()
    const isName = speakers.others.some((name) =>
      [name.toLowerCase(), `agent ${name.toLowerCase()}`].includes(clause.replace(/^[-•\d.) ]+/u, '')),
    )
    const isSaid = SPEAKING.test(clause) && !MY_SPEAKING.test(clause) && speaksOfOthers(clause, speakers)
    if (isName || isSaid) return colon
  }
  return null
}
const MOST_COLONS = 12
const MY_SPEAKING = /\bi(?:'ve| have| had)? (?:said|wrote|answered|replied|argued|claimed|stated)\b/u

const SOMEBODY =
  /\b(?:agents?|models?|assistants?|experts?|participants?|debaters?|peers?|colleagues?|respondents?|opponents?|the others|others'|someone|another|he|she|they|their|his|her|users?|previous|last round)\b/u
const REPORTED =
  /\b(?:said|says|saying|wrote|writes|answered|answers|replied|replies|responded|responds|claimed|claims|argued|argues|chose|chooses|picked|picks|stated|states|concluded|concludes|gave|gives|proposed|proposes|suggested|suggests|voted|votes|thinks|thought|believes|believed|insists|insisted)(?: that| with| as| for| was| is)?(?: the answer(?: is)?)?[ :,]*$/u
const MY_CHOICE =
  /\bi(?:'ve| have| had| now| then| finally)?(?: also)? (?:chose|picked|gave|answered|concluded|voted)\b/u
const MYSELF = /\b(?:i|i'm|i'd|i'll|i've|my|mine|me|myself|own)\b/u
const DRAFT =
  /\b(?:initial|initially|at first|first thought|first guess|first answer|draft|tentative|tentatively|previous|previously|earlier|last round|round \d{1,2}|provisional|provisionally|preliminary|used to|originally|original|before)\b/u

/** Somebody else's words reported by me are still somebody else's: `I saw that bob said`. */
function isFirstPerson(clause: string, { self }: Speakers): boolean {
  if (MY_CHOICE.test(clause)) return true
  if (REPORTED.test(clause)) return false
  const own = self?.toLowerCase() ?? ''
  return MYSELF.test(clause) || (own !== '' && hasWord(clause, own))
}

/** Whether the word stands there on its own; names may hold any character, so no pattern is made of them. */
function hasWord(text: string, word: string): boolean {
  if (word === '') return false
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const isStart = !/[\p{L}\p{N}]/u.test(text[at - 1] ?? ' ')
    const isEnd = !/[\p{L}\p{N}]/u.test(text[at + word.length] ?? ' ')
    if (isStart && isEnd) return true
  }
  return false
}
