import { canonicalJson, compareCodePoints } from '@quorate/certificate'
import { textDigest } from '../../debate/text-digest.ts'
import type { Question } from '../../record/question.ts'
import { collectDigests, type DigestSet } from './digest-set.ts'

/** The content of a question as digests, without its id. White space, Unicode forms and the order of options do not matter. */
export interface Content extends Digests {
  /** The same, ignoring case, white space and punctuation. */
  readonly folded: Digests
}

interface Digests {
  /** Digest of the question's text and the number of its options. */
  readonly asked: string
  /** Digest of the texts of question and options; null if a record has only letters or numbers as options. */
  readonly whole: string | null
}

/** Null for a record without the text of its question. */
export function contentOf(debate: { readonly question?: unknown; readonly options?: unknown }): Content | null {
  const { question, options } = debate
  if (typeof question !== 'string' || typeof options !== 'object' || options === null) return null
  const entries = Array.isArray(options) ? options.map((name: unknown) => [name, name]) : Object.entries(options)
  const named = entries.map(([name, text]) => ({ name: String(name), text: String(text) }))
  const isBare = areBare(named)
  const digests = (reading: TextReading): Digests => ({
    asked: askedDigest(reading, question, named.length),
    whole: isBare ? null : wholeDigest(reading, question, textsOf(named)),
  })
  return { ...digests(AS_WRITTEN), folded: digests(FOLDED) }
}

/** Equal for debates of the same question. */
export function contentKey({ asked, whole }: Content): string {
  return whole ?? asked
}

/** The questions of a calibration set, as in the file of a certificate. */
export interface Contents {
  /** Digests `whole` of questions whose options were known. */
  readonly whole: DigestSet
  /** Digests `asked` of the same questions. */
  readonly asked: DigestSet
  /** Digests `asked` of questions whose options were only letters or numbers, so that nothing else can be compared. */
  readonly bare: DigestSet
}

export function contentsOf(all: Iterable<Content>): Contents {
  const [whole, asked, bare] = [collectDigests(), collectDigests(), collectDigests()]
  for (const content of all) {
    for (const digests of [content, content.folded]) {
      if (digests.whole === null) bare.add(digests.asked)
      else {
        whole.add(digests.whole)
        asked.add(digests.asked)
      }
    }
  }
  return { whole: whole.set(), asked: asked.set(), bare: bare.set() }
}

/**
 * Whether a question is in the calibration set. "Which of these is true?" is asked about many things, so if the options are
 * known on both sides, they must be equal too.
 */
export function isAmong({ whole, asked, bare }: Contents, question: Question): boolean {
  const { question: text, options } = question
  const isBare = areBare(options)
  // A record may contain only the names of the options.
  const known = [textsOf(options), options.map(({ name }) => name)]
  const isSame = (reading: TextReading): boolean => {
    const digest = askedDigest(reading, text, options.length)
    if (bare.has(digest)) return true
    return isBare ? asked.has(digest) : known.some((texts) => whole.has(wholeDigest(reading, text, texts)))
  }
  return isSame(AS_WRITTEN) || isSame(FOLDED)
}

/** The same for a record. */
export function isContentAmong({ whole, bare }: Contents, content: Content): boolean {
  return [content, content.folded].some((digests) => whole.has(digests.whole ?? '') || bare.has(digests.asked))
}

interface TextReading {
  /** Part of the digested text, so that digests of two readings never coincide. */
  readonly mark: string
  readonly read: (text: string) => string
}

const AS_WRITTEN: TextReading = { mark: '', read: normalised }
const FOLDED: TextReading = { mark: 'folded ', read: folded }

function askedDigest({ mark, read }: TextReading, question: string, options: number): string {
  return textDigest(canonicalJson([`${mark}asked`, read(question), options]))
}

function wholeDigest({ mark, read }: TextReading, question: string, texts: readonly string[]): string {
  const distinct = [...new Set(texts.map(read))].sort(compareCodePoints)
  return textDigest(canonicalJson([`${mark}whole`, read(question), distinct]))
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** Whether all options are consecutive marks without a meaning: A to D, (a) to (c), 1. to 3. Any other name is a text. */
function areBare(options: Question['options']): boolean {
  const marks = new Set(options.map(({ name }) => /^\W?([a-z]|\d{1,2})\W?$/.exec(name.trim().toLowerCase())?.[1]))
  const isRow = (markAt: (index: number) => string) => options.every((_, index) => marks.has(markAt(index)))
  const isMarked = isRow((index) => LETTERS.charAt(index)) || isRow(String) || isRow((index) => String(index + 1))
  return isMarked && options.every(({ name, text }) => name === text)
}

function textsOf(options: Question['options']): readonly string[] {
  return options.map(({ text }) => text)
}

function normalised(text: string): string {
  return text.normalize('NFC').replace(/\s+/gu, ' ').trim()
}

/** Keeps arithmetic signs, points and dashes before a digit, and spaces between digits, because 1.5 is not 15. */
function folded(text: string): string {
  const plain = normalised(text.normalize('NFKC').toLowerCase())
  return plain.replace(/\p{P}(?!\p{N})/gu, '').replace(/(?<!\p{N})\s+|\s+(?!\p{N})/gu, '') || plain
}
