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
  const clause = clauseBefore(lead.slice(-LONGEST_LEAD))
  if (clause === '' || isFirstPerson(clause, speakers)) return false
  if (/\baccording to\b|\bquot(?:e|es|ed|ing)\b/u.test(clause) || REPORTED.test(clause)) return true
  // A comma ends what was said about somebody else: `having read the other agents, the answer is`.
  const subject = clause.slice(clause.replace(/[:,]\s*$/u, '').lastIndexOf(',') + 1)
  return SOMEBODY.test(subject) || speakers.others.some((name) => hasWord(subject, name.toLowerCase()))
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
