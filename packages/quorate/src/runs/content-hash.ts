import { canonicalJson, sha256 } from '@quorate/certificate'
import { debateSoFar } from '../debate/debate-record.ts'
import { textDigest } from '../debate/text-digest.ts'
import { compareCodePoints } from '../questions/code-points.ts'
import type { Question } from '../questions/question.ts'

/** What was asked, whatever its id, as digests: white space, Unicode forms and the order of options do not count. */
export interface Content {
  /** Of the question's text and the number of its options. */
  readonly asked: string
  /** Of the text and what the options say; null where a record has only letters or numbers for them. */
  readonly whole: string | null
}

/** Null for a record without the text of its question. */
export function contentOf(debate: { readonly question?: unknown; readonly options?: unknown }): Content | null {
  const { question, options } = debate
  if (typeof question !== 'string' || typeof options !== 'object' || options === null) return null
  const entries = Array.isArray(options) ? options.map((name: unknown) => [name, name]) : Object.entries(options)
  const named = entries.map(([name, text]) => ({ name: String(name), text: String(text) }))
  const asked = askedDigest(question, named.length)
  return { asked, whole: areBare(named) ? null : wholeDigest(question, textsOf(named)) }
}

/** Equal for debates that ask the same. */
export function contentKey({ asked, whole }: Content): string {
  return whole ?? asked
}

/** The questions of a calibration set, as a certificate's file holds them. */
export interface Contents {
  /** Of questions whose options were known. */
  readonly whole: ReadonlySet<string>
  readonly asked: ReadonlySet<string>
  /** Of questions whose options were only letters or numbers: the text and their number must do. */
  readonly bare: ReadonlySet<string>
  /** Of files from before there were these: options and text as they stood, to the byte. */
  readonly exact: ReadonlySet<string>
}

export function contentsOf(all: Iterable<Content>): Contents {
  const [whole, asked, bare] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const content of all) {
    if (content.whole === null) bare.add(content.asked)
    else {
      whole.add(content.whole)
      asked.add(content.asked)
    }
  }
  return { whole, asked, bare, exact: new Set() }
}

/**
 * Whether a question is among them. "Which of these is true?" is asked about many things: with options that are known
 * on both sides they must say the same too.
 */
export function isAmong({ whole, asked, bare, exact }: Contents, question: Question): boolean {
  const { question: text, options } = question
  const digest = askedDigest(text, options.length)
  if (bare.has(digest)) return true
  if (areBare(options)) return asked.has(digest) || isExact(exact, question)
  // A record may have kept the names of options alone.
  const names = options.map(({ name }) => name)
  return [textsOf(options), names].some((said) => whole.has(wholeDigest(text, said))) || isExact(exact, question)
}

function isExact(exact: Contents['exact'], question: Question): boolean {
  if (exact.size === 0) return false
  const { options, question: text } = debateSoFar(question, [])
  return exact.has(sha256(canonicalJson({ options, question: text })))
}

function askedDigest(question: string, options: number): string {
  return textDigest(canonicalJson(['asked', normalised(question), options]))
}

function wholeDigest(question: string, texts: readonly string[]): string {
  const said = [...new Set(texts.map(normalised))].sort(compareCodePoints)
  return textDigest(canonicalJson(['whole', normalised(question), said]))
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** A to D, (a) to (c), 1. to 3.: marks in a row, which say nothing about what they stand for. Any other name is a text. */
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
